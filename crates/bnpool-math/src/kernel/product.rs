//! Small dense products, register-blocked.
//!
//! Everything dense in BN-Pool is a product of a tall matrix with something
//! C wide, C ≈ 50: too small for a general matrix library to pay for its
//! packing, and always followed by more work on the same tile. These are the
//! inner loops, up to 6 rows × 2 registers of accumulators: twelve of the
//! sixteen registers of AVX2, enough to hide the latency of a multiplication.

use crate::Real;
use crate::vector::Vector;
use fearless_simd::prelude::*;

/// Rows are padded to a multiple of this.
pub(crate) const ROW_STEP: usize = 2;

/// How the left factor of a product is laid out.
#[derive(Clone, Copy)]
pub(crate) enum Left {
    /// Row i starts at `i · stride`; the summation index runs along the row.
    Rows { stride: usize },
    /// The transpose: entry (i, k) stands at `k · stride + i`.
    Columns { stride: usize },
}

impl Left {
    /// Where row i starts.
    #[inline(always)]
    fn offset(self, i: usize) -> usize {
        match self {
            Self::Rows { stride } => i * stride,
            Self::Columns { .. } => i,
        }
    }
}

/// The first VECTORS registers of a slice.
#[inline(always)]
fn load<S: Simd, T: Real, const VECTORS: usize>(simd: S, x: &[T]) -> [T::Vector<S>; VECTORS] {
    let width = T::Vector::<S>::LEN;
    let mut registers = [T::Vector::<S>::constant(simd, 0.0); VECTORS];
    for (v, register) in registers.iter_mut().enumerate() {
        *register = T::Vector::<S>::from_slice(simd, &x[v * width..(v + 1) * width]);
    }
    registers
}

/// `sums += entry · columns`.
#[inline(always)]
fn multiply_add<S: Simd, T: Real, const VECTORS: usize>(
    simd: S,
    entry: T,
    columns: &[T::Vector<S>; VECTORS],
    sums: &mut [T::Vector<S>; VECTORS],
) {
    let entry: T::Vector<S> = entry.simd_into(simd);
    for (sum, &column) in sums.iter_mut().zip(columns) {
        *sum = column.mul_add(entry, *sum);
    }
}

/// `left · right` for a block of ROWS rows and VECTORS registers of columns.
///
/// `right` has rows of `stride` values; the block's columns start at its front.
/// Entries of the left factor are broadcast straight from memory: gathered in
/// an array first, they would take a detour over the stack.
#[inline(always)]
fn block<S: Simd, T: Real, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    depth: usize,
    left: &[T],
    layout: Left,
    right: &[T],
    stride: usize,
) -> [[T::Vector<S>; VECTORS]; ROWS] {
    let width = VECTORS * T::Vector::<S>::LEN;
    let mut sums = [[T::Vector::<S>::constant(simd, 0.0); VECTORS]; ROWS];
    match layout {
        Left::Rows { stride: step } => {
            let left = &left[..(ROWS - 1) * step + depth];
            for k in 0..depth {
                let columns = load(simd, &right[k * stride..k * stride + width]);
                for (r, sums) in sums.iter_mut().enumerate() {
                    multiply_add(simd, left[r * step + k], &columns, sums);
                }
            }
        }
        Left::Columns { stride: step } => {
            for k in 0..depth {
                let columns = load(simd, &right[k * stride..k * stride + width]);
                let front = &left[k * step..k * step + ROWS];
                for (sums, &entry) in sums.iter_mut().zip(front) {
                    multiply_add(simd, entry, &columns, sums);
                }
            }
        }
    }
    sums
}

/// Runs `$body` over `$columns` columns, two registers (`$vectors`) at a time
/// and one at the end, `$first` being the first column of each.
macro_rules! pieces {
    ($columns:expr, $width:expr, |$first:ident, $vectors:ident| $body:expr) => {{
        let mut $first = 0;
        while $first + 2 * $width <= $columns {
            const $vectors: usize = 2;
            $body;
            $first += 2 * $width;
        }
        if $first < $columns {
            const $vectors: usize = 1;
            $body;
        }
    }};
}

/// Runs `$body` over `$rows` rows: six (`$count`) at a time, then four, two.
macro_rules! row_blocks {
    ($rows:expr, |$first:ident, $count:ident| $body:expr) => {{
        let mut $first = 0;
        while $first + 6 <= $rows {
            const $count: usize = 6;
            $body;
            $first += 6;
        }
        if $first + 4 <= $rows {
            const $count: usize = 4;
            $body;
            $first += 4;
        }
        if $first < $rows {
            const $count: usize = 2;
            $body;
        }
    }};
}

/// `out += left · right`, with `rows` a multiple of [`ROW_STEP`] and `columns`
/// one of the register width; `right` and `out` have rows of `columns` values.
#[inline(always)]
pub(crate) fn accumulate<S: Simd, T: Real>(
    simd: S,
    (rows, depth, columns): (usize, usize, usize),
    left: &[T],
    layout: Left,
    right: &[T],
    out: &mut [T],
) {
    let width = T::Vector::<S>::LEN;
    debug_assert!(rows.is_multiple_of(ROW_STEP) && columns.is_multiple_of(width));
    row_blocks!(rows, |i, ROWS| {
        let left = &left[layout.offset(i)..];
        pieces!(columns, width, |first, VECTORS| {
            let right = &right[first..];
            let sums = block::<S, T, ROWS, VECTORS>(simd, depth, left, layout, right, columns);
            for (r, sums) in sums.iter().enumerate() {
                let start = (i + r) * columns + first;
                for (v, sum) in sums.iter().enumerate() {
                    let slot = &mut out[start + v * width..start + (v + 1) * width];
                    (T::Vector::<S>::from_slice(simd, slot) + *sum).store_slice(slot);
                }
            }
        });
    });
}

/// `visit(row, first column, registers)` of every register of `left · right`;
/// what the caller does with it stays in cache.
#[inline(always)]
pub(crate) fn for_each_register<S: Simd, T: Real>(
    simd: S,
    (rows, depth, columns): (usize, usize, usize),
    left: &[T],
    stride: usize,
    right: &[T],
    mut visit: impl FnMut(usize, usize, T::Vector<S>),
) {
    let width = T::Vector::<S>::LEN;
    let layout = Left::Rows { stride };
    row_blocks!(rows, |i, ROWS| {
        let left = &left[layout.offset(i)..];
        pieces!(columns, width, |first, VECTORS| {
            let right = &right[first..];
            let sums = block::<S, T, ROWS, VECTORS>(simd, depth, left, layout, right, columns);
            for (r, sums) in sums.iter().enumerate() {
                for (v, sum) in sums.iter().enumerate() {
                    visit(i + r, first + v * width, *sum);
                }
            }
        });
    });
}

/// `x · y` of two slices of equal length.
#[inline(always)]
pub(crate) fn dot<S: Simd, T: Real>(simd: S, x: &[T], y: &[T]) -> T {
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
pub(crate) fn add_scaled<T: Real>(a: T, x: &[T], y: &mut [T]) {
    for (y, &x) in y.iter_mut().zip(x) {
        *y += a * x;
    }
}
