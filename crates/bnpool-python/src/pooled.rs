//! Graphs with one supernode per community.

use bnpool_graph::{Csr, Graph};
use bnpool_math::kernel::{Activation, Addend, reduce, spmm};
use bnpool_task::Failure;
use bnpool_task::cluster::Communities;

/// A pooled graph.
pub struct Pooled {
    pub supernodes: usize,
    /// Sᵀ A S, [supernodes, supernodes].
    pub adjacency: Vec<f32>,
    /// Number of features.
    pub width: usize,
    /// Sᵀ X, [supernodes, width].
    pub features: Vec<f32>,
}

/// Pools the graph with the memberships.
pub fn pool(graph: &Graph, result: &Communities) -> Result<Pooled, Failure> {
    let (nodes, supernodes) = (graph.nodes(), result.count.communities);
    let s = &result.assignments;
    if s.len() != nodes * supernodes {
        return Err(Failure::input(format!(
            "there are no memberships in {supernodes} communities: they are too many for the network or the memory; `aggregate_` has the edges between communities"
        )));
    }
    let offsets = [0, nodes];
    let by_row = spmm(
        graph.adjacency().view(),
        s,
        supernodes,
        Addend::None,
        Activation::None,
    );
    let adjacency = reduce(&offsets, s, supernodes, &by_row, supernodes, Addend::None);
    let features = graph.features().try_dense(2)?;
    let width = features.columns();
    let x = features.as_slice();
    Ok(Pooled {
        adjacency,
        features: reduce(&offsets, s, supernodes, x, width, Addend::None),
        supernodes,
        width,
    })
}

/// Sums the weights of the edges between communities, with each node only in
/// its own community.
pub fn aggregate(graph: &Graph, result: &Communities) -> Result<Csr, Failure> {
    let label = |node: u32| result.labels[node as usize];
    let edges = graph.adjacency().iter();
    let edges = edges.map(|(u, v, weight)| (label(u), label(v), weight));
    Ok(Csr::from_weighted_edges(result.count.communities, edges)?)
}
