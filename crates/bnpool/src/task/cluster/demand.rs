//! What the training on one graph will take of the memory.

use super::{ClusterConfig, FeatureSource};
use crate::task::TaskError;
use crate::task::demand::Demand;
use bnpool_graph::Graph;

/// Refuses settings that the memory does not hold for this graph.
pub(super) fn check(graph: &Graph, config: &ClusterConfig) -> Result<(), TaskError> {
    let nodes = graph.nodes();
    let (hidden, clusters) = (config.model.hidden, config.pooler.max_clusters);
    let mut demand = Demand::default();
    let made = config
        .features
        .random
        .saturating_add(config.features.spectral.min(nodes));
    let mut inputs = graph.features().width();
    if config.features.source != FeatureSource::Given {
        let what = format!("a matrix of {made} features for {nodes} nodes");
        demand.add("features.random", what, &[&[2, nodes, made]])?;
        inputs = inputs.saturating_add(made);
    }
    let layers = format!("a network of width {hidden} for {nodes} nodes");
    demand.parameters("model.hidden", &layers, &[inputs, hidden])?;
    demand.parameters("model.hidden", &layers, &[hidden, hidden])?;
    demand.activations("model.hidden", &layers, &[2, nodes, hidden])?;
    if config.pooler.name == "bn" {
        demand.bn_pool(hidden, clusters)?;
        return demand.posterior(nodes, clusters, config.pooler.particles);
    }
    let what = format!("the membership matrix of {nodes} nodes and {clusters} clusters");
    demand.activations("pooler.max_clusters", what, &[2, nodes, clusters])
}
