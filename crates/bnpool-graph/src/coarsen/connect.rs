//! The graph of the supernodes.

use super::assigned::Assigned;
use super::error::CoarsenError;
use crate::csr::Csr;
use crate::error::GraphError;
use crate::transform::normalise_symmetric;

/// Weight of an edge between supernodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EdgeWeight {
    /// Sum of the weights of the merged edges; unweighted edges count as 1.
    #[default]
    Sum,
    /// The sum if the graph has weights; otherwise, the pooled graph has none
    /// either, as in the reference.
    Stored,
}

/// Parameters of the edges between supernodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Connect {
    /// Weight of an edge.
    pub weight: EdgeWeight,
    /// Largest magnitude of edge weights that are dropped.
    pub eps: f32,
    /// Whether the result is normalised to D^-1/2 A D^-1/2.
    pub degree_norm: bool,
}

impl Default for Connect {
    /// Sums, not normalised, eps = 1e-8.
    fn default() -> Self {
        Self {
            weight: EdgeWeight::Sum,
            eps: 1e-8,
            degree_norm: false,
        }
    }
}

/// Builds the graph of the supernodes: edges are relabelled, parallel edges are
/// merged, and self-loops and edges of (almost) zero weight are dropped.
///
/// A symmetric graph stays symmetric to the last bit. Weights may be negative; if
/// they cancel, the edge is dropped. With `degree_norm`, a supernode whose
/// weights do not have a positive sum keeps its edges with weight zero
/// ([`normalise_symmetric`]).
///
/// # Errors
///
/// Returns an error if the matrix is not square, the assignment has a different
/// number of nodes, `eps` is not a valid bound, or a sum of weights is too
/// large for 32 bits.
///
/// # Complexity
///
/// O(N + E) time and memory (two counting sorts).
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::{Assigned, Connect, coarsen_graph};
///
/// // A square whose left and right sides become supernodes.
/// let edges = [(0, 1), (1, 2), (2, 3), (3, 0)];
/// let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let square = Csr::from_edges(4, both)?;
/// let sides = Assigned::new(vec![0, 1, 1, 0], 2)?;
/// let pooled = coarsen_graph(&square, &sides, &Connect::default())?;
/// assert_eq!(pooled, Csr::from_weighted_edges(2, [(0, 1, 2.0), (1, 0, 2.0)])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coarsen_graph(
    adjacency: &Csr,
    assigned: &Assigned,
    connect: &Connect,
) -> Result<Csr, CoarsenError> {
    GraphError::check_square(adjacency)?;
    GraphError::check_count(
        "assigned nodes",
        assigned.nodes(),
        adjacency.rows(),
        "nodes",
    )?;
    if !(connect.eps.is_finite() && connect.eps >= 0.0) {
        return Err(CoarsenError::OutOfRange {
            name: "eps",
            value: f64::from(connect.eps),
            bound: "finite and at least 0",
        });
    }
    let pooled = sum(adjacency, assigned)?;
    let pooled = if adjacency.weights().is_none() && connect.weight == EdgeWeight::Stored {
        pooled.without_weights()
    } else {
        drop_light(pooled, connect.eps)
    };
    if connect.degree_norm {
        Ok(normalise_symmetric(&pooled)?)
    } else {
        Ok(pooled)
    }
}

/// SᵀAS without its diagonal.
fn sum(adjacency: &Csr, assigned: &Assigned) -> Result<Csr, CoarsenError> {
    let of_node = assigned.clusters();
    let moved = adjacency
        .iter()
        .map(|(u, v, weight)| (of_node[u as usize], of_node[v as usize], weight));
    let pooled = if adjacency.is_symmetric() {
        // Only one half is read and mirrored, so that both are summed in the
        // same order.
        let half = moved.filter(|(c, d, _)| c < d);
        let both = half.flat_map(|(c, d, weight)| [(c, d, weight), (d, c, weight)]);
        Csr::from_weighted_edges(assigned.supernodes(), both)?.assume_symmetric(true)
    } else {
        let apart = moved.filter(|(c, d, _)| c != d);
        Csr::from_weighted_edges(assigned.supernodes(), apart)?
    };
    Ok(pooled)
}

fn drop_light(pooled: Csr, eps: f32) -> Csr {
    let light = |weight: &f32| weight.abs() <= eps;
    if !pooled.weights().is_some_and(|w| w.iter().any(light)) {
        return pooled;
    }
    let kept = pooled.iter().filter(|entry| !light(&entry.2));
    Csr::from_weighted_edges(pooled.rows(), kept).expect("entries of a matrix")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(nodes: usize, edges: &[(u32, u32, f32)]) -> Csr {
        let both = edges.iter().flat_map(|&(u, v, w)| [(u, v, w), (v, u, w)]);
        Csr::from_weighted_edges(nodes, both).unwrap()
    }

    #[test]
    fn loops_go_weights_stay_and_cancelled_edges_are_dropped() {
        let graph = both(
            4,
            &[
                (0, 1, 9.0),
                (0, 2, 0.1),
                (1, 2, 0.2),
                (1, 3, 1.0),
                (0, 3, -1.0),
            ],
        );
        let assigned = Assigned::new(vec![0, 0, 1, 2], 3).unwrap();
        let pooled = coarsen_graph(&graph, &assigned, &Connect::default()).unwrap();
        assert_eq!(pooled, both(3, &[(0, 1, 0.3)]));
        assert!(pooled.is_symmetric());
    }

    #[test]
    fn directed_edges_keep_their_direction() {
        let graph = Csr::from_edges(3, [(0, 1), (2, 1)]).unwrap();
        let assigned = Assigned::new(vec![0, 1, 0], 2).unwrap();
        let pooled = coarsen_graph(&graph, &assigned, &Connect::default()).unwrap();
        assert_eq!(pooled, Csr::from_weighted_edges(2, [(0, 1, 2.0)]).unwrap());
    }

    #[test]
    fn stored_weights_only() {
        let connect = Connect {
            weight: EdgeWeight::Stored,
            ..Connect::default()
        };
        let graph = both(3, &[(0, 1, 2.0), (0, 2, 3.0)]);
        let assigned = Assigned::new(vec![0, 1, 1], 2).unwrap();
        let pooled = coarsen_graph(&graph, &assigned, &connect).unwrap();
        assert_eq!(pooled.weights(), Some(&[5.0, 5.0][..]));
        let pooled = coarsen_graph(&graph.without_weights(), &assigned, &connect).unwrap();
        assert_eq!((pooled.weights(), pooled.entries()), (None, 2));
    }

    #[test]
    fn refusals_say_what_is_wrong() {
        let graph = both(2, &[(0, 1, 1.0)]);
        let refuse = |assigned: &Assigned, eps| {
            let connect = Connect {
                eps,
                ..Connect::default()
            };
            let error = coarsen_graph(&graph, assigned, &connect).unwrap_err();
            error.to_string()
        };
        assert_eq!(
            refuse(&Assigned::identity(3), 0.0),
            "3 assigned nodes for 2 nodes: there must be one for each"
        );
        assert!(refuse(&Assigned::identity(2), f32::NAN).contains("eps = NaN"));
    }
}
