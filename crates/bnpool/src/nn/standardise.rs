//! Standardisation of columns.

use super::Initialiser;
use crate::batch::ColumnScale;
use bnpool_graph::Csr;
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::{Tensor, TensorData};

/// Configuration of a [`Standardise`].
#[derive(Config, Debug)]
pub struct StandardiseConfig {
    /// Number of columns.
    pub columns: usize,
}

/// (x − μ) / σ with the mean and standard deviation of each column of the
/// training data, and its inverse. Required for features on very different
/// scales, since a network hardly uses a column next to others that are a
/// hundred times larger, and for targets that are far from zero or far apart.
#[derive(Module, Debug)]
pub struct Standardise {
    /// μ, 0 for constant columns; not trained.
    pub mean: Param<Tensor<1>>,
    /// σ, 1 for constant columns; not trained.
    pub deviation: Param<Tensor<1>>,
}

impl StandardiseConfig {
    /// The identity, until [`Standardise::fit`] or loaded values replace it.
    #[must_use]
    pub fn init(&self, init: &mut Initialiser) -> Standardise {
        let mut filled = |x: f32| {
            init.values(vec![x; self.columns], [self.columns])
                .set_require_grad(false)
        };
        Standardise {
            mean: filled(0.0),
            deviation: filled(1.0),
        }
    }
}

impl Standardise {
    /// Sets the statistics from data.
    #[must_use]
    pub fn fit(self, moments: &ColumnMoments) -> Self {
        let columns = self.mean.val().dims()[0];
        let (mut mean, mut deviation) = (vec![0.0; columns], vec![1.0; columns]);
        for j in 0..columns.min(moments.columns.len()) {
            let column = moments.of(j);
            // Constant columns are kept: graphs without features have one, and
            // its sum over neighbours is the degree.
            if column.squares > 0.0 {
                mean[j] = column.mean;
                deviation[j] = (column.squares / column.count).sqrt();
            }
        }
        Self {
            mean: with_values(self.mean, mean),
            deviation: with_values(self.deviation, deviation),
        }
    }

    /// Standardises each column.
    ///
    /// # Shapes
    ///
    /// - x: [rows, columns] → [rows, columns]
    #[must_use]
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        self.scale().apply(x)
    }

    /// The statistics of the columns.
    #[must_use]
    pub fn scale(&self) -> ColumnScale {
        ColumnScale {
            mean: self.mean.val(),
            deviation: self.deviation.val(),
        }
    }

    /// Inverse transform: restores the mean and deviation of each column.
    ///
    /// # Shapes
    ///
    /// - y: [rows, columns] → [rows, columns]
    #[must_use]
    pub fn restore(&self, y: Tensor<2>) -> Tensor<2> {
        y * self.deviation.val().unsqueeze() + self.mean.val().unsqueeze()
    }
}

/// Count, mean and squared deviations of each column, updated row by row.
/// Welford's sums in `f64` are exact for constant columns, unlike those of
/// [`ColumnStatistics`](crate::ops::ColumnStatistics).
#[derive(Debug, Clone)]
pub struct ColumnMoments {
    columns: Vec<Moments>,
    /// Number of rows of sparse matrices.
    sparse_rows: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    /// Number of values; for sparse rows only the stored ones.
    count: f64,
    /// Number of values stored in sparse rows.
    written: f64,
    mean: f64,
    squares: f64,
}

impl ColumnMoments {
    /// Moments of zero rows.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self {
            columns: vec![Moments::default(); columns],
            sparse_rows: 0.0,
        }
    }

    /// Adds rows, one after the other; NaN is ignored.
    ///
    /// # Complexity
    ///
    /// O(values) time in one pass, no allocation.
    pub fn add(&mut self, rows: &[f32]) {
        for row in rows.chunks_exact(self.columns.len().max(1)) {
            for (column, &x) in self.columns.iter_mut().zip(row) {
                column.add(x);
            }
        }
    }

    /// Adds the rows of a sparse matrix, including zeros.
    ///
    /// # Complexity
    ///
    /// O(entries) time, no allocation.
    pub fn add_sparse(&mut self, rows: &Csr) {
        self.sparse_rows += rows.rows() as f64;
        for (_, column, x) in rows.iter() {
            if let Some(column) = self.columns.get_mut(column as usize) {
                column.written += 1.0;
                column.add(x);
            }
        }
    }

    /// Moments of a column, including the zeros that sparse rows do not store.
    fn of(&self, column: usize) -> Moments {
        let written = self.columns[column];
        let zeros = self.sparse_rows - written.written;
        if zeros == 0.0 {
            return written;
        }
        let count = written.count + zeros;
        let share = written.count / count;
        Moments {
            count,
            mean: written.mean * share,
            squares: written.squares + written.mean * written.mean * share * zeros,
            ..written
        }
    }
}

impl Moments {
    /// Adds a value, unless it is NaN.
    fn add(&mut self, x: f32) {
        if x.is_nan() {
            return;
        }
        self.count += 1.0;
        let before = f64::from(x) - self.mean;
        self.mean += before / self.count;
        self.squares += before * (f64::from(x) - self.mean);
    }
}

fn with_values(param: Param<Tensor<1>>, values: Vec<f64>) -> Param<Tensor<1>> {
    param.map(|old| {
        let place = (&old.device(), old.dtype());
        Tensor::from_data(TensorData::new(values, old.dims()), place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use burn::tensor::Device;

    #[test]
    fn columns_come_out_with_mean_zero_and_deviation_one_unless_constant() {
        let rows = [[300.0_f32, 1.0, 7.0], [-100.0, 3.0, 7.0], [100.0, 2.0, 7.0]];
        let layer = StandardiseConfig::new(3).init(&mut Initialiser::new(0, &Device::flex()));
        let x = || Tensor::<2>::from_data(rows, &Device::flex());
        let read = |y: Tensor<2>| y.into_data().iter::<f64>().collect::<Vec<_>>();
        assert_eq!(read(layer.forward(x())), read(x()), "the identity at first");
        let mut moments = ColumnMoments::new(3);
        for part in [&rows[..1], &rows[1..]] {
            moments.add(part.as_flattened());
        }
        let layer = layer.fit(&moments);
        let y = read(layer.forward(x()));
        let one = 1.5_f64.sqrt();
        let want = [one, -one, 7.0, -one, one, 7.0, 0.0, 0.0, 7.0];
        for (y, want) in y.iter().zip(want) {
            assert!((y - want).abs() < 1e-6, "{y} is not {want}");
        }
        let back = read(layer.restore(layer.forward(x())));
        for (back, x) in back.iter().zip(read(x())) {
            assert!((back - x).abs() < 1e-4, "{back} is not {x}");
        }
    }

    #[test]
    fn sparse_rows_have_the_moments_of_dense_ones() {
        let rows = [[0.0_f32, 1.0, 0.0, -2.0], [3.0, 1.0, 0.0, 0.0]];
        let entries = [(0, 1, 1.0), (0, 3, -2.0), (1, 0, 3.0), (1, 1, 1.0)];
        let sparse = Csr::from_entries(2, 4, entries).expect("features");
        let (mut by_dense, mut by_sparse) = (ColumnMoments::new(4), ColumnMoments::new(4));
        for moments in [&mut by_dense, &mut by_sparse] {
            moments.add(&[5.0, 1.0, 0.0, 1.0]);
        }
        by_dense.add(rows.as_flattened());
        by_sparse.add_sparse(&sparse);
        for j in 0..4 {
            let (a, b) = (by_dense.of(j), by_sparse.of(j));
            assert_eq!(a.count, b.count);
            assert!((a.mean - b.mean).abs() < 1e-12, "column {j}");
            assert!((a.squares - b.squares).abs() < 1e-12, "column {j}");
        }
        assert_eq!(by_sparse.of(1).squares, 0.0, "a constant is one exactly");
    }

    #[test]
    fn what_is_missing_does_not_count() {
        let layer = StandardiseConfig::new(1).init(&mut Initialiser::new(0, &Device::flex()));
        let mut moments = ColumnMoments::new(1);
        moments.add(&[2.0, f32::NAN, 6.0]);
        let layer = layer.fit(&moments);
        assert_eq!(layer.mean.val().into_scalar::<f64>(), 4.0);
        assert_eq!(layer.deviation.val().into_scalar::<f64>(), 2.0);
    }
}
