//! Input of the model.

use super::features::{LazySpectrum, Surroundings, node_features};
use super::setup::ModelSite;
use super::{ClusterConfig, TargetMatrix};
use crate::TaskError;
use bnpool::batch::{Level, NodeInput, Prepared, Topology};
use bnpool::nn::LayerKind;
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_graph::{Graph, UNLABELLED, transform};
use burn::tensor::Device;

/// Constant data of the training on one graph.
#[derive(Debug)]
pub(super) struct ClusterInput {
    /// Node features and structure, with the precomputed data of the pooler.
    pub level: Level,
    /// Whether given features are among them.
    pub given: bool,
    /// Number of known classes of the nodes.
    pub classes: Option<usize>,
    /// Eigenvectors, which both features and start may need.
    pub spectrum: LazySpectrum,
}

impl ClusterInput {
    pub fn new<C: PoolSettings>(
        graph: &Graph,
        config: &ClusterConfig<C>,
        groups: Option<&Surroundings>,
        device: &Device,
    ) -> Result<Self, TaskError> {
        if graph.nodes() < 2 {
            return Err(TaskError::TooSmall {
                nodes: graph.nodes(),
            });
        }
        let topology = Topology::of_graph(graph);
        // Message passing uses I − δL, or A without weights as in the authors'
        // code.
        let delta = config.delta();
        let seen = if delta > 0.0 {
            transform::graph_filter(graph, delta)?.shared_adjacency()
        } else {
            topology.targets.clone()
        };
        let topology = match config.model.target {
            TargetMatrix::Binary => topology,
            TargetMatrix::Weighted => {
                let weighted = topology.adjacency.clone();
                topology.with_targets(weighted)
            }
            TargetMatrix::Transformed => topology.with_targets(seen.clone()),
        };
        let topology = topology.with_adjacency(seen);
        if config.model.layer == LayerKind::Gcn {
            // Computed here to detect weights that overflow.
            topology.normalised()?;
        }
        let spectrum = LazySpectrum::default();
        let features = node_features(graph, config, &spectrum, groups)?;
        let classes = known_classes(graph);
        let site = PoolSite {
            inputs: config.model.hidden,
            nodes: graph.nodes() as f64,
            clusters: Some(config.fixed_clusters(classes)),
            seed: config.seed,
        };
        let prepared = match config.pooler.coarsen(&site) {
            Some(coarsen) => {
                let levels = coarsen.prepare(graph.adjacency(), 1);
                let levels = levels.map_err(|source| TaskError::NotPoolable { source })?;
                Prepared::join(&[&levels])?
            }
            None => Prepared::default(),
        };
        Ok(Self {
            level: Level::new(NodeInput::of(&features, device), topology).with_prepared(prepared),
            spectrum,
            given: config.uses_given_features(graph),
            classes,
        })
    }

    /// Returns the level without gradient tracking, for evaluation.
    pub fn inner(&self) -> Level {
        let features = self.level.features.inner();
        self.level.clone().with_features(features)
    }

    /// Returns the properties of the graph that a model depends on.
    pub fn site(&self) -> ModelSite {
        ModelSite {
            inputs: self.level.features.width(),
            nodes: self.level.segments().nodes(),
            classes: self.classes,
        }
    }

    /// Returns the structure, which is sparse before pooling.
    pub fn topology(&self) -> Topology {
        self.level.structure.topology()
    }
}

/// Returns the number of known classes of the nodes, if there are at least 2.
pub(super) fn known_classes(graph: &Graph) -> Option<usize> {
    let labels = graph.node_labels()?;
    let known = labels.iter().filter(|&&class| class != UNLABELLED);
    Some(known.max().map_or(0, |&class| class as usize + 1).max(2))
}
