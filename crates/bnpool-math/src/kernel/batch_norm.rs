//! Batch normalisation of columns, with its backward pass.
//!
//! y = f(γ x̂ + β), x̂ = (x − μ) / √(σ² + ε), where μ and σ² are the mean and
//! the biased variance of a column over the rows.

use super::activation::elu_in_place;
use super::affine::{rows_per_sum, sum_of_runs};
use super::{Activation, column_sums, elu_backward_from_output};
use crate::Real;
use crate::vector::level;
use fearless_simd::dispatch;
use rayon::prelude::*;
use std::borrow::Cow;

/// Added to every variance, as PyTorch does.
pub const NORM_EPSILON: f64 = 1e-5;

/// Mean and variance of every column of a batch.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnStatistics {
    /// μ.
    pub mean: Vec<f64>,
    /// σ², divided by the number of rows.
    pub variance: Vec<f64>,
    /// Number of rows.
    pub rows: usize,
}

impl ColumnStatistics {
    /// Of a matrix with rows of `columns` values, in two passes.
    #[must_use]
    pub fn of<T: Real>(x: &[T], columns: usize) -> Self {
        let columns = columns.max(1);
        let rows = x.len() / columns;
        let scale = 1.0 / rows.max(1) as f64;
        let mean = column_sums(x, columns)
            .into_iter()
            .map(|sum| sum.f64() * scale)
            .collect::<Vec<_>>();
        let centre: Vec<T> = mean.iter().map(|&m| T::of(m)).collect();
        // Runs of rows in the precision of the data, runs in `f64`.
        let partial: Vec<Vec<T>> = x
            .par_chunks(rows_per_sum(rows) * columns)
            .map(|run| {
                let mut partial = vec![T::ZERO; columns];
                for row in run.chunks_exact(columns) {
                    for ((sum, &x), &m) in partial.iter_mut().zip(row).zip(&centre) {
                        *sum += (x - m) * (x - m);
                    }
                }
                partial
            })
            .collect();
        let mut squares = vec![0.0; columns];
        for partial in &partial {
            for (sum, x) in squares.iter_mut().zip(partial) {
                *sum += x.f64();
            }
        }
        let variance = squares.into_iter().map(|s| s * scale).collect();
        Self {
            mean,
            variance,
            rows,
        }
    }

    /// The variance divided by one row less: what is remembered for evaluation.
    #[must_use]
    pub fn unbiased_variance(&self) -> Vec<f64> {
        let rows = self.rows as f64;
        let factor = if self.rows > 1 {
            rows / (rows - 1.0)
        } else {
            1.0
        };
        self.variance.iter().map(|v| v * factor).collect()
    }

    /// 1/√(σ² + ε) of every column.
    fn inverse_deviation<T: Real>(&self) -> Vec<T> {
        self.variance
            .iter()
            .map(|v| T::of(1.0 / (v + NORM_EPSILON).sqrt()))
            .collect()
    }
}

/// y = f(γ x̂ + β) with the statistics given: those of x itself in training.
///
/// # Panics
///
/// When there is not one γ, β, μ and σ² for every column.
#[must_use]
pub fn batch_norm<T: Real>(
    x: &[T],
    statistics: &ColumnStatistics,
    gamma: &[T],
    beta: &[T],
    activation: Activation,
) -> Vec<T> {
    let columns = gamma.len();
    assert!(
        beta.len() == columns && statistics.mean.len() == columns,
        "one scale, shift and mean for every column"
    );
    let inverse = statistics.inverse_deviation::<T>();
    // γ x̂ + β = a x + b.
    let a: Vec<T> = inverse.iter().zip(gamma).map(|(&i, &g)| i * g).collect();
    let b: Vec<T> = (0..columns)
        .map(|j| T::of(beta[j].f64() - statistics.mean[j] * a[j].f64()))
        .collect();
    let mut out = vec![T::ZERO; x.len()];
    let columns = columns.max(1);
    let run = rows_per_sum(x.len() / columns) * columns;
    out.par_chunks_mut(run)
        .zip(x.par_chunks(run))
        .for_each(|(out, x)| {
            for (out, x) in out.chunks_exact_mut(columns).zip(x.chunks_exact(columns)) {
                for (((out, &x), &a), &b) in out.iter_mut().zip(x).zip(&a).zip(&b) {
                    *out = a * x + b;
                }
            }
            if activation == Activation::Elu {
                dispatch!(level(), simd => elu_in_place(simd, out));
            }
        });
    out
}

/// The gradients by x, γ and β.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchNormGradients<T> {
    /// ∂x.
    pub x: Vec<T>,
    /// ∂γ.
    pub gamma: Vec<T>,
    /// ∂β.
    pub beta: Vec<T>,
}

/// The backward pass of [`batch_norm`] in training, where the statistics depend
/// on x; `y` is its result.
///
/// # Panics
///
/// When the shapes do not fit each other.
#[must_use]
pub fn batch_norm_backward<T: Real>(
    x: &[T],
    y: &[T],
    statistics: &ColumnStatistics,
    gamma: &[T],
    activation: Activation,
    gradient: &[T],
) -> BatchNormGradients<T> {
    let columns = gamma.len().max(1);
    let g = match activation {
        Activation::None => Cow::Borrowed(gradient),
        Activation::Elu => Cow::Owned(elu_backward_from_output(y, gradient)),
    };
    let inverse = statistics.inverse_deviation::<T>();
    let mean: Vec<T> = statistics.mean.iter().map(|&m| T::of(m)).collect();
    let beta = column_sums(&g, columns);
    // ∂γ = Σ g x̂ = (Σ g x − μ Σ g) / σ would cancel; the rows are centred first.
    let mut gamma_gradient: Vec<T> = sum_of_runs(statistics.rows, columns, |run, sum| {
        let run = run.start * columns..run.end * columns;
        let rows = g[run.clone()].chunks_exact(columns);
        for (g, x) in rows.zip(x[run].chunks_exact(columns)) {
            for (((sum, &g), &x), &m) in sum.iter_mut().zip(g).zip(x).zip(&mean) {
                *sum += g * (x - m);
            }
        }
    });
    for (sum, &i) in gamma_gradient.iter_mut().zip(&inverse) {
        *sum *= i;
    }
    // ∂x = γ/σ (g − (∂β + x̂ ∂γ)/n) = a g + b (x − μ) + c.
    let share = T::of(1.0 / statistics.rows.max(1) as f64);
    let a: Vec<T> = inverse.iter().zip(gamma).map(|(&i, &g)| i * g).collect();
    let b: Vec<T> = (0..columns)
        .map(|j| -(a[j] * gamma_gradient[j] * inverse[j] * share))
        .collect();
    let c: Vec<T> = (0..columns).map(|j| -(a[j] * beta[j] * share)).collect();
    let run = rows_per_sum(statistics.rows) * columns;
    let mut by_x = vec![T::ZERO; x.len()];
    by_x.par_chunks_mut(run)
        .zip(g.par_chunks(run).zip(x.par_chunks(run)))
        .for_each(|(out, (g, x))| {
            let rows = g.chunks_exact(columns).zip(x.chunks_exact(columns));
            for (out, (g, x)) in out.chunks_exact_mut(columns).zip(rows) {
                for j in 0..columns {
                    out[j] = a[j] * g[j] + b[j] * (x[j] - mean[j]) + c[j];
                }
            }
        });
    BatchNormGradients {
        x: by_x,
        gamma: gamma_gradient,
        beta,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_out_with_mean_beta_and_deviation_gamma() {
        let x: Vec<f64> = (0..60).map(|i| f64::from(i * i % 17)).collect();
        let statistics = ColumnStatistics::of(&x, 3);
        let y = batch_norm(
            &x,
            &statistics,
            &[2.0, 1.0, 0.5],
            &[1.0, 0.0, -1.0],
            Activation::None,
        );
        let after = ColumnStatistics::of(&y, 3);
        for (j, (mean, deviation)) in [(1.0, 2.0), (0.0, 1.0), (-1.0, 0.5)]
            .into_iter()
            .enumerate()
        {
            assert!((after.mean[j] - mean).abs() < 1e-12);
            assert!((after.variance[j].sqrt() - deviation).abs() < 1e-5);
        }
    }

    #[test]
    fn gradients_match_finite_differences() {
        let x: Vec<f64> = (0..15).map(|i| (f64::from(i) * 1.3).sin()).collect();
        let (gamma, beta) = ([1.5, -0.7, 0.3], [0.2, -0.1, 0.0]);
        let weights: Vec<f64> = (0..15).map(|i| (f64::from(i) * 0.9).cos()).collect();
        let value = |x: &[f64], gamma: &[f64], beta: &[f64]| -> f64 {
            let statistics = ColumnStatistics::of(x, 3);
            let y = batch_norm(x, &statistics, gamma, beta, Activation::Elu);
            y.iter().zip(&weights).map(|(y, w)| y * w).sum()
        };
        let statistics = ColumnStatistics::of(&x, 3);
        let y = batch_norm(&x, &statistics, &gamma, &beta, Activation::Elu);
        let gradients = batch_norm_backward(&x, &y, &statistics, &gamma, Activation::Elu, &weights);
        let h = 1e-6;
        let check = |what: &str, got: &[f64], f: &dyn Fn(usize, f64) -> f64| {
            for (i, got) in got.iter().enumerate() {
                let want = (f(i, h) - f(i, -h)) / (2.0 * h);
                assert!((got - want).abs() < 1e-7, "{what}[{i}]: {got} and {want}");
            }
        };
        let moved = |values: &[f64], i: usize, h: f64| {
            let mut values = values.to_vec();
            values[i] += h;
            values
        };
        check("∂x", &gradients.x, &|i, h| {
            value(&moved(&x, i, h), &gamma, &beta)
        });
        check("∂γ", &gradients.gamma, &|i, h| {
            value(&x, &moved(&gamma, i, h), &beta)
        });
        check("∂β", &gradients.beta, &|i, h| {
            value(&x, &gamma, &moved(&beta, i, h))
        });
    }

    #[test]
    fn one_row_is_finite() {
        let statistics = ColumnStatistics::of(&[3.0_f32, 4.0], 2);
        assert_eq!(statistics.unbiased_variance(), [0.0, 0.0]);
        let y = batch_norm(
            &[3.0_f32, 4.0],
            &statistics,
            &[1.0, 1.0],
            &[0.5, 0.5],
            Activation::None,
        );
        assert_eq!(y, [0.5, 0.5]);
    }
}
