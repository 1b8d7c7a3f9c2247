//! Graphs with one supernode per community.

use super::Communities;
use crate::Failure;
use crate::learn::PooledGraph;
use bnpool_graph::{Csr, Graph};
use bnpool_math::kernel::{Activation, Addend, reduce, spmm};

/// Pools a graph by memberships s, [nodes, supernodes]: Sᵀ A S and Sᵀ X.
///
/// # Errors
///
/// Returns an error if the features do not fit into memory.
///
/// # Complexity
///
/// O(E C + N C² + N C F) time for C supernodes and F features.
pub(crate) fn pool(graph: &Graph, s: Vec<f32>, supernodes: usize) -> Result<PooledGraph, Failure> {
    let offsets = [0, graph.nodes()];
    let summed =
        |values: &[f32], width| reduce(&offsets, &s, supernodes, values, width, Addend::None);
    let adjacency = graph.adjacency().view();
    let by_row = spmm(adjacency, &s, supernodes, Addend::None, Activation::None);
    let features = graph.features().try_dense(2)?;
    Ok(PooledGraph {
        adjacency: summed(&by_row, supernodes),
        features: summed(features.as_slice(), features.columns()),
        assignments: s,
        supernodes,
        ..PooledGraph::nothing()
    })
}

impl Communities {
    /// Pools the graph by the memberships in the communities: Sᵀ A S and Sᵀ X.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no memberships, or the features do not fit into
    /// memory.
    pub fn pooled(&self, graph: &Graph) -> Result<PooledGraph, Failure> {
        let supernodes = self.count.communities;
        if self.assignments.len() != graph.nodes() * supernodes {
            return Err(Failure::input(format!(
                "there are no memberships in {supernodes} communities: they are too many for the network or the memory; the edges between communities can be summed instead"
            )));
        }
        pool(graph, self.assignments.clone(), supernodes)
    }

    /// Sums the weights of the edges between communities, with each node only in its own
    /// community.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many communities for a graph.
    pub fn aggregate(&self, graph: &Graph) -> Result<Csr, Failure> {
        let label = |node: u32| self.labels[node as usize];
        let edges = graph.adjacency().iter();
        let edges = edges.map(|(u, v, weight)| (label(u), label(v), weight));
        Ok(Csr::from_weighted_edges(self.count.communities, edges)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_graph::{Features, Matrix};

    #[test]
    fn edges_and_features_are_summed_by_membership() {
        let edges = [(0, 1), (1, 0), (1, 2), (2, 1)];
        let adjacency = Csr::from_edges(3, edges).expect("edges");
        let s = || vec![1.0, 0.0, 0.5, 0.5, 0.0, 1.0];
        let dense = Matrix::new(3, 2, vec![1.0, 2.0, 4.0, 0.0, 0.0, 3.0]).expect("a matrix");
        let sparse = Csr::from_positions(3, 2, [(0, 1), (1, 0), (2, 1)]).expect("positions");
        for (features, expected) in [
            (Features::Dense(dense), &[3.0, 2.0, 2.0, 3.0][..]),
            (Features::Sparse(sparse), &[0.5, 1.0, 0.5, 1.0]),
            (Features::absent(3), &[]),
        ] {
            let graph = Graph::builder(adjacency.clone()).features(features).build();
            let pooled = pool(&graph.expect("a graph"), s(), 2).expect("enough memory");
            assert_eq!(pooled.adjacency, [1.0, 1.0, 1.0, 1.0]);
            assert_eq!(pooled.features, expected);
        }
    }
}
