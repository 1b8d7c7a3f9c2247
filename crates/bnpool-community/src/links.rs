//! The undirected graph that every search of this crate reads.

use crate::CommunityError;
use bnpool_graph::Csr;
use bnpool_math::kernel::SparseRows;

/// An undirected graph without loops: a checked copy of an adjacency.
///
/// Loops say nothing about groups and are left out, and so are entries of
/// weight zero. Weights that are all the same say nothing either: such a graph
/// counts as unweighted.
///
/// ```
/// use bnpool_community::Links;
/// use bnpool_graph::Csr;
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)])?;
/// let links = Links::new(&path)?;
/// assert_eq!((links.nodes(), links.edges()), (3, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Links {
    offsets: Vec<usize>,
    targets: Vec<u32>,
    weights: Option<Vec<f32>>,
}

impl Links {
    /// Checks and copies an adjacency.
    ///
    /// # Errors
    ///
    /// When the matrix is not square or not symmetric, a weight is negative or
    /// not finite, or no edge is left.
    ///
    /// # Complexity
    ///
    /// O(N + E) time and memory.
    pub fn new(adjacency: &Csr) -> Result<Self, CommunityError> {
        if !adjacency.is_square() {
            return Err(CommunityError::NotSquare {
                rows: adjacency.rows(),
                columns: adjacency.columns_count(),
            });
        }
        if adjacency.weights().is_some()
            && let Some((row, column, weight)) = adjacency
                .iter()
                .find(|(_, _, w)| !w.is_finite() || *w < 0.0)
        {
            return Err(CommunityError::Weight {
                row: row as usize,
                column: column as usize,
                weight,
            });
        }
        if !adjacency.is_symmetric() {
            return Err(CommunityError::Directed);
        }
        let mut offsets = Vec::with_capacity(adjacency.rows() + 1);
        let mut targets = Vec::with_capacity(adjacency.entries());
        let mut weights = Vec::new();
        offsets.push(0);
        for u in 0..adjacency.rows() {
            let row = adjacency.row(u);
            match adjacency.row_weights(u) {
                None => targets.extend(row.iter().filter(|&&v| v as usize != u)),
                Some(given) => {
                    for (&v, &w) in row.iter().zip(given) {
                        if v as usize != u && w > 0.0 {
                            targets.push(v);
                            weights.push(w);
                        }
                    }
                }
            }
            offsets.push(targets.len());
        }
        if targets.is_empty() {
            return Err(CommunityError::NoEdges);
        }
        let weighted = weights.iter().any(|&w| w != weights[0]);
        Ok(Self {
            offsets,
            targets,
            weights: weighted.then_some(weights),
        })
    }

    /// A graph from parts that obey the rules already.
    pub(crate) fn trusted(
        offsets: Vec<usize>,
        targets: Vec<u32>,
        weights: Option<Vec<f32>>,
    ) -> Self {
        Self {
            offsets,
            targets,
            weights,
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of undirected edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.targets.len() / 2
    }

    /// Number of neighbours of a node.
    #[inline]
    #[must_use]
    pub fn degree(&self, u: usize) -> usize {
        self.offsets[u + 1] - self.offsets[u]
    }

    /// Neighbours of a node, in rising order.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, u: usize) -> &[u32] {
        &self.targets[self.offsets[u]..self.offsets[u + 1]]
    }

    /// Weight of every entry beside [`neighbours`](Self::neighbours), row after
    /// row; `None` means that there is nothing to tell apart.
    #[must_use]
    pub fn weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }

    /// Start of the entries of every node, and the end of the last.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The graph as the kernels read it.
    #[must_use]
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.targets,
            weights: self.weights.as_deref(),
            columns_count: self.nodes(),
        }
    }

    /// The same edges without weights.
    #[must_use]
    pub fn unweighted(&self) -> Self {
        Self {
            weights: None,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted(weight: f32) -> Result<Links, CommunityError> {
        let edges = [(0, 1, 1.0), (1, 0, 1.0), (1, 2, weight), (2, 1, weight)];
        Links::new(&Csr::from_weighted_edges(3, edges).unwrap())
    }

    #[test]
    fn bad_graphs_are_named() {
        assert!(weighted(-1.0).unwrap_err().to_string().contains("-1"));
        let directed = Csr::from_edges(2, [(0, 1)]).unwrap();
        assert_eq!(Links::new(&directed).unwrap_err(), CommunityError::Directed);
        let loops = Csr::from_edges(2, [(0, 0)]).unwrap();
        assert_eq!(Links::new(&loops).unwrap_err(), CommunityError::NoEdges);
    }

    #[test]
    fn weights_count_only_when_they_differ() {
        assert!(weighted(1.0).unwrap().weights().is_none());
        assert_eq!(weighted(2.0).unwrap().weights().unwrap().len(), 4);
        assert_eq!(weighted(0.0).unwrap().edges(), 1);
    }
}
