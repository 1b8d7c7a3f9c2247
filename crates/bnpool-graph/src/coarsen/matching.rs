//! Edges to contract: a maximal matching by score.

use bnpool_math::Real;

use super::assigned::Assigned;
use super::error::{CoarsenError, check_count, check_square};
use crate::csr::Csr;

/// The edges that edge contraction contracts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contraction {
    /// Supernode of every node: both ends of a contracted edge in one, all other
    /// nodes alone.
    pub assigned: Assigned,
    /// For every supernode the position of its edge among the entries of the
    /// adjacency, or `None` for a node that is alone.
    pub edges: Vec<Option<u32>>,
}

/// Finds matchings again and again and keeps its arrays in between: edge
/// contraction needs one in every forward pass.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::Matcher;
///
/// // A path of four nodes. The middle edge is best, so its ends are left over.
/// let path = Csr::from_edges(4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)])?;
/// let found = Matcher::default().contract(&path, &[0.1, 0.2, 0.9, 0.3, 0.5, 0.6_f32])?;
/// assert_eq!(found.assigned.clusters(), [0, 1, 1, 2]);
/// assert_eq!(found.edges, [None, Some(2), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    /// Entries by falling score: a number that rises as the score falls, the
    /// entry, and its row.
    ranking: Vec<(u64, u32, u32)>,
    /// Entry that contracts a node, by node.
    edge_of: Vec<u32>,
}

/// A node that no edge contracts.
const ALONE: u32 = u32::MAX;

impl Matcher {
    /// The maximal matching that takes edges by falling score.
    ///
    /// An edge is contracted when neither end has been contracted by a better
    /// one. Equal scores come in the order of the entries. Self-loops are never
    /// contracted, and weights have no influence. The supernode of an edge
    /// stands at the place of its source: supernodes are numbered in the order of
    /// their sources, or of their only nodes.
    ///
    /// Graphs side by side in one adjacency do not influence each other, so that
    /// a batch gives what its graphs give one by one.
    ///
    /// # Errors
    ///
    /// When the matrix is not square, there is not one score for every entry, a
    /// score is not finite, or there are more than 2³² − 2 entries.
    ///
    /// # Complexity
    ///
    /// O(N + E log E) time. Only the result is allocated once the arrays have
    /// grown.
    pub fn contract<T: Real>(
        &mut self,
        adjacency: &Csr,
        scores: &[T],
    ) -> Result<Contraction, CoarsenError> {
        check_square(adjacency)?;
        check_count("scores", scores.len(), adjacency.entries(), "edges")?;
        crate::GraphError::check_limit("edges", adjacency.entries() + 1)?;
        self.rank(adjacency, scores)?;
        self.edge_of.clear();
        self.edge_of.resize(adjacency.rows(), ALONE);
        for &(_, entry, source) in &self.ranking {
            let (u, v) = (
                source as usize,
                adjacency.columns()[entry as usize] as usize,
            );
            if self.edge_of[u] == ALONE && self.edge_of[v] == ALONE {
                self.edge_of[u] = entry;
                self.edge_of[v] = entry;
            }
        }
        Ok(self.supernodes(adjacency))
    }

    fn rank<T: Real>(&mut self, adjacency: &Csr, scores: &[T]) -> Result<(), CoarsenError> {
        self.ranking.clear();
        self.ranking.reserve(scores.len());
        for u in 0..adjacency.rows() {
            for entry in adjacency.row_range(u) {
                let score = scores[entry].f64();
                if !score.is_finite() {
                    return Err(CoarsenError::NonFinite {
                        what: "score",
                        position: entry,
                        value: score,
                    });
                }
                if adjacency.columns()[entry] as usize != u {
                    self.ranking.push((falling(score), entry as u32, u as u32));
                }
            }
        }
        self.ranking.sort_unstable();
        Ok(())
    }

    fn supernodes(&self, adjacency: &Csr) -> Contraction {
        let mut clusters = vec![0; adjacency.rows()];
        let mut edges = Vec::with_capacity(adjacency.rows());
        for (u, &entry) in self.edge_of.iter().enumerate() {
            let number = edges.len() as u32;
            if entry == ALONE {
                clusters[u] = number;
                edges.push(None);
            } else if adjacency.row_range(u).contains(&(entry as usize)) {
                clusters[u] = number;
                clusters[adjacency.columns()[entry as usize] as usize] = number;
                edges.push(Some(entry));
            }
        }
        Contraction {
            assigned: Assigned::trusted(clusters, edges.len()),
            edges,
        }
    }
}

/// A number that rises as a finite `x` falls; both zeros give the same.
pub(super) fn falling(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    // Positive floats are ordered as their bits, negative ones against them.
    if bits >> 63 == 0 {
        !bits ^ (1 << 63)
    } else {
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn falling_numbers() {
        let values = [f64::MAX, 1.5, 1e-300, 0.0, -1e-300, -1.0, f64::MIN];
        assert!(values.map(falling).is_sorted_by(|a, b| a < b));
        assert_eq!(falling(0.0), falling(-0.0));
    }

    #[test]
    fn odd_graphs() {
        let mut matcher = Matcher::default();
        let empty = Csr::from_edges(0, []).unwrap();
        let found = matcher.contract::<f32>(&empty, &[]).unwrap();
        assert_eq!(found.assigned.supernodes(), 0);
        // A loop is no edge to contract, and a node without edges stays alone.
        let looped = Csr::from_edges(2, [(0, 0)]).unwrap();
        let found = matcher.contract(&looped, &[1.0_f64]).unwrap();
        assert_eq!(
            (found.assigned.clusters(), found.edges),
            (&[0, 1][..], vec![None, None])
        );
        let edge = Csr::from_edges(2, [(0, 1)]).unwrap();
        assert!(matcher.contract(&edge, &[f32::NAN]).is_err());
        assert!(matcher.contract::<f32>(&edge, &[]).is_err());
    }
}
