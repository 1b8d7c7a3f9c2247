//! The graph as the model reads it.

use super::features::{LazySpectrum, node_features};
use super::{ClusterConfig, TargetMatrix};
use crate::nn::{Gcn, NodeInput};
use crate::pool::Topology;
use crate::task::TaskError;
use bnpool_graph::{Csr, Graph, UNLABELLED, transform};
use burn::tensor::Device;
use std::sync::Arc;

/// What does not change while one graph is trained on.
#[derive(Debug)]
pub(super) struct ClusterInput {
    /// Â of the message passing.
    pub normalised: Arc<Csr>,
    /// Node features.
    pub x: NodeInput,
    /// Whether features that the graph brought are among them.
    pub given: bool,
    /// The pooler's view.
    pub topology: Topology,
    /// Known classes of the nodes.
    pub classes: Option<usize>,
    /// Eigenvectors, which the features and the start may both need.
    pub spectrum: LazySpectrum,
}

impl ClusterInput {
    pub fn new(graph: &Graph, config: &ClusterConfig, device: &Device) -> Result<Self, TaskError> {
        if graph.nodes() < 2 {
            return Err(TaskError::TooSmall {
                nodes: graph.nodes(),
            });
        }
        let topology = Topology::of_graph(graph);
        // Message passing sees I − δL, or A without weights as the authors do.
        let seen = if config.model.delta > 0.0 {
            transform::graph_filter(graph, config.model.delta)?.shared_adjacency()
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
        let spectrum = LazySpectrum::default();
        let features = node_features(graph, config, &spectrum)?;
        Ok(Self {
            normalised: Gcn::normalise(&seen)?,
            x: NodeInput::of(&features, device),
            spectrum,
            given: config.uses_given_features(graph),
            topology: topology.with_adjacency(seen),
            classes: graph.node_labels().map(|labels| {
                let known = labels.iter().filter(|&&class| class != UNLABELLED);
                known.max().map_or(0, |&class| class as usize + 1).max(2)
            }),
        })
    }
}
