//! Node features.

use std::borrow::Cow;

use bnpool_math::memory;

use crate::csr::Csr;
use crate::error::GraphError;
use crate::matrix::Matrix;

/// Largest matrix that is allocated without checking the free memory.
const SMALL_BYTES: u64 = 16 << 20;

/// Node features with one row per node: dense, or sparse if most are zero (bags
/// of words, one-hot labels).
///
/// A graph without features has features of width 0, so callers need no third
/// case.
#[derive(Debug, Clone, PartialEq)]
pub enum Features {
    /// All values.
    Dense(Matrix),
    /// The nonzero values; a matrix without weights contains ones.
    Sparse(Csr),
}

impl Features {
    /// Features of width 0 for `nodes` nodes.
    #[must_use]
    pub fn absent(nodes: usize) -> Self {
        Self::Dense(Matrix::zeros(nodes, 0))
    }

    /// Number of nodes.
    #[must_use]
    pub fn rows(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.rows(),
            Self::Sparse(matrix) => matrix.rows(),
        }
    }

    /// Number of features per node.
    #[must_use]
    pub fn width(&self) -> usize {
        match self {
            Self::Dense(matrix) => matrix.columns(),
            Self::Sparse(matrix) => matrix.columns_count(),
        }
    }

    /// Returns all values; borrowed if they are already dense.
    ///
    /// # Complexity
    ///
    /// O(`rows * width`) time and memory for sparse features.
    ///
    /// # Panics
    ///
    /// Panics, like [`vec!`], if the values exceed the address space.
    ///
    /// ```
    /// use bnpool_graph::{Csr, Features};
    ///
    /// let one_hot = Features::from(Csr::from_positions(2, 3, [(0, 2), (1, 0)])?);
    /// assert_eq!(one_hot.to_dense().as_slice(), [0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    /// # Ok::<(), bnpool_graph::GraphError>(())
    /// ```
    #[must_use]
    pub fn to_dense(&self) -> Cow<'_, Matrix> {
        match self {
            Self::Dense(matrix) => Cow::Borrowed(matrix),
            Self::Sparse(_) => {
                let mut values = Vec::with_capacity(self.rows().saturating_mul(self.width()));
                self.append_dense(&mut values);
                Cow::Owned(Matrix::trusted(self.rows(), self.width(), values))
            }
        }
    }

    /// Like [`to_dense`](Self::to_dense), but checks for memory for `copies`
    /// times as many values, since a network keeps more than the features
    /// alone.
    ///
    /// # Errors
    ///
    /// Returns an error if there is not enough memory.
    pub fn try_dense(&self, copies: usize) -> Result<Cow<'_, Matrix>, GraphError> {
        let (rows, width) = (self.rows(), self.width());
        let bytes = memory::bytes_of::<f32>(&[rows, width, copies]);
        // The check takes longer than a small matrix.
        if bytes > SMALL_BYTES {
            let what = format!("a batch of {rows} nodes with {width} features each");
            memory::check(what, bytes)?;
        }
        Ok(self.to_dense())
    }

    /// Appends all values, row by row.
    pub(crate) fn append_dense(&self, values: &mut Vec<f32>) {
        match self {
            Self::Dense(matrix) => values.extend_from_slice(matrix.as_slice()),
            Self::Sparse(matrix) => {
                let (start, width) = (values.len(), self.width());
                values.resize(start + matrix.rows() * width, 0.0);
                for (u, v, weight) in matrix.iter() {
                    values[start + u as usize * width + v as usize] = weight;
                }
            }
        }
    }
}

impl From<Matrix> for Features {
    fn from(matrix: Matrix) -> Self {
        Self::Dense(matrix)
    }
}

impl From<Csr> for Features {
    fn from(matrix: Csr) -> Self {
        Self::Sparse(matrix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_have_a_shape() {
        let dense = Features::from(Matrix::zeros(2, 5));
        let sparse = Features::from(Csr::from_entries(2, 5, [(1, 4, 0.5)]).unwrap());
        for features in [&dense, &sparse] {
            assert_eq!((features.rows(), features.width()), (2, 5));
        }
        assert!(matches!(dense.to_dense(), Cow::Borrowed(_)));
        assert_eq!(sparse.to_dense().row(1), [0.0, 0.0, 0.0, 0.0, 0.5]);
    }

    #[test]
    fn wide_features_are_not_unfolded_beyond_the_memory() {
        let rows = 1000;
        let wide = Features::from(Csr::from_entries(rows, u32::MAX as usize, []).unwrap());
        let error = wide.try_dense(1 << 40).unwrap_err().to_string();
        assert!(
            error.starts_with("a batch of 1000 nodes with 4294967295 features each needs"),
            "{error}"
        );
        let narrow = Features::from(Csr::from_entries(2, 3, [(1, 2, 0.5)]).unwrap());
        assert_eq!(narrow.try_dense(4).unwrap(), narrow.to_dense());
    }

    #[test]
    fn absent_features_have_no_width() {
        let absent = Features::absent(3);
        assert_eq!((absent.rows(), absent.width()), (3, 0));
    }
}
