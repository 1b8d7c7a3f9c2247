//! The graph filter I - delta L, with L the symmetrically normalised Laplacian.
//!
//! L = I - D^-1/2 A D^-1/2, so that
//! I - delta L = (1 - delta) I + delta D^-1/2 A D^-1/2.

use super::normalise::scale;
use super::self_loops::with_diagonal;
use crate::error::GraphError;
use crate::graph::Graph;

/// Strength of the graph filter in the paper.
pub const DEFAULT_DELTA: f64 = 0.85;

/// Replaces the adjacency by I - delta L = (1 - delta) I + delta D^-1/2 A
/// D^-1/2 (`eq:pre_transform` of the paper).
///
/// Every node gets a diagonal entry, which is `1 - delta` for an isolated node.
/// Self-loops of A count as ordinary entries of A, both in the degrees and in
/// the result. New self-loops have edge features of zero.
///
/// # Errors
///
/// Returns an error if `delta` is not in (0, 1], or a scaled weight is too
/// large for 32 bits.
///
/// # Complexity
///
/// Time and memory linear in nodes, edges and features.
///
/// ```
/// use bnpool_graph::{Csr, Graph, transform};
///
/// let edge = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 0)])?).build()?;
/// let filtered = transform::graph_filter(&edge, transform::DEFAULT_DELTA)?;
/// assert_eq!(filtered.adjacency().columns(), [0, 1, 0, 1, 2]);
/// assert_eq!(
///     filtered.adjacency().weights(),
///     Some(&[0.15, 0.85, 0.85, 0.15, 0.15][..])
/// );
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
pub fn graph_filter(graph: &Graph, delta: f64) -> Result<Graph, GraphError> {
    if !(delta > 0.0 && delta <= 1.0) {
        return Err(GraphError::DeltaOutOfRange { delta });
    }
    // New self-loops have weight zero, so the degrees are still those of A.
    let mut rewired = with_diagonal(graph.adjacency(), 0.0);
    rewired.adjacency = scale(&rewired.adjacency, delta, 1.0 - delta)?;
    Ok(rewired.apply(graph))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::csr::Csr;
    use crate::matrix::Matrix;

    #[test]
    fn filters_a_weighted_graph_with_edge_features() {
        // Degrees 1, 3, 2: a path whose second edge has weight 2.
        let edges = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, 2.0), (2, 1, 2.0)];
        let graph = Graph::builder(Csr::from_weighted_edges(3, edges).unwrap())
            .edge_features(Matrix::from_rows([[1.0], [2.0], [3.0], [4.0]]).unwrap())
            .build()
            .unwrap();
        let filtered = graph_filter(&graph, 0.6).unwrap();
        let (a, b) = (0.6 / 3.0_f64.sqrt(), 1.2 / 6.0_f64.sqrt());
        let expected = [0.4, a, a, 0.4, b, b, 0.4].map(|value| value as f32);
        assert_eq!(filtered.adjacency().weights(), Some(&expected[..]));
        assert_eq!(
            filtered.edge_features().unwrap().as_slice(),
            [0.0, 1.0, 2.0, 0.0, 3.0, 4.0, 0.0]
        );
        assert!(filtered.adjacency().is_symmetric());
    }

    #[test]
    fn loops_count_as_entries_of_the_adjacency() {
        let graph = Graph::builder(Csr::from_edges(2, [(0, 0), (0, 1), (1, 0)]).unwrap())
            .build()
            .unwrap();
        let filtered = graph_filter(&graph, 0.5).unwrap();
        let edge = (0.5 / 2.0_f64.sqrt()) as f32;
        let expected = [0.75, edge, edge, 0.5];
        assert_eq!(filtered.adjacency().weights(), Some(&expected[..]));
    }

    #[test]
    fn refuses_other_strengths() {
        let graph = Graph::builder(Csr::from_edges(1, []).unwrap())
            .build()
            .unwrap();
        for delta in [0.0, -0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(graph_filter(&graph, delta).is_err());
        }
        let pure = graph_filter(&graph, 1.0).unwrap();
        assert_eq!(pure.adjacency().weights(), Some(&[0.0][..]));
    }
}
