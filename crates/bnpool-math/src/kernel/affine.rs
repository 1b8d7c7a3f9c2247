//! Affine maps of many rows: products with a small matrix, fused with the
//! following activation.
//!
//! - [`affine`] – f(X W + b), the forward pass;
//! - [`affine_backward`] – the gradients with respect to X, W and b, in one
//!   pass;
//! - [`column_sums`] – 1ᵀ G, the gradient with respect to b alone.
//!
//! A backward pass goes over the rows once for all of its gradients. The gradient before
//! the activation exists for a piece of the rows at a time.

use super::Activation;
use super::coarsen::transpose;
use super::product::{Addend, Left, Onto, add_rows, add_scaled};
use crate::Real;
use crate::buffer::take;
use crate::vector::level;
use fearless_simd::dispatch;
use rayon::prelude::*;
use std::ops::Range;

/// Rows per task: a multiple of the row blocks of the product, small enough
/// that the result of a task stays in the L1 cache.
const ROWS_PER_TASK: usize = 96;

/// Rows per run: enough runs to keep all threads busy, none of them too small.
pub(super) fn rows_per_sum(rows: usize) -> usize {
    (rows / 8).clamp(96, 512)
}

/// f(X W + b): [rows, outputs] from X [rows, inputs], W [inputs, outputs] and
/// an optional b of length `outputs`.
///
/// # Complexity
///
/// O(rows · inputs · outputs) time, parallel over rows.
///
/// ```
/// use bnpool_math::kernel::{Activation, affine};
/// let y = affine(&[1.0, 2.0], 2, &[3.0, 0.0, 0.5, -1.0], Some(&[0.0, 2.0]), Activation::Elu);
/// assert_eq!(y, [4.0, 0.0]);
/// ```
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn affine<T: Real>(
    x: &[T],
    inputs: usize,
    weight: &[T],
    bias: Option<&[T]>,
    activation: Activation,
) -> Vec<T> {
    let inputs = inputs.max(1);
    let (rows, outputs) = (x.len() / inputs, weight.len() / inputs);
    assert_eq!(rows * inputs, x.len(), "X has whole rows");
    assert_eq!(
        outputs * inputs,
        weight.len(),
        "W has a row for every input"
    );
    assert!(
        bias.is_none_or(|b| b.len() == outputs),
        "b has a value for every output"
    );
    let mut out = take(rows * outputs);
    if outputs == 0 {
        return out;
    }
    let onto = Onto::New(bias.map_or(Addend::None, Addend::Row));
    out.par_chunks_mut(ROWS_PER_TASK * outputs)
        .zip(x.par_chunks(ROWS_PER_TASK * inputs))
        .for_each(|(out, x)| {
            let shape = (x.len() / inputs, inputs, outputs);
            let left = Left::Rows { stride: inputs };
            T::multiply(shape, x, left, weight, onto, out);
            activation.apply(out);
        });
    out
}

/// The gradients of [`affine`].
#[derive(Debug, Clone, PartialEq)]
pub struct AffineGradients<T> {
    /// ∂X = G Wᵀ, if requested.
    pub x: Option<Vec<T>>,
    /// ∂W = Xᵀ G.
    pub weight: Vec<T>,
    /// ∂b = 1ᵀ G.
    pub bias: Vec<T>,
}

/// The backward pass of [`affine`], whose result is `y`.
///
/// Each piece of G, the gradient before the activation, is computed on the fly
/// and serves all three gradients from the cache; G as a whole is never in
/// memory.
///
/// # Complexity
///
/// O(rows · inputs · outputs) time, parallel over runs of rows, whose sums are
/// added in order.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn affine_backward<T: Real>(
    x: &[T],
    inputs: usize,
    weight: &[T],
    (activation, y): (Activation, &[T]),
    gradient: &[T],
    wants_x: bool,
) -> AffineGradients<T> {
    let inputs = inputs.max(1);
    let (rows, outputs) = (x.len() / inputs, weight.len() / inputs);
    assert!(
        rows * inputs == x.len() && outputs * inputs == weight.len(),
        "W has a row for every column of X"
    );
    assert!(
        y.len() == gradient.len() && gradient.len() == rows * outputs,
        "a result and a gradient for every row and output"
    );
    let transposed = if wants_x {
        transpose(weight, inputs, outputs)
    } else {
        Vec::new()
    };
    let size = inputs * outputs;
    let pass = |run: Range<usize>, mut by_x: Option<&mut [T]>| {
        let mut sums = vec![T::ZERO; size + outputs];
        let (by_weight, by_bias) = sums.split_at_mut(size);
        let mut inner = Vec::new();
        for start in run.clone().step_by(ROWS_PER_TASK) {
            let count = ROWS_PER_TASK.min(run.end - start);
            let piece = start * outputs..(start + count) * outputs;
            let mut g = &gradient[piece.clone()];
            if activation != Activation::None {
                inner.clear();
                inner.extend_from_slice(g);
                activation.times_slope(&y[piece], &mut inner);
                g = &inner;
            }
            dispatch!(level(), simd => add_rows(simd, g, by_bias));
            let x = &x[start * inputs..(start + count) * inputs];
            let shape = (inputs, count, outputs);
            let left = Left::Columns { stride: inputs };
            T::multiply(shape, x, left, g, Onto::Old, by_weight);
            if let Some(by_x) = &mut by_x {
                let by_x = &mut by_x[(start - run.start) * inputs..][..count * inputs];
                let shape = (count, outputs, inputs);
                let left = Left::Rows { stride: outputs };
                T::multiply(shape, g, left, &transposed, Onto::New(Addend::None), by_x);
            }
        }
        sums
    };
    let run = ROWS_PER_TASK * (rows_per_sum(rows) / ROWS_PER_TASK);
    let rows_of = |i: usize| i * run..((i + 1) * run).min(rows);
    let (by_x, partial) = if wants_x {
        let mut by_x = take(x.len());
        let runs = by_x.par_chunks_mut(run * inputs).enumerate();
        let partial = runs.map(|(i, by_x)| pass(rows_of(i), Some(by_x))).collect();
        (Some(by_x), partial)
    } else {
        let runs = (0..rows.div_ceil(run)).into_par_iter();
        (None, runs.map(|i| pass(rows_of(i), None)).collect())
    };
    let mut weight = in_order(partial, size + outputs);
    let bias = weight.split_off(size);
    AffineGradients {
        x: by_x,
        weight,
        bias,
    }
}

/// Returns the column sums of a matrix with rows of `columns` values.
///
/// # Complexity
///
/// O(values) time, parallel over runs of rows, which are added in order.
#[must_use]
pub fn column_sums<T: Real>(g: &[T], columns: usize) -> Vec<T> {
    let columns = columns.max(1);
    sum_of_runs(g.len() / columns, columns, |run, sum| {
        let rows = &g[run.start * columns..run.end * columns];
        dispatch!(level(), simd => add_rows(simd, rows, sum));
    })
}

/// Sums `add(run, sum)` over all rows, in parallel over runs of rows; the sums
/// of the runs are added in order.
fn sum_of_runs<T: Real>(
    rows: usize,
    width: usize,
    add: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Vec<T> {
    let run = rows_per_sum(rows);
    let partial = (0..rows.div_ceil(run))
        .into_par_iter()
        .map(|i| {
            let mut sum = vec![T::ZERO; width];
            add(i * run..((i + 1) * run).min(rows), &mut sum);
            sum
        })
        .collect();
    in_order(partial, width)
}

/// Adds the sums of all runs.
pub(super) fn in_order<T: Real>(partial: Vec<Vec<T>>, width: usize) -> Vec<T> {
    partial
        .into_iter()
        .reduce(|mut sum, partial| {
            add_scaled(T::ONE, &partial, &mut sum);
            sum
        })
        .unwrap_or_else(|| vec![T::ZERO; width])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::activate_backward;

    fn matrix(rows: usize, columns: usize, shift: f64) -> Vec<f64> {
        (0..rows * columns)
            .map(|i| ((i as f64 * 0.7 + shift).sin() * 3.0).round() / 2.0)
            .collect()
    }

    fn brute(x: &[f64], inputs: usize, w: &[f64], outputs: usize) -> Vec<f64> {
        let mut out = Vec::new();
        for x in x.chunks_exact(inputs) {
            for j in 0..outputs {
                out.push((0..inputs).map(|k| x[k] * w[k * outputs + j]).sum());
            }
        }
        out
    }

    #[test]
    fn products_match_their_definition_for_any_shape() {
        for (rows, inputs, outputs) in [(1, 1, 1), (5, 3, 2), (97, 7, 13), (400, 64, 98), (2, 2, 8)]
        {
            let (x, w) = (matrix(rows, inputs, 0.1), matrix(inputs, outputs, 2.0));
            let plain = brute(&x, inputs, &w, outputs);
            assert_eq!(affine(&x, inputs, &w, None, Activation::None), plain);
            let bias = matrix(1, outputs, 5.0);
            let y = affine(&x, inputs, &w, Some(&bias), Activation::Elu);
            for (i, (y, plain)) in y.iter().zip(&plain).enumerate() {
                let z: f64 = plain + bias[i % outputs];
                let want = if z > 0.0 { z } else { z.exp() - 1.0 };
                assert!((y - want).abs() < 1e-14, "{rows}×{inputs}×{outputs}");
            }
            let g = matrix(rows, outputs, 1.0);
            let mut transposed = vec![0.0; x.len()];
            for u in 0..rows {
                for k in 0..inputs {
                    transposed[k * rows + u] = x[u * inputs + k];
                }
            }
            let ones = vec![1.0; rows];
            assert_eq!(column_sums(&g, outputs), brute(&ones, rows, &g, outputs));
            let mut w_transposed = vec![0.0; w.len()];
            for k in 0..inputs {
                for j in 0..outputs {
                    w_transposed[j * inputs + k] = w[k * outputs + j];
                }
            }
            for activation in [
                Activation::None,
                Activation::Elu,
                Activation::BoundedSoftplus,
            ] {
                // Results of both signs, and the gradient before the activation.
                let y = matrix(rows, outputs, 3.0);
                let inner = activate_backward(&y, activation, &g);
                let got = affine_backward(&x, inputs, &w, (activation, &y), &g, true);
                let by_x = got.x.as_deref().expect("it was wanted");
                close(by_x, &brute(&inner, outputs, &w_transposed, inputs));
                close(&got.weight, &brute(&transposed, rows, &inner, outputs));
                close(&got.bias, &brute(&ones, rows, &inner, outputs));
                let without = affine_backward(&x, inputs, &w, (activation, &y), &g, false);
                assert_eq!(without.x, None);
                assert_eq!((without.weight, without.bias), (got.weight, got.bias));
            }
        }
    }

    /// Asserts equality up to the rounding of sums in a different order.
    fn close(got: &[f64], want: &[f64]) {
        assert_eq!(got.len(), want.len());
        for (got, want) in got.iter().zip(want) {
            assert!(
                (got - want).abs() <= 1e-13 * (1.0 + want.abs()),
                "{got} is not {want}"
            );
        }
    }

    #[test]
    fn nothing_is_no_problem() {
        assert!(affine::<f32>(&[], 3, &[0.0; 6], None, Activation::None).is_empty());
        assert_eq!(column_sums::<f32>(&[], 2), [0.0; 2]);
        let plain = (Activation::None, &[][..]);
        let none = affine_backward::<f32>(&[], 2, &[0.0; 6], plain, &[], true);
        assert_eq!(none.x, Some(Vec::new()));
        assert_eq!((none.weight, none.bias), (vec![0.0; 6], vec![0.0; 3]));
    }
}
