//! Dense matrices of finite numbers.

use crate::error::GraphError;

/// A dense row-major matrix of finite values.
///
/// ```
/// use bnpool_graph::Matrix;
///
/// let features = Matrix::from_rows([[1.0, 0.0], [0.5, 2.0]])?;
/// assert_eq!(features.row(1), [0.5, 2.0]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    values: Vec<f32>,
}

impl Matrix {
    /// Builds a matrix from its values, row by row.
    ///
    /// # Errors
    ///
    /// Returns an error if there are not exactly `rows * columns` values, or one
    /// is not finite.
    pub fn new(rows: usize, columns: usize, values: Vec<f32>) -> Result<Self, GraphError> {
        if rows.checked_mul(columns) != Some(values.len()) {
            return Err(GraphError::ShapeMismatch {
                found: values.len(),
                rows,
                columns,
            });
        }
        if let Some(place) = values.iter().position(|value| !value.is_finite()) {
            return Err(GraphError::NonFiniteValue {
                row: place / columns,
                column: place % columns,
                value: values[place],
            });
        }
        Ok(Self::trusted(rows, columns, values))
    }

    /// Builds a matrix from its rows; without rows it has no columns either.
    ///
    /// # Errors
    ///
    /// Returns an error if the rows differ in length, or a value is not finite.
    pub fn from_rows<R: AsRef<[f32]>>(
        rows: impl IntoIterator<Item = R>,
    ) -> Result<Self, GraphError> {
        let mut rows = rows.into_iter();
        let Some(first) = rows.next() else {
            return Ok(Self::zeros(0, 0));
        };
        let columns = first.as_ref().len();
        let expected = rows.size_hint().0.saturating_add(1);
        let mut values = Vec::with_capacity(expected.saturating_mul(columns));
        values.extend_from_slice(first.as_ref());
        let mut count = 1;
        for row in rows {
            let row = row.as_ref();
            if row.len() != columns {
                return Err(GraphError::RaggedRow {
                    row: count,
                    found: row.len(),
                    expected: columns,
                });
            }
            values.extend_from_slice(row);
            count += 1;
        }
        Self::new(count, columns, values)
    }

    /// A matrix of zeros.
    ///
    /// # Panics
    ///
    /// Panics, like [`vec!`], if the values exceed the address space.
    #[must_use]
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self::trusted(rows, columns, vec![0.0; rows.saturating_mul(columns)])
    }

    /// Wraps values without checks.
    pub(crate) fn trusted(rows: usize, columns: usize, values: Vec<f32>) -> Self {
        debug_assert_eq!(values.len(), rows * columns);
        debug_assert!(values.iter().all(|value| value.is_finite()));
        Self {
            rows,
            columns,
            values,
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Values of row `i`.
    ///
    /// # Panics
    ///
    /// Panics if there is no row `i`.
    #[inline]
    #[must_use]
    pub fn row(&self, i: usize) -> &[f32] {
        assert!(i < self.rows, "row {i} of {} rows", self.rows);
        &self.values[i * self.columns..(i + 1) * self.columns]
    }

    /// All values, row by row.
    #[must_use]
    pub fn as_slice(&self) -> &[f32] {
        &self.values
    }

    /// All values, row by row, without a copy.
    #[must_use]
    pub fn into_vec(self) -> Vec<f32> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_good_matrix() {
        let matrix = Matrix::new(2, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!((matrix.rows(), matrix.columns()), (2, 3));
        assert_eq!(matrix.row(1), [4.0, 5.0, 6.0]);
        assert_eq!(matrix.as_slice().len(), 6);
        assert_eq!(
            Matrix::from_rows([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]).unwrap(),
            matrix
        );
        assert_eq!(matrix.into_vec()[5], 6.0);
    }

    #[test]
    fn empty_sides_are_matrices_too() {
        assert_eq!(Matrix::new(3, 0, vec![]).unwrap().row(2), [0.0; 0]);
        assert_eq!(Matrix::new(0, 3, vec![]).unwrap().columns(), 3);
        let none: [[f32; 2]; 0] = [];
        assert_eq!(Matrix::from_rows(none).unwrap(), Matrix::zeros(0, 0));
    }

    #[test]
    fn names_wrong_shapes_and_values() {
        assert_eq!(
            Matrix::new(2, 2, vec![0.0; 3]).unwrap_err().to_string(),
            "3 values do not fill a matrix of 2 rows and 2 columns"
        );
        assert!(Matrix::new(usize::MAX, 2, vec![]).is_err());
        assert_eq!(
            Matrix::from_rows([vec![1.0, 2.0], vec![1.0]])
                .unwrap_err()
                .to_string(),
            "row 1 has 1 values, but row 0 has 2: all rows must be equally long"
        );
        assert_eq!(
            Matrix::from_rows([[0.0, 0.0], [0.0, f32::NEG_INFINITY]]).unwrap_err(),
            GraphError::NonFiniteValue {
                row: 1,
                column: 1,
                value: f32::NEG_INFINITY
            }
        );
    }
}
