//! Small dense products, register-blocked.
//!
//! Everything dense in BN-Pool is a product of a tall matrix with something
//! C wide, C ≈ 50: too small for a general matrix library to pay for its
//! packing, and always followed by more work on the same tile. These are the
//! inner loops, `ROWS × VECTORS` accumulators held in registers.

use crate::Real;
use crate::vector::Vector;
use fearless_simd::prelude::*;

/// Rows of a register block.
pub(super) const ROWS: usize = 4;

/// How the left factor of a product is laid out.
#[derive(Clone, Copy)]
pub(super) enum Left {
    /// Row i starts at `i · stride`; the summation index runs along the row.
    Rows { stride: usize },
    /// The transpose: entry (i, k) stands at `k · stride + i`.
    Columns { stride: usize },
}

/// `left · right` for a block of ROWS rows and VECTORS registers of columns.
///
/// `right` has rows of `stride` values; the block's columns start at its front.
#[inline(always)]
fn block<S: Simd, T: Real, const VECTORS: usize>(
    simd: S,
    depth: usize,
    left: &[T],
    layout: Left,
    right: &[T],
    stride: usize,
) -> [[T::Vector<S>; VECTORS]; ROWS] {
    let width = T::Vector::<S>::LEN;
    let mut sums = [[T::Vector::<S>::constant(simd, 0.0); VECTORS]; ROWS];
    let mut add = |entries: [T; ROWS], right: &[T]| {
        let mut columns = [T::Vector::<S>::constant(simd, 0.0); VECTORS];
        for (v, column) in columns.iter_mut().enumerate() {
            *column = T::Vector::<S>::from_slice(simd, &right[v * width..(v + 1) * width]);
        }
        for (sums, &entry) in sums.iter_mut().zip(&entries) {
            let entry: T::Vector<S> = entry.simd_into(simd);
            for (sum, &column) in sums.iter_mut().zip(&columns) {
                *sum = column.mul_add(entry, *sum);
            }
        }
    };
    match layout {
        Left::Rows { stride: step } => {
            let rows: [&[T]; ROWS] = std::array::from_fn(|i| &left[i * step..i * step + depth]);
            for k in 0..depth {
                let entries = std::array::from_fn(|i| rows[i][k]);
                add(entries, &right[k * stride..k * stride + VECTORS * width]);
            }
        }
        Left::Columns { stride: step } => {
            for k in 0..depth {
                let front = &left[k * step..k * step + ROWS];
                let entries = std::array::from_fn(|i| front[i]);
                add(entries, &right[k * stride..k * stride + VECTORS * width]);
            }
        }
    }
    sums
}

/// Runs `visit(first column, registers)` over `columns` columns, cut into
/// pieces of three and two registers (eight accumulators hide the latency of
/// a fused multiplication, twelve just fit the register file).
macro_rules! pieces {
    ($columns:expr, $width:expr, |$first:ident, $vectors:ident| $body:expr) => {{
        let registers = $columns / $width;
        let mut done = 0;
        while done < registers {
            let $first = done * $width;
            match registers - done {
                1 => {
                    const $vectors: usize = 1;
                    $body;
                    done += 1;
                }
                2 | 4 => {
                    const $vectors: usize = 2;
                    $body;
                    done += 2;
                }
                _ => {
                    const $vectors: usize = 3;
                    $body;
                    done += 3;
                }
            }
        }
    }};
}

/// `out += left · right`, with `rows` a multiple of [`ROWS`] and `columns` one
/// of the register width; `right` and `out` have rows of `columns` values.
#[inline(always)]
pub(super) fn accumulate<S: Simd, T: Real>(
    simd: S,
    (rows, depth, columns): (usize, usize, usize),
    left: &[T],
    layout: Left,
    right: &[T],
    out: &mut [T],
) {
    let width = T::Vector::<S>::LEN;
    debug_assert!(rows.is_multiple_of(ROWS) && columns.is_multiple_of(width));
    for i in (0..rows).step_by(ROWS) {
        let left = match layout {
            Left::Rows { stride } => &left[i * stride..],
            Left::Columns { .. } => &left[i..],
        };
        pieces!(columns, width, |first, VECTORS| {
            let sums =
                block::<S, T, VECTORS>(simd, depth, left, layout, &right[first..], columns);
            for (r, sums) in sums.iter().enumerate() {
                let start = (i + r) * columns + first;
                for (v, sum) in sums.iter().enumerate() {
                    let slot = &mut out[start + v * width..start + (v + 1) * width];
                    (T::Vector::<S>::from_slice(simd, slot) + *sum).store_slice(slot);
                }
            }
        });
    }
}

/// `visit(row, first column, registers)` of `left · right` for every register
/// of ROWS rows; what the caller does with it stays in cache.
#[inline(always)]
pub(super) fn for_each_register<S: Simd, T: Real>(
    simd: S,
    (depth, columns): (usize, usize),
    left: &[T],
    stride: usize,
    right: &[T],
    mut visit: impl FnMut(usize, usize, T::Vector<S>),
) {
    let width = T::Vector::<S>::LEN;
    pieces!(columns, width, |first, VECTORS| {
        let layout = Left::Rows { stride };
        let sums = block::<S, T, VECTORS>(simd, depth, left, layout, &right[first..], columns);
        for (r, sums) in sums.iter().enumerate() {
            for (v, sum) in sums.iter().enumerate() {
                visit(r, first + v * width, *sum);
            }
        }
    });
}

/// `x · y` of two slices of equal length.
#[inline(always)]
pub(super) fn dot<S: Simd, T: Real>(simd: S, x: &[T], y: &[T]) -> T {
    let width = T::Vector::<S>::LEN;
    let mut sum = T::Vector::<S>::constant(simd, 0.0);
    let (xs, ys) = (x.chunks_exact(width), y.chunks_exact(width));
    let tail = xs
        .remainder()
        .iter()
        .zip(ys.remainder())
        .fold(T::ZERO, |s, (&a, &b)| s + a * b);
    for (a, b) in xs.zip(ys) {
        sum = T::Vector::<S>::from_slice(simd, a).mul_add(T::Vector::<S>::from_slice(simd, b), sum);
    }
    sum.reduce_sum() + tail
}

/// `y += a · x`.
#[inline(always)]
pub(super) fn add_scaled<T: Real>(a: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
