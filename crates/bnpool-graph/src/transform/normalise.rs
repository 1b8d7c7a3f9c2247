//! Adjacencies scaled by the degrees of their nodes.
//!
//! With D the diagonal matrix of the row sums of A, the symmetric normalisation
//! is D^-1/2 A D^-1/2. For a node whose row sum is zero or negative (no edges,
//! or weights that cancel), the factor is zero: all its entries become zero,
//! but stay stored.

use super::self_loops::with_diagonal;
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;

/// Computes the symmetric normalisation D^-1/2 A D^-1/2.
///
/// Degrees are row sums. If a row sum is not positive, its factor is zero. A
/// symmetric matrix stays exactly symmetric.
///
/// # Errors
///
/// Returns an error if the matrix is not square, or a scaled weight is too
/// large for 32 bits (which requires weights that nearly cancel or differ by
/// many orders of magnitude).
///
/// # Complexity
///
/// Time and memory linear in nodes and edges.
///
/// ```
/// use bnpool_graph::{Csr, transform::normalise_symmetric};
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)])?;
/// let scaled = normalise_symmetric(&path)?;
/// assert_eq!(scaled.weights(), Some(&[0.5_f32.sqrt(); 4][..]));
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
pub fn normalise_symmetric(adjacency: &Csr) -> Result<Csr, GraphError> {
    GraphError::check_square(adjacency)?;
    scale(adjacency, 1.0, 0.0)
}

/// Computes the normalisation of graph convolutions, D^-1/2 (A + I) D^-1/2,
/// with D the row sums of A + I.
///
/// Nodes without a self-loop get one of weight 1; existing self-loops are kept.
/// Otherwise as [`normalise_symmetric`].
///
/// # Errors
///
/// As [`normalise_symmetric`].
///
/// # Complexity
///
/// Time and memory linear in nodes and edges.
pub fn normalise_gcn(adjacency: &Csr) -> Result<Csr, GraphError> {
    GraphError::check_square(adjacency)?;
    scale(&with_diagonal(adjacency, 1.0).adjacency, 1.0, 0.0)
}

/// `strength` D^-1/2 A D^-1/2 + `diagonal` I on the stored entries of a square
/// matrix A.
pub(super) fn scale(adjacency: &Csr, strength: f64, diagonal: f64) -> Result<Csr, GraphError> {
    let factors: Vec<f64> = adjacency.row_sums().into_iter().map(inverse_root).collect();
    let mut weights = Vec::with_capacity(adjacency.entries());
    for (u, v, weight) in adjacency.iter() {
        let (u, v) = (u as usize, v as usize);
        // The factors are multiplied first: their product is the same for (u,
        // v) and (v, u), so rounding does not break the symmetry.
        let scaled = strength * (factors[u] * factors[v]) * f64::from(weight);
        let value = if u == v { scaled + diagonal } else { scaled };
        if !(value as f32).is_finite() {
            return Err(GraphError::NonFiniteWeight {
                row: u,
                column: v,
                value,
            });
        }
        weights.push(value as f32);
    }
    Ok(Csr::trusted(
        adjacency.columns_count(),
        adjacency.offsets().to_vec(),
        adjacency.columns().to_vec(),
        Some(weights),
    ))
}

/// `degree`^-1/2, or zero if the degree is not positive.
fn inverse_root(degree: f64) -> f64 {
    if degree > 0.0 {
        degree.sqrt().recip()
    } else {
        0.0
    }
}

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

    fn close(found: &[f32], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (f, e) in found.iter().zip(expected) {
            assert!((f64::from(*f) - e).abs() < 1e-7, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn scales_by_both_ends() {
        let edges = [(0, 1, 2.0), (1, 0, 2.0), (1, 2, 6.0), (2, 1, 6.0)];
        let scaled = normalise_symmetric(&Csr::from_weighted_edges(4, edges).unwrap()).unwrap();
        let (a, b) = (2.0 / 16.0_f64.sqrt(), 6.0 / 48.0_f64.sqrt());
        close(scaled.weights().unwrap(), &[a, a, b, b]);
        assert!(scaled.is_symmetric());
    }

    #[test]
    fn gcn_adds_missing_loops_only() {
        // Node 0 has a self-loop of weight 3, node 2 has no edges.
        let edges = [(0, 0, 3.0), (0, 1, 1.0), (1, 0, 1.0)];
        let scaled = normalise_gcn(&Csr::from_weighted_edges(3, edges).unwrap()).unwrap();
        assert_eq!(scaled.columns(), [0, 1, 0, 1, 2]);
        let edge = 1.0 / 8.0_f64.sqrt();
        close(scaled.weights().unwrap(), &[0.75, edge, edge, 0.5, 1.0]);
    }

    #[test]
    fn rows_without_a_positive_sum_become_zero() {
        let edges = [(0, 1, -1.0), (1, 0, -1.0), (1, 2, 3.0), (2, 1, 3.0)];
        let scaled = normalise_symmetric(&Csr::from_weighted_edges(3, edges).unwrap()).unwrap();
        let rest = 3.0 / 6.0_f64.sqrt();
        close(scaled.weights().unwrap(), &[0.0, 0.0, rest, rest]);
    }

    #[test]
    fn refuses_rectangles_and_overflow() {
        let wide = Csr::from_positions(1, 2, [(0, 1)]).unwrap();
        assert!(normalise_symmetric(&wide).is_err());
        assert!(normalise_gcn(&wide).is_err());
        let edges = [(0, 1, f32::MAX), (1, 1, f32::from_bits(1))];
        assert!(matches!(
            normalise_symmetric(&Csr::from_weighted_edges(2, edges).unwrap()),
            Err(GraphError::NonFiniteWeight {
                row: 0,
                column: 1,
                ..
            })
        ));
    }

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
