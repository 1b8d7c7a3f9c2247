//! Affine maps of many rows: products with a small matrix, fused with what
//! follows them.
//!
//! - [`affine`] – f(X W + b), the forward pass;
//! - [`rows_times`] – G Wᵀ (give it the transpose), the gradient by X;
//! - [`outer_sum`] – Xᵀ G, the gradient by W;
//! - [`column_sums`] – 1ᵀ G, the gradient by b.

use super::activation::elu_in_place;
use super::product::{Left, add_scaled};
use crate::Real;
use crate::vector::level;
use fearless_simd::dispatch;
use rayon::prelude::*;
use std::ops::Range;

/// Rows a task multiplies: a multiple of the row blocks of the product, small
/// enough that its piece of the result stays in the first cache.
const ROWS_PER_TASK: usize = 96;

/// Rows of a run: enough runs to keep threads busy, none too small.
pub(super) fn rows_per_sum(rows: usize) -> usize {
    (rows / 8).clamp(96, 512)
}

/// What is done to every value of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// ELU.
    Elu,
}

/// f(X W + b): [rows, outputs] from X [rows, inputs], W [inputs, outputs] and
/// b of length `outputs`, or none.
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
/// When the shapes do not fit each other.
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
    let mut out = vec![T::ZERO; rows * outputs];
    if outputs == 0 {
        return out;
    }
    out.par_chunks_mut(ROWS_PER_TASK * outputs)
        .zip(x.par_chunks(ROWS_PER_TASK * inputs))
        .for_each(|(out, x)| {
            if let Some(bias) = bias {
                for row in out.chunks_exact_mut(outputs) {
                    row.copy_from_slice(bias);
                }
            }
            let shape = (x.len() / inputs, inputs, outputs);
            T::accumulate(shape, x, Left::Rows { stride: inputs }, weight, out);
            if activation == Activation::Elu {
                dispatch!(level(), simd => elu_in_place(simd, out));
            }
        });
    out
}

/// X M for a small M [inputs, outputs]: [rows, outputs].
///
/// # Panics
///
/// When the shapes do not fit each other.
#[must_use]
pub fn rows_times<T: Real>(x: &[T], inputs: usize, matrix: &[T]) -> Vec<T> {
    affine(x, inputs, matrix, None, Activation::None)
}

/// Xᵀ G = Σ_u x_u g_uᵀ: [inputs, outputs] from X [rows, inputs], G [rows, outputs].
///
/// # Complexity
///
/// O(rows · inputs · outputs) time, parallel over runs of rows.
///
/// # Panics
///
/// When the shapes do not fit each other.
#[must_use]
pub fn outer_sum<T: Real>(x: &[T], inputs: usize, g: &[T], outputs: usize) -> Vec<T> {
    let rows = x.len() / inputs.max(1);
    assert!(
        rows * inputs == x.len() && rows * outputs == g.len(),
        "a row of G for every row of X"
    );
    sum_of_runs(rows, inputs * outputs, |run, sum| {
        let (x, g) = (
            &x[run.start * inputs..run.end * inputs],
            &g[run.start * outputs..run.end * outputs],
        );
        let shape = (inputs, run.len(), outputs);
        T::accumulate(shape, x, Left::Columns { stride: inputs }, g, sum);
    })
}

/// Sums of the columns of a matrix with rows of `columns` values.
///
/// # Complexity
///
/// O(values) time, parallel over runs of rows, which are added in order.
#[must_use]
pub fn column_sums<T: Real>(g: &[T], columns: usize) -> Vec<T> {
    let columns = columns.max(1);
    sum_of_runs(g.len() / columns, columns, |run, sum| {
        for row in g[run.start * columns..run.end * columns].chunks_exact(columns) {
            add_scaled(T::ONE, row, sum);
        }
    })
}

/// What `add(run, sum)` adds up over all rows, a run of them at a time in
/// parallel; the sums of the runs are added in order.
pub(super) fn sum_of_runs<T: Real>(
    rows: usize,
    width: usize,
    add: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Vec<T> {
    let run = rows_per_sum(rows);
    let partial: Vec<Vec<T>> = (0..rows.div_ceil(run))
        .into_par_iter()
        .map(|i| {
            let mut sum = vec![T::ZERO; width];
            add(i * run..((i + 1) * run).min(rows), &mut sum);
            sum
        })
        .collect();
    let mut out = vec![T::ZERO; width];
    for partial in &partial {
        add_scaled(T::ONE, partial, &mut out);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(rows_times(&x, inputs, &w), plain);
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
            assert_eq!(
                outer_sum(&x, inputs, &g, outputs),
                brute(&transposed, rows, &g, outputs)
            );
            let ones = vec![1.0; rows];
            assert_eq!(column_sums(&g, outputs), brute(&ones, rows, &g, outputs));
        }
    }

    #[test]
    fn nothing_is_no_problem() {
        assert!(affine::<f32>(&[], 3, &[0.0; 6], None, Activation::None).is_empty());
        assert_eq!(outer_sum::<f32>(&[], 2, &[], 3), [0.0; 6]);
        assert_eq!(column_sums::<f32>(&[], 2), [0.0; 2]);
    }
}
