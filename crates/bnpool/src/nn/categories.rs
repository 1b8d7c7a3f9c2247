//! Embeddings of categorical columns: the atom and bond encoders of the Open
//! Graph Benchmark.

use super::Initialiser;
use crate::ops::spmm;
use bnpool_graph::{Csr, GraphError, Matrix};
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::Tensor;
use std::sync::Arc;

/// Number of categories of the nine atom columns: atomic number, chirality,
/// degree, charge, hydrogens, radical electrons, hybridisation, aromatic, in a
/// ring.
pub const ATOM_CATEGORIES: [usize; 9] = [119, 5, 12, 12, 10, 6, 6, 2, 2];

/// Number of categories of the three bond columns: type, stereo, conjugated.
pub const BOND_CATEGORIES: [usize; 3] = [5, 6, 2];

/// Configuration of a [`CategoryEncoder`].
#[derive(Config, Debug)]
pub struct CategoryEncoderConfig {
    /// Number of categories of each column.
    pub categories: Vec<usize>,
    /// Width of the vectors.
    pub outputs: usize,
}

/// One vector per category of each column; the embedding of a row is the sum of
/// its vectors.
#[derive(Module, Debug)]
pub struct CategoryEncoder {
    /// The stacked vectors of all columns, [Σ categories, outputs].
    pub table: Param<Tensor<2>>,
}

impl CategoryEncoderConfig {
    /// Glorot initialisation, column by column.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> CategoryEncoder {
        let mut values: Vec<f32> = Vec::new();
        for &rows in &self.categories {
            let table = init.glorot(rows, self.outputs).val();
            values.extend(table.into_data().iter::<f32>());
        }
        let rows = self.categories.iter().sum();
        CategoryEncoder {
            table: init.values(values, [rows, self.outputs]),
        }
    }
}

/// Converts rows of categories to a sparse one-hot matrix, the input of an
/// encoder. Rows listed in `blank` stay empty, so their embedding is zero.
///
/// # Errors
///
/// Returns an error if the number of columns differs, or a value is not a
/// category of its column; the error names the position.
pub fn one_hot(
    rows: &Matrix,
    categories: &[usize],
    blank: impl Fn(usize) -> bool,
) -> Result<Csr, CategoryError> {
    if rows.columns() != categories.len() {
        return Err(CategoryError::Columns {
            found: rows.columns(),
            expected: categories.len(),
        });
    }
    let mut columns = Vec::with_capacity(rows.rows() * categories.len());
    let mut offsets = vec![0];
    for row in 0..rows.rows() {
        if blank(row) {
            offsets.push(columns.len());
            continue;
        }
        let mut start = 0;
        for (column, (&value, &count)) in rows.row(row).iter().zip(categories).enumerate() {
            let category = value as usize;
            if value < 0.0 || category >= count || category as f32 != value {
                return Err(CategoryError::Value {
                    row,
                    column,
                    value,
                    count,
                });
            }
            columns.push((start + category) as u32);
            start += count;
        }
        offsets.push(columns.len());
    }
    let width = categories.iter().sum();
    Ok(Csr::new(rows.rows(), width, offsets, columns, None)?)
}

/// Error of categorical columns.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CategoryError {
    /// The number of columns differs.
    #[error("{found} columns, but the encoder knows {expected}")]
    Columns {
        /// Number of columns found.
        found: usize,
        /// Number of columns of the encoder.
        expected: usize,
    },
    /// A value that is not a category.
    #[error(
        "row {row}, column {column}: {value} is not one of the {count} categories 0, 1, 2, …; molecules must be described as the Open Graph Benchmark does"
    )]
    Value {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The value.
        value: f32,
        /// Number of categories of the column.
        count: usize,
    },
    /// Too many rows.
    #[error(transparent)]
    Size(#[from] GraphError),
}

impl CategoryEncoder {
    /// Embeds rows of categories (see [`one_hot`]).
    ///
    /// # Shapes
    ///
    /// - rows: [rows, Σ categories] → [rows, outputs]
    #[must_use]
    pub fn forward(&self, rows: &Arc<Csr>) -> Tensor<2> {
        spmm(rows, self.table.val())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn rows_are_sums_of_their_categories() {
        let device = Device::flex();
        let encoder =
            CategoryEncoderConfig::new(vec![3, 2], 4).init(&mut Initialiser::new(1, &device));
        let rows = Matrix::from_rows([[2.0, 1.0], [0.0, 0.0]]).expect("a matrix");
        let hot = Arc::new(one_hot(&rows, &[3, 2], |_| false).expect("categories"));
        let read = |t: Tensor<2>| t.into_data().iter::<f32>().collect::<Vec<_>>();
        let (out, table) = (read(encoder.forward(&hot)), read(encoder.table.val()));
        for j in 0..4 {
            assert_eq!(out[j], table[2 * 4 + j] + table[4 * 4 + j]);
            assert_eq!(out[4 + j], table[j] + table[3 * 4 + j]);
        }
        let wrong = Matrix::from_rows([[3.0, 0.0]]).expect("a matrix");
        let error = one_hot(&wrong, &[3, 2], |_| false);
        assert!(
            error
                .expect_err("no category")
                .to_string()
                .contains("row 0, column 0")
        );
        assert!(one_hot(&rows, &[3], |_| false).is_err());
        let blank = one_hot(&rows, &[3, 2], |row| row == 0).expect("categories");
        assert_eq!((blank.degree(0), blank.degree(1)), (0, 2));
    }
}
