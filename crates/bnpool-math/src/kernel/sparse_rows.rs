//! A borrowed sparse matrix in compressed rows, the input of all graph kernels.

/// A sparse matrix in compressed-row form, borrowed from its owner.
///
/// Row `u` holds the entries `offsets[u]..offsets[u + 1]` of `columns` (and of
/// `weights`, if present; otherwise every entry is 1). The owner guarantees the
/// invariants: `offsets` starts at 0, never decreases and ends at
/// `columns.len()`; every column is below `columns_count`.
#[derive(Debug, Clone, Copy)]
pub struct SparseRows<'a> {
    /// Start of each row, and the end of the last: `rows + 1` values.
    pub offsets: &'a [usize],
    /// Column of every entry, row after row.
    pub columns: &'a [u32],
    /// Value of every entry; `None` means all ones.
    pub weights: Option<&'a [f32]>,
    /// Number of columns of the matrix.
    pub columns_count: usize,
}

impl<'a> SparseRows<'a> {
    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Number of stored entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.columns.len()
    }

    /// Columns of row `u`.
    #[inline]
    #[must_use]
    pub fn row(&self, u: usize) -> &'a [u32] {
        &self.columns[self.offsets[u]..self.offsets[u + 1]]
    }

    /// Columns and values of row `u`.
    #[inline]
    pub fn row_entries(&self, u: usize) -> impl Iterator<Item = (usize, f32)> + use<'a> {
        let range = self.offsets[u]..self.offsets[u + 1];
        let weights = self.weights.map(|w| &w[range.clone()]);
        self.columns[range]
            .iter()
            .enumerate()
            .map(move |(i, &v)| (v as usize, weights.map_or(1.0, |w| w[i])))
    }
}
