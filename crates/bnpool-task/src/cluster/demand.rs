//! Memory demand of the training on one graph.

use super::input::known_classes;
use super::{ClusterConfig, FeatureSource};
use crate::TaskError;
use crate::demand::Demand;
use bnpool::pool::{PoolSettings, PoolSite};
use bnpool_graph::Graph;

/// Returns an error if the training on this graph does not fit into memory.
pub(super) fn check<C: PoolSettings>(
    graph: &Graph,
    config: &ClusterConfig<C>,
) -> Result<(), TaskError> {
    let nodes = graph.nodes();
    let hidden = config.model.hidden;
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
    let site = PoolSite {
        inputs: hidden,
        nodes: nodes as f64,
        clusters: Some(config.fixed_clusters(known_classes(graph))),
        seed: config.seed,
    };
    demand.pooler(&config.pooler, &site, 1)
}
