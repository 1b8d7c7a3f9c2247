//! Affine maps of many rows: products with a small matrix, fused with what
//! follows them.
//!
//! - [`affine`] – f(X W + b), the forward pass;
//! - [`rows_times`] – G Wᵀ (give it the transpose), the gradient by X;
//! - [`outer_sum`] – Xᵀ G, the gradient by W;
//! - [`column_sums`] – 1ᵀ G, the gradient by b.

use super::activation::elu_in_place;
use super::product::{Left, ROW_STEP, accumulate};
use crate::Real;
use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Rows a task multiplies: a multiple of the row blocks of the product, small
/// enough that its piece of the result stays in the first cache.
const ROWS_PER_TASK: usize = 96;

/// Rows a task of [`outer_sum`] and [`column_sums`] adds up; partial sums are
/// added in order.
const ROWS_PER_SUM: usize = 384;

/// What is done to every value of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activation {
    /// Nothing.
    None,
    /// ELU.
    Elu,
}

/// `columns` rounded up to whole registers.
fn padded<S: Simd, T: Real>(columns: usize) -> usize {
    columns.next_multiple_of(T::Vector::<S>::LEN)
}

/// The rows of a matrix with zeros behind each.
fn pad_columns<T: Real>(x: &[T], columns: usize, width: usize) -> Vec<T> {
    let rows = x.len() / columns.max(1);
    let mut out = vec![T::ZERO; rows * width];
    for (out, x) in out
        .chunks_exact_mut(width.max(1))
        .zip(x.chunks_exact(columns.max(1)))
    {
        out[..columns].copy_from_slice(x);
    }
    out
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
    // The product is added to what is there.
    let mut out = match bias {
        Some(bias) => bias.repeat(rows),
        None => vec![T::ZERO; rows * outputs],
    };
    if outputs == 0 {
        return out;
    }
    dispatch!(level(), simd => {
        let width = padded_with(simd, &out, outputs);
        let weight = pad_columns(weight, outputs, width);
        out.par_chunks_mut(ROWS_PER_TASK * outputs)
            .zip(x.par_chunks(ROWS_PER_TASK * inputs))
            .for_each(|(out, x)| {
                dispatch!(level(), simd => {
                    task(simd, x, inputs, &weight, width, activation, out);
                });
            });
    });
    out
}

/// The width of a padded row; the values only say the type.
#[inline(always)]
fn padded_with<S: Simd, T: Real>(_: S, _: &[T], columns: usize) -> usize {
    padded::<S, T>(columns)
}

/// Adds the product to the rows of one task.
#[inline(always)]
fn task<S: Simd, T: Real>(
    simd: S,
    x: &[T],
    inputs: usize,
    weight: &[T],
    width: usize,
    activation: Activation,
    out: &mut [T],
) {
    let rows = x.len() / inputs;
    let outputs = out.len() / rows;
    let even = rows - rows % ROW_STEP;
    let layout = Left::Rows { stride: inputs };
    if width == outputs && even == rows {
        // The result has whole registers: no detour.
        accumulate(simd, (rows, inputs, width), x, layout, weight, out);
        if activation == Activation::Elu {
            elu_in_place(simd, out);
        }
        return;
    }
    let mut product = pad_columns(out, outputs, width);
    product.resize(rows.next_multiple_of(ROW_STEP) * width, T::ZERO);
    accumulate(
        simd,
        (even, inputs, width),
        x,
        layout,
        weight,
        &mut product[..even * width],
    );
    if even < rows {
        // The product wants rows in pairs: the last one gets a companion.
        let mut pair = x[even * inputs..].to_vec();
        pair.resize(ROW_STEP * inputs, T::ZERO);
        let out = &mut product[even * width..];
        accumulate(simd, (ROW_STEP, inputs, width), &pair, layout, weight, out);
    }
    for (out, row) in out
        .chunks_exact_mut(outputs)
        .zip(product.chunks_exact_mut(width))
    {
        if activation == Activation::Elu {
            elu_in_place(simd, row);
        }
        out.copy_from_slice(&row[..outputs]);
    }
}

/// f(X + b) in place, b added to every row.
///
/// # Panics
///
/// When X has not whole rows.
pub fn add_bias<T: Real>(x: &mut [T], bias: &[T], activation: Activation) {
    let columns = bias.len().max(1);
    assert_eq!(x.len() % columns, 0, "X has whole rows");
    x.par_chunks_mut(ROWS_PER_SUM * columns).for_each(|rows| {
        for row in rows.chunks_exact_mut(columns) {
            for (x, &b) in row.iter_mut().zip(bias) {
                *x += b;
            }
        }
        if activation == Activation::Elu {
            dispatch!(level(), simd => elu_in_place(simd, rows));
        }
    });
}

/// Multiplies `gradient` by the derivative of ELU where its result is `y`:
/// 1 above zero, y + 1 below.
///
/// # Panics
///
/// When the slices differ in length.
pub fn elu_backward_from_output<T: Real>(y: &[T], gradient: &mut [T]) {
    assert_eq!(y.len(), gradient.len(), "one gradient for every value");
    for (g, &y) in gradient.iter_mut().zip(y) {
        let slope = if y > T::ZERO { T::ONE } else { y + T::ONE };
        *g *= slope;
    }
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
    let mut out = vec![T::ZERO; inputs * outputs];
    if out.is_empty() || rows == 0 {
        return out;
    }
    let partial: Vec<Vec<T>> = x
        .par_chunks(ROWS_PER_SUM * inputs)
        .zip(g.par_chunks(ROWS_PER_SUM * outputs))
        .map(|(x, g)| {
            let mut sum = vec![T::ZERO; inputs * outputs];
            dispatch!(level(), simd => outer_sum_into(simd, x, inputs, g, outputs, &mut sum));
            sum
        })
        .collect();
    for partial in partial {
        for (out, x) in out.iter_mut().zip(partial) {
            *out += x;
        }
    }
    out
}

/// `out += Xᵀ G` for a run of rows that is in cache.
#[inline(always)]
pub(super) fn outer_sum_into<S: Simd, T: Real>(
    simd: S,
    x: &[T],
    inputs: usize,
    g: &[T],
    outputs: usize,
    out: &mut [T],
) {
    let rows = x.len() / inputs;
    let (height, width) = (inputs.next_multiple_of(ROW_STEP), padded::<S, T>(outputs));
    let (tall, wide);
    let x = if height == inputs {
        x
    } else {
        tall = pad_columns(x, inputs, height);
        &tall
    };
    let layout = Left::Columns { stride: height };
    if width == outputs && height == inputs {
        accumulate(simd, (height, rows, width), x, layout, g, out);
        return;
    }
    let g = if width == outputs {
        g
    } else {
        wide = pad_columns(g, outputs, width);
        &wide
    };
    let mut sum = vec![T::ZERO; height * width];
    accumulate(simd, (height, rows, width), x, layout, g, &mut sum);
    for (out, sum) in out.chunks_exact_mut(outputs).zip(sum.chunks_exact(width)) {
        for (out, &x) in out.iter_mut().zip(sum) {
            *out += x;
        }
    }
}

/// `out += X M` for a run of rows that is in cache.
#[inline(always)]
pub(super) fn product_into<S: Simd, T: Real>(
    simd: S,
    x: &[T],
    inputs: usize,
    matrix: &[T],
    outputs: usize,
    out: &mut [T],
) {
    let width = padded::<S, T>(outputs);
    let wide;
    let matrix = if width == outputs {
        matrix
    } else {
        wide = pad_columns(matrix, outputs, width);
        &wide
    };
    task(simd, x, inputs, matrix, width, Activation::None, out);
}

/// Sums of the columns of a matrix with rows of `columns` values.
///
/// # Complexity
///
/// O(values) time; runs of rows are added in order.
#[must_use]
pub fn column_sums<T: Real>(g: &[T], columns: usize) -> Vec<T> {
    let columns = columns.max(1);
    let mut out = vec![T::ZERO; columns];
    for run in g.chunks(ROWS_PER_SUM * columns) {
        let mut partial = vec![T::ZERO; columns];
        for row in run.chunks_exact(columns) {
            for (sum, &g) in partial.iter_mut().zip(row) {
                *sum += g;
            }
        }
        for (out, &x) in out.iter_mut().zip(&partial) {
            *out += x;
        }
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
    fn a_bias_is_added_to_every_row() {
        let mut x = [1.0, -1.0, 0.0, 2.0];
        add_bias(&mut x, &[1.0, 0.5], Activation::Elu);
        assert_eq!([x[0], x[2], x[3]], [2.0, 1.0, 2.5]);
        assert!((x[1] - ((-0.5_f64).exp() - 1.0)).abs() < 1e-15);
    }

    #[test]
    fn nothing_is_no_problem() {
        assert!(affine::<f32>(&[], 3, &[0.0; 6], None, Activation::None).is_empty());
        assert_eq!(outer_sum::<f32>(&[], 2, &[], 3), [0.0; 6]);
        assert_eq!(column_sums::<f32>(&[], 2), [0.0; 2]);
    }

    #[test]
    fn the_slope_of_elu_is_known_from_its_result() {
        let mut g = [2.0, 2.0, 2.0];
        elu_backward_from_output(&[3.0, -0.5, 0.0], &mut g);
        assert_eq!(g, [2.0, 1.0, 2.0]);
    }
}
