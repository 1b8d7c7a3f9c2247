//! The graph as the model reads it.

use super::features::{LazySpectrum, Surroundings, node_features};
use super::setup::ModelSite;
use super::{ClusterConfig, TargetMatrix};
use crate::TaskError;
use bnpool::batch::{Level, NodeInput, Prepared, Topology};
use bnpool::nn::LayerKind;
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_graph::{Graph, UNLABELLED, transform};
use burn::tensor::Device;

/// What does not change while one graph is trained on.
#[derive(Debug)]
pub(super) struct ClusterInput {
    /// Node features and structure, with what the pooler computed of the graph.
    pub level: Level,
    /// Whether features that the graph brought are among them.
    pub given: bool,
    /// Known classes of the nodes.
    pub classes: Option<usize>,
    /// Eigenvectors, which the features and the start may both need.
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
        // Message passing sees I − δL, or A without weights as the authors do.
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
            // Now, so that weights that overflow are an error.
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

    /// The same without the record of gradients, for evaluation.
    pub fn inner(&self) -> Level {
        let features = self.level.features.inner();
        self.level.clone().with_features(features)
    }

    /// What a model must know of the graph.
    pub fn site(&self) -> ModelSite {
        ModelSite {
            inputs: self.level.features.width(),
            nodes: self.level.segments().nodes(),
            classes: self.classes,
        }
    }

    /// The structure, which is sparse before any pooling.
    pub fn topology(&self) -> Topology {
        self.level.structure.topology()
    }
}

/// Number of known classes of the nodes, at least 2.
pub(super) fn known_classes(graph: &Graph) -> Option<usize> {
    let labels = graph.node_labels()?;
    let known = labels.iter().filter(|&&class| class != UNLABELLED);
    Some(known.max().map_or(0, |&class| class as usize + 1).max(2))
}
