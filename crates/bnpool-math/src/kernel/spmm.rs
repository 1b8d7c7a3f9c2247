//! Sparse matrix times dense matrix: message passing, and sparse node features.

use super::product::{Addend, add_scaled};
use super::{Activation, SparseRows};
use crate::Real;
use crate::buffer::take;
use crate::vector::{Vector, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Rows per task.
const ROWS_PER_TASK: usize = 64;

/// Computes f(A X + B) for a sparse A [rows, columns] and a dense X
/// [columns, width]. B is zero, one row for all rows, or a matrix [rows, width].
///
/// For the transposed product, pass the transposed matrix.
///
/// # Complexity
///
/// O(entries · width) time, parallel over rows; no memory besides the result.
///
/// ```
/// use bnpool_math::kernel::{Activation, Addend, SparseRows, spmm};
/// let a = SparseRows { offsets: &[0, 2, 2], columns: &[0, 1], weights: Some(&[2.0, 3.0]), columns_count: 2 };
/// assert_eq!(spmm(a, &[1.0, 10.0], 1, Addend::None, Activation::None), [32.0, 0.0]);
/// assert_eq!(spmm(a, &[1.0, 10.0], 1, Addend::Row(&[0.5]), Activation::Elu), [32.5, 0.5]);
/// assert_eq!(spmm(a, &[1.0, 10.0], 1, Addend::Rows(&[1.0, 10.0]), Activation::None), [33.0, 10.0]);
/// ```
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn spmm<T: Real>(
    a: SparseRows<'_>,
    x: &[T],
    width: usize,
    addend: Addend<'_, T>,
    activation: Activation,
) -> Vec<T> {
    assert_eq!(
        x.len(),
        a.columns_count * width,
        "X has a row for every column of A"
    );
    assert!(
        addend.fits(a.rows(), width),
        "B has a value for every column of X"
    );
    let mut out = take(a.rows() * width);
    if width == 0 {
        return out;
    }
    out.par_chunks_mut(ROWS_PER_TASK * width)
        .enumerate()
        .for_each(|(task, y)| {
            dispatch!(level(), simd => {
                for (i, y) in y.chunks_exact_mut(width).enumerate() {
                    let u = task * ROWS_PER_TASK + i;
                    row(simd, a, u, x, y);
                    if let Some(row) = addend.row(u, width) {
                        add_scaled(T::ONE, row, y);
                    }
                }
            });
            activation.apply(y);
        });
    out
}

/// Computes one row of the product, a few registers of columns at a time so
/// that the sums stay in registers.
#[inline(always)]
fn row<S: Simd, T: Real>(simd: S, a: SparseRows<'_>, u: usize, x: &[T], y: &mut [T]) {
    let width = y.len();
    let lanes = T::Vector::<S>::LEN;
    let mut first = 0;
    while first + 4 * lanes <= width {
        columns::<S, T, 4>(simd, a, u, x, width, first, y);
        first += 4 * lanes;
    }
    while first + lanes <= width {
        columns::<S, T, 1>(simd, a, u, x, width, first, y);
        first += lanes;
    }
    if first < width {
        let tail = &mut y[first..];
        tail.fill(T::ZERO);
        for (v, w) in a.row_entries(u) {
            let w = T::of(f64::from(w));
            for (y, &x) in tail.iter_mut().zip(&x[v * width + first..(v + 1) * width]) {
                *y += w * x;
            }
        }
    }
}

#[inline(always)]
fn columns<S: Simd, T: Real, const VECTORS: usize>(
    simd: S,
    a: SparseRows<'_>,
    u: usize,
    x: &[T],
    width: usize,
    first: usize,
    y: &mut [T],
) {
    let lanes = T::Vector::<S>::LEN;
    let mut sums = [T::Vector::<S>::constant(simd, 0.0); VECTORS];
    for (v, w) in a.row_entries(u) {
        let w: T::Vector<S> = T::of(f64::from(w)).simd_into(simd);
        let start = v * width + first;
        let x = &x[start..start + VECTORS * lanes];
        for (sum, x) in sums.iter_mut().zip(x.chunks_exact(lanes)) {
            *sum = T::Vector::<S>::from_slice(simd, x).mul_add(w, *sum);
        }
    }
    let y = &mut y[first..first + VECTORS * lanes];
    for (sum, y) in sums.iter().zip(y.chunks_exact_mut(lanes)) {
        sum.store_slice(y);
    }
}
