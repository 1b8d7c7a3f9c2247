//! Columns of mean 0 and deviation 1.

use super::Initialiser;
use bnpool_graph::Matrix;
use burn::config::Config;
use burn::module::{Module, Param};
use burn::tensor::{Tensor, TensorData};
use std::borrow::Cow;

/// Configuration of a [`Standardise`].
#[derive(Config, Debug)]
pub struct StandardiseConfig {
    /// Number of columns.
    pub columns: usize,
}

/// (x − μ) / σ with the mean and deviation that every column has in the
/// training data. Features of very different size need it: a network sees next
/// to nothing of a column beside others that are a hundred times larger.
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
    /// Takes the statistics of the rows of some matrices, which all have these
    /// columns.
    ///
    /// # Complexity
    ///
    /// O(values) time in one pass, O(columns) memory. Welford's sums in `f64` are
    /// exact for constant columns, which those of
    /// [`ColumnStatistics`](crate::ops::ColumnStatistics) are not.
    #[must_use]
    pub fn fit<'a>(self, matrices: impl Iterator<Item = Cow<'a, Matrix>>) -> Self {
        let columns = self.mean.val().dims()[0];
        let (mut mean, mut squares) = (vec![0.0_f64; columns], vec![0.0_f64; columns]);
        let mut count = 0.0;
        for matrix in matrices {
            for row in matrix.as_slice().chunks_exact(columns.max(1)) {
                count += 1.0;
                for ((mean, squares), &x) in mean.iter_mut().zip(&mut squares).zip(row) {
                    let before = f64::from(x) - *mean;
                    *mean += before / count;
                    *squares += before * (f64::from(x) - *mean);
                }
            }
        }
        let mut deviation = vec![1.0; columns];
        for j in 0..columns {
            match (squares[j] / f64::max(count, 1.0)).sqrt() {
                // A constant stays: it is what graphs without features have, and
                // summed over neighbours it counts them.
                0.0 => mean[j] = 0.0,
                found => deviation[j] = found,
            }
        }
        Self {
            mean: with_values(self.mean, mean),
            deviation: with_values(self.deviation, deviation),
        }
    }

    /// Standardises every column.
    ///
    /// # Shapes
    ///
    /// - x: [rows, columns] → [rows, columns]
    #[must_use]
    pub fn forward(&self, x: Tensor<2>) -> Tensor<2> {
        (x - self.mean.val().unsqueeze()) / self.deviation.val().unsqueeze()
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
        let parts = [&rows[..1], &rows[1..]].map(|part| {
            let values = part.as_flattened().to_vec();
            Cow::Owned(Matrix::new(part.len(), 3, values).expect("a matrix"))
        });
        let y = read(layer.fit(parts.into_iter()).forward(x()));
        let one = 1.5_f64.sqrt();
        let want = [one, -one, 7.0, -one, one, 7.0, 0.0, 0.0, 7.0];
        for (y, want) in y.iter().zip(want) {
            assert!((y - want).abs() < 1e-6, "{y} is not {want}");
        }
    }
}
