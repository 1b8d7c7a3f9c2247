//! Batch normalisation of columns, with its backward pass.
//!
//! y = f(γ x̂ + β), x̂ = (x − μ) / √(σ² + ε), where μ and σ² are the mean and
//! the biased variance of a column over the rows.

use super::Activation;
use super::affine::{in_order, rows_per_sum};
use super::product::add_rows;
use crate::Real;
use crate::buffer::take;
use crate::vector::level;
use fearless_simd::{Simd, dispatch};
use rayon::prelude::*;

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
    /// Computes the statistics of a matrix with rows of `columns` values.
    ///
    /// # Complexity
    ///
    /// O(values) time, parallel over runs of rows. Each run is read twice while
    /// it is in cache, first for its mean and then for the squared deviations,
    /// both in the precision of the data; runs are combined in `f64`.
    #[must_use]
    pub fn of<T: Real>(x: &[T], columns: usize) -> Self {
        let columns = columns.max(1);
        let rows = x.len() / columns;
        let run = rows_per_sum(rows) * columns;
        let runs: Vec<(Vec<T>, Vec<T>)> = x
            .par_chunks(run)
            .map(|run| {
                let mut mean = vec![T::ZERO; columns];
                let mut squares = mean.clone();
                dispatch!(level(), simd => add_rows(simd, run, &mut mean));
                let share = T::of(columns as f64 / run.len() as f64);
                for mean in &mut mean {
                    *mean *= share;
                }
                dispatch!(level(), simd => add_squares(simd, run, &mean, &mut squares));
                (mean, squares)
            })
            .collect();
        let scale = 1.0 / rows.max(1) as f64;
        let lengths = || x.chunks(run).map(|run| (run.len() / columns) as f64);
        let mut mean = vec![0.0; columns];
        for ((own, _), length) in runs.iter().zip(lengths()) {
            for (mean, own) in mean.iter_mut().zip(own) {
                *mean += own.f64() * length * scale;
            }
        }
        // Σ (x − μ)² = Σ (x − μ_run)² + n_run (μ_run − μ)².
        let mut variance = vec![0.0; columns];
        for ((own, squares), length) in runs.iter().zip(lengths()) {
            for (j, variance) in variance.iter_mut().enumerate() {
                let shift = own[j].f64() - mean[j];
                *variance += (squares[j].f64() + length * shift * shift) * scale;
            }
        }
        Self {
            mean,
            variance,
            rows,
        }
    }

    /// Combines the statistics of several matrices into those of the matrices
    /// stacked on top of each other.
    ///
    /// # Panics
    ///
    /// Panics if they differ in the number of columns.
    #[must_use]
    pub fn joined(parts: &[Self]) -> Self {
        let columns = parts.first().map_or(0, |part| part.mean.len());
        let rows = parts.iter().map(|part| part.rows).sum();
        let scale = 1.0 / (rows as f64).max(1.0);
        let (mut mean, mut variance) = (vec![0.0; columns], vec![0.0; columns]);
        for part in parts {
            assert_eq!(part.mean.len(), columns, "a mean for every column");
            for (mean, own) in mean.iter_mut().zip(&part.mean) {
                *mean += own * part.rows as f64 * scale;
            }
        }
        for part in parts {
            for (j, variance) in variance.iter_mut().enumerate() {
                let shift = part.mean[j] - mean[j];
                *variance += (part.variance[j] + shift * shift) * part.rows as f64 * scale;
            }
        }
        Self {
            mean,
            variance,
            rows,
        }
    }

    /// Variance with divisor `rows − 1`, as tracked for evaluation.
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

/// `sums += Σ (x − centre)²` over rows as long as `sums`.
#[inline(always)]
fn add_squares<S: Simd, T: Real>(_: S, rows: &[T], centre: &[T], sums: &mut [T]) {
    for row in rows.chunks_exact(centre.len()) {
        for ((sum, &x), &m) in sums.iter_mut().zip(row).zip(centre) {
            *sum += (x - m) * (x - m);
        }
    }
}

/// Computes y = f(γ x̂ + β) with the given statistics, which are those of x
/// itself in training.
///
/// # Panics
///
/// Panics if there is not one γ, β, μ and σ² for every column.
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
    let mut out = take(x.len());
    let columns = columns.max(1);
    let run = rows_per_sum(x.len() / columns) * columns;
    out.par_chunks_mut(run)
        .zip(x.par_chunks(run))
        .for_each(|(out, x)| {
            dispatch!(level(), simd => scale_and_shift(simd, x, (&a, &b), out));
            activation.apply(out);
        });
    out
}

/// Computes a x + b for every row.
#[inline(always)]
fn scale_and_shift<S: Simd, T: Real>(_: S, x: &[T], (a, b): (&[T], &[T]), out: &mut [T]) {
    for (out, x) in out.chunks_exact_mut(a.len()).zip(x.chunks_exact(a.len())) {
        for (((out, &x), &a), &b) in out.iter_mut().zip(x).zip(a).zip(b) {
            *out = a * x + b;
        }
    }
}

/// The gradients with respect to x, γ and β.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchNormGradients<T> {
    /// ∂x.
    pub x: Vec<T>,
    /// ∂γ.
    pub gamma: Vec<T>,
    /// ∂β.
    pub beta: Vec<T>,
}

/// Backward pass for a subset of the rows behind the statistics. `total` maps the
/// sums over these rows (∂β, followed by ∂γ) to the sums over all rows; ∂γ and ∂β of
/// the result cover only these rows.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn batch_norm_part_backward<T: Real>(
    x: &[T],
    y: &[T],
    (statistics, gamma): (&ColumnStatistics, &[T]),
    activation: Activation,
    gradient: &[T],
    total: impl FnOnce(&[T]) -> Vec<T>,
) -> BatchNormGradients<T> {
    let columns = gamma.len().max(1);
    assert!(
        y.len() == x.len() && gradient.len() == x.len(),
        "a result and a gradient for every value"
    );
    let inverse = statistics.inverse_deviation::<T>();
    let mean: Vec<T> = statistics.mean.iter().map(|&m| T::of(m)).collect();
    // This buffer first holds the gradient before the activation, then ∂x.
    let mut by_x = take(gradient.len());
    let run = rows_per_sum(x.len() / columns) * columns;
    let partial = by_x
        .par_chunks_mut(run)
        .zip(gradient.par_chunks(run))
        .zip(x.par_chunks(run).zip(y.par_chunks(run)))
        .map(|((g, gradient), (x, y))| {
            g.copy_from_slice(gradient);
            activation.times_slope(y, g);
            let mut sums = vec![T::ZERO; 2 * columns];
            dispatch!(level(), simd => add_products(simd, g, x, &mean, &mut sums));
            sums
        })
        .collect();
    let mut own = in_order(partial, 2 * columns);
    for (sum, &i) in own[columns..].iter_mut().zip(&inverse) {
        *sum *= i;
    }
    let all = total(&own);
    let (all_beta, all_gamma) = all.split_at(columns);
    // ∂x = γ/σ (g − (∂β + x̂ ∂γ)/n) = a g + b (x − μ) + c.
    let share = T::of(1.0 / statistics.rows.max(1) as f64);
    let a: Vec<T> = inverse.iter().zip(gamma).map(|(&i, &g)| i * g).collect();
    let b: Vec<T> = (0..columns)
        .map(|j| -(a[j] * all_gamma[j] * inverse[j] * share))
        .collect();
    let c: Vec<T> = (0..columns)
        .map(|j| -(a[j] * all_beta[j] * share))
        .collect();
    by_x.par_chunks_mut(run)
        .zip(x.par_chunks(run))
        .for_each(|(g, x)| {
            dispatch!(level(), simd => combine(simd, x, &mean, [&a, &b, &c], g));
        });
    let by_gamma = own.split_off(columns);
    BatchNormGradients {
        x: by_x,
        gamma: by_gamma,
        beta: own,
    }
}

/// Adds Σ g, followed by Σ g (x − μ); subtracting μ avoids cancellation.
#[inline(always)]
fn add_products<S: Simd, T: Real>(_: S, g: &[T], x: &[T], mean: &[T], sums: &mut [T]) {
    let columns = mean.len();
    let (plain, centred) = sums.split_at_mut(columns);
    for (g, x) in g.chunks_exact(columns).zip(x.chunks_exact(columns)) {
        for j in 0..columns {
            plain[j] += g[j];
            centred[j] += g[j] * (x[j] - mean[j]);
        }
    }
}

/// Replaces g by a g + b (x − μ) + c.
#[inline(always)]
fn combine<S: Simd, T: Real>(_: S, x: &[T], mean: &[T], [a, b, c]: [&[T]; 3], g: &mut [T]) {
    let columns = a.len();
    for (g, x) in g.chunks_exact_mut(columns).zip(x.chunks_exact(columns)) {
        for j in 0..columns {
            g[j] = a[j] * g[j] + b[j] * (x[j] - mean[j]) + c[j];
        }
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

    fn whole_backward(
        x: &[f64],
        y: &[f64],
        statistics: &ColumnStatistics,
        gamma: &[f64],
        gradient: &[f64],
    ) -> BatchNormGradients<f64> {
        let parts = (statistics, gamma);
        batch_norm_part_backward(x, y, parts, Activation::Elu, gradient, <[f64]>::to_vec)
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
        let gradients = whole_backward(&x, &y, &statistics, &gamma, &weights);
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
    fn parts_give_the_gradients_of_the_whole() {
        let x: Vec<f64> = (0..21).map(|i| (f64::from(i) * 1.3).sin()).collect();
        let g: Vec<f64> = (0..21).map(|i| (f64::from(i) * 0.9).cos()).collect();
        let gamma = [1.5, -0.7, 0.3];
        let whole = ColumnStatistics::of(&x, 3);
        let y = batch_norm(&x, &whole, &gamma, &[0.1; 3], Activation::Elu);
        let want = whole_backward(&x, &y, &whole, &gamma, &g);
        let cuts = [0..6, 6..9, 9..21];
        let parts = cuts.clone().map(|cut| ColumnStatistics::of(&x[cut], 3));
        let joined = ColumnStatistics::joined(&parts);
        assert_eq!(joined.rows, 7);
        let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(close(&joined.mean, &whole.mean) && close(&joined.variance, &whole.variance));
        let all = [&want.beta[..], &want.gamma[..]].concat();
        let mut sums = [0.0; 6];
        for cut in cuts {
            let got = batch_norm_part_backward(
                &x[cut.clone()],
                &y[cut.clone()],
                (&joined, &gamma),
                Activation::Elu,
                &g[cut.clone()],
                |own| {
                    for (sum, own) in sums.iter_mut().zip(own) {
                        *sum += own;
                    }
                    all.clone()
                },
            );
            assert!(close(&got.x, &want.x[cut]));
        }
        assert!(close(&sums, &all));
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
