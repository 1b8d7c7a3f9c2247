//! Sparse matrices in compressed rows.

mod build;
mod check;
mod serial;
mod transpose;

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bnpool_math::kernel::SparseRows;

/// A sparse matrix in compressed-row form: the adjacency of a graph (one row
/// and one column per node), or sparse node features (one row per node).
///
/// Row `u` holds the entries `offsets[u]..offsets[u + 1]`. Columns increase
/// strictly within a row, so no position is stored twice. Without weights,
/// every entry is 1. A stored weight may be zero; the entry still counts as an
/// edge.
///
/// Two matrices are equal if they store the same arrays: an unweighted matrix
/// is not equal to one with explicit weights of 1.
///
/// ```
/// use bnpool_graph::Csr;
///
/// let path = Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)])?;
/// assert_eq!(path.row(1), [0, 2]);
/// assert!(path.is_symmetric());
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[derive(Clone)]
pub struct Csr {
    columns_count: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    weights: Option<Vec<f32>>,
    symmetric: OnceLock<bool>,
    // Shared, so that clones of the matrix neither copy nor recompute it.
    transpose: OnceLock<Arc<Csr>>,
}

impl Csr {
    /// Wraps parts that satisfy the invariants of [`Csr::new`], for readers that
    /// establish these while building the arrays. Checked only in debug builds.
    #[must_use]
    pub fn trusted(
        columns_count: usize,
        offsets: Vec<usize>,
        columns: Vec<u32>,
        weights: Option<Vec<f32>>,
    ) -> Self {
        debug_assert_eq!(
            check::raw_parts(
                offsets.len() - 1,
                columns_count,
                &offsets,
                &columns,
                weights.as_deref()
            ),
            Ok(())
        );
        Self {
            columns_count,
            offsets,
            columns,
            weights,
            symmetric: OnceLock::new(),
            transpose: OnceLock::new(),
        }
    }

    /// Records whether the matrix is symmetric, without a check, for code that built
    /// it accordingly.
    #[must_use]
    pub fn assume_symmetric(self, symmetric: bool) -> Self {
        Self {
            symmetric: OnceLock::from(symmetric),
            ..self
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Number of columns.
    #[must_use]
    pub fn columns_count(&self) -> usize {
        self.columns_count
    }

    /// Number of stored entries. For an adjacency, this is the number of
    /// directed edges, so an undirected edge counts twice.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Returns whether the matrix is square.
    #[must_use]
    pub fn is_square(&self) -> bool {
        self.rows() == self.columns_count
    }

    /// Start of each row among the entries, and the end of the last row.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Column of each entry, row by row.
    #[must_use]
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// Weight of each entry, row by row; `None` means all ones.
    #[must_use]
    pub fn weights(&self) -> Option<&[f32]> {
        self.weights.as_deref()
    }

    /// Borrows the matrix for the kernels.
    #[must_use]
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: self.weights.as_deref(),
            columns_count: self.columns_count,
        }
    }

    /// Positions of row `u` among the entries.
    ///
    /// # Panics
    ///
    /// Panics if there is no row `u`.
    #[inline]
    #[must_use]
    pub fn row_range(&self, u: usize) -> Range<usize> {
        self.offsets[u]..self.offsets[u + 1]
    }

    /// Columns of row `u`: the neighbours of node `u`, in ascending order.
    ///
    /// # Panics
    ///
    /// Panics if there is no row `u`.
    #[inline]
    #[must_use]
    pub fn row(&self, u: usize) -> &[u32] {
        &self.columns[self.row_range(u)]
    }

    /// Weights of row `u`, parallel to [`row`](Self::row); `None` means all
    /// ones.
    ///
    /// # Panics
    ///
    /// Panics if there is no row `u`.
    #[inline]
    #[must_use]
    pub fn row_weights(&self, u: usize) -> Option<&[f32]> {
        let range = self.row_range(u);
        self.weights.as_ref().map(|weights| &weights[range])
    }

    /// Number of entries of row `u`, regardless of their weights.
    ///
    /// # Panics
    ///
    /// Panics if there is no row `u`.
    #[inline]
    #[must_use]
    pub fn degree(&self, u: usize) -> usize {
        self.row_range(u).len()
    }

    /// Position of the entry at row `u` and column `v` among all entries, or
    /// `None` if nothing is stored there (or the position is outside the
    /// matrix).
    ///
    /// # Complexity
    ///
    /// Logarithmic in the entries of the row.
    #[must_use]
    pub fn find(&self, u: usize, v: usize) -> Option<usize> {
        if u >= self.rows() {
            return None;
        }
        let place = self.row(u).binary_search_by_key(&v, |&v| v as usize).ok()?;
        Some(self.offsets[u] + place)
    }

    /// Weight of the entry at a position; 1 if there are no weights.
    #[inline]
    pub(crate) fn weight(&self, entry: usize) -> f32 {
        self.weights.as_ref().map_or(1.0, |weights| weights[entry])
    }

    /// Sum of the weights of each row: the weighted degrees.
    ///
    /// # Complexity
    ///
    /// Time linear in rows and entries (only in rows without weights).
    #[must_use]
    pub fn row_sums(&self) -> Vec<f64> {
        (0..self.rows())
            .map(|u| match self.row_weights(u) {
                Some(weights) => weights.iter().map(|&w| f64::from(w)).sum(),
                None => self.degree(u) as f64,
            })
            .collect()
    }

    /// Iterates over all entries as `(row, column, weight)`, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, f32)> + '_ {
        (0..self.rows()).flat_map(move |u| {
            self.row_range(u)
                .map(move |entry| (u as u32, self.columns[entry], self.weight(entry)))
        })
    }

    /// The binary adjacency: the stored positions, with all weights 1.
    #[must_use]
    pub fn without_weights(&self) -> Self {
        Self::trusted(
            self.columns_count,
            self.offsets.clone(),
            self.columns.clone(),
            None,
        )
    }
}

impl PartialEq for Csr {
    fn eq(&self, other: &Self) -> bool {
        self.columns_count == other.columns_count
            && self.offsets == other.offsets
            && self.columns == other.columns
            && self.weights == other.weights
    }
}

impl fmt::Debug for Csr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Csr")
            .field("columns_count", &self.columns_count)
            .field("offsets", &self.offsets)
            .field("columns", &self.columns)
            .field("weights", &self.weights)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighted() -> Csr {
        Csr::from_entries(2, 3, [(0, 2, 0.5), (1, 0, 2.0), (0, 0, 1.5)]).unwrap()
    }

    #[test]
    fn rows_and_sums() {
        let matrix = weighted();
        assert_eq!((matrix.rows(), matrix.columns_count()), (2, 3));
        assert_eq!((matrix.entries(), matrix.is_square()), (3, false));
        assert_eq!(matrix.row(0), [0, 2]);
        assert_eq!(matrix.row_weights(0), Some(&[1.5, 0.5][..]));
        assert_eq!((matrix.degree(0), matrix.degree(1)), (2, 1));
        assert_eq!(matrix.row_sums(), [2.0, 2.0]);
        assert_eq!(matrix.without_weights().row_sums(), [2.0, 1.0]);
    }

    #[test]
    fn finds_only_what_is_stored() {
        let matrix = weighted();
        assert_eq!(matrix.find(0, 2), Some(1));
        assert_eq!(matrix.find(1, 0), Some(2));
        assert_eq!(matrix.find(0, 1), None);
        assert_eq!(matrix.find(9, 0), None);
        assert_eq!(matrix.find(0, 9), None);
    }

    #[test]
    fn iterates_in_row_order() {
        let entries: Vec<_> = weighted().iter().collect();
        assert_eq!(entries, [(0, 0, 1.5), (0, 2, 0.5), (1, 0, 2.0)]);
    }

    #[test]
    fn equality_ignores_caches_but_not_weights() {
        let (used, fresh) = (weighted(), weighted());
        assert_eq!(used.transpose().rows(), 3);
        assert_eq!(used, fresh);
        assert_eq!(used.clone(), fresh);
        assert_ne!(used, used.without_weights());
    }

    #[test]
    fn view_reads_the_same() {
        let matrix = weighted();
        let view = matrix.view();
        assert_eq!((view.rows(), view.entries()), (2, 3));
        assert_eq!(view.row(0), matrix.row(0));
        assert_eq!(view.columns_count, 3);
    }
}
