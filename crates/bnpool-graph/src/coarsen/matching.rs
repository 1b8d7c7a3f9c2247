//! Edge contraction: a maximal matching by score.

use bnpool_math::Real;

use super::assigned::Assigned;
use super::error::CoarsenError;
use crate::csr::Csr;
use crate::error::GraphError;

/// The result of edge contraction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contraction {
    /// Supernode of each node: both ends of a contracted edge share one, all
    /// other nodes are alone.
    pub assigned: Assigned,
    /// Position of the contracted edge of each supernode among the entries of
    /// the adjacency; `None` for a single node.
    pub edges: Vec<Option<u32>>,
}

/// Computes matchings and keeps its buffers between calls: edge contraction
/// needs one matching per forward pass.
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
    /// Entries by descending score: a key that increases as the score
    /// decreases, the entry, and its row.
    ranking: Vec<(u64, u32, u32)>,
    /// Entry that contracts each node.
    edge_of: Vec<u32>,
}

/// Marks a node that is not contracted.
const ALONE: u32 = u32::MAX;

impl Matcher {
    /// Computes a maximal matching, greedily by descending score.
    ///
    /// An edge is contracted if neither end has been contracted by a better edge.
    /// Ties are broken by the order of the entries. Self-loops are never
    /// contracted, and weights are ignored. Supernodes are numbered by the source
    /// of their edge, or by their single node.
    ///
    /// Graphs in one block-diagonal adjacency do not influence each other, so a
    /// batch gives the same result as its graphs one by one.
    ///
    /// # Errors
    ///
    /// Returns an error if the matrix is not square, the number of scores is
    /// not the number of entries, a score is not finite, or there are more than
    /// 2³² − 2 entries.
    ///
    /// # Complexity
    ///
    /// O(N + E log E) time. Once the buffers have grown, only the result is
    /// allocated.
    pub fn contract<T: Real>(
        &mut self,
        adjacency: &Csr,
        scores: &[T],
    ) -> Result<Contraction, CoarsenError> {
        GraphError::check_square(adjacency)?;
        GraphError::check_count("scores", scores.len(), adjacency.entries(), "edges")?;
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

/// A key that increases as a finite `x` decreases; equal for both zeros.
pub(super) fn falling(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    // Positive floats are ordered like their bits, negative ones in reverse.
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
        // Self-loops are not contracted, and a node without edges stays alone.
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
