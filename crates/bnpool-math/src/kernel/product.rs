//! Small dense products, register-blocked.
//!
//! All dense products in BN-Pool are those of a tall matrix with a matrix of C
//! ≈ 50 columns: too small to amortise the packing of a general matrix library,
//! and always followed by more work on the same tile. The inner loops use up to
//! 6 rows × 2 registers of accumulators: twelve of the sixteen registers of
//! AVX2, enough to hide the latency of a multiplication. Each entry is summed
//! in the order of the summation index, so the result does not depend on the
//! register width.
//!
//! A product writes its result ([`Onto`]), with a bias or a matrix added ([`Addend`]),
//! instead of being added to zeros: arrays are larger than the cache, so each pass over one
//! counts.

use crate::Real;
use crate::vector::{Vector, is_wide, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;

/// Memory layout of the left factor of a product.
#[derive(Debug, Clone, Copy)]
pub enum Left {
    /// Row i starts at `i · stride`; the summation index runs along the row.
    Rows { stride: usize },
    /// The transpose: entry (i, k) is at `k · stride + i`.
    Columns { stride: usize },
}

impl Left {
    /// Offset of row i.
    #[inline(always)]
    fn offset(self, i: usize) -> usize {
        match self {
            Self::Rows { stride } => i * stride,
            Self::Columns { .. } => i,
        }
    }

    /// Offset of entry k within a row.
    #[inline(always)]
    fn along(self, k: usize) -> usize {
        match self {
            Self::Rows { .. } => k,
            Self::Columns { stride } => k * stride,
        }
    }
}

/// Addend of a product.
#[derive(Debug, Clone, Copy)]
pub enum Addend<'a, T> {
    /// Nothing.
    None,
    /// One row, added to all rows.
    Row(&'a [T]),
    /// A matrix of the shape of the product.
    Rows(&'a [T]),
}

impl<'a, T: Copy> Addend<'a, T> {
    /// Addend of the rows from `first` on, of `columns` values each.
    #[inline(always)]
    pub(crate) fn skip_rows(self, first: usize, columns: usize) -> Self {
        match self {
            Self::Rows(rows) => Self::Rows(&rows[first * columns..]),
            other => other,
        }
    }

    /// Addend of row `r`, of `columns` values; `None` for zeros.
    #[inline(always)]
    pub(crate) fn row(self, r: usize, columns: usize) -> Option<&'a [T]> {
        match self {
            Self::None => None,
            Self::Row(row) => Some(row),
            Self::Rows(rows) => Some(&rows[r * columns..(r + 1) * columns]),
        }
    }

    /// Returns whether the addend fits a [rows, columns] matrix.
    pub(crate) fn fits(self, rows: usize, columns: usize) -> bool {
        match self {
            Self::None => true,
            Self::Row(row) => row.len() == columns,
            Self::Rows(all) => all.len() == rows * columns,
        }
    }
}

/// Destination of a product.
#[derive(Debug, Clone, Copy)]
pub enum Onto<'a, T> {
    /// Adds the product to the existing values.
    Old,
    /// Overwrites the existing values with the product plus this addend.
    New(Addend<'a, T>),
}

impl<'a, T: Real> Onto<'a, T> {
    #[inline(always)]
    fn skip_rows(self, first: usize, columns: usize) -> Self {
        match self {
            Self::Old => Self::Old,
            Self::New(addend) => Self::New(addend.skip_rows(first, columns)),
        }
    }

    /// Addend of row `r` of the product, which is written to `out`.
    #[inline(always)]
    fn row<'b>(self, r: usize, out: &'b [T]) -> Option<&'b [T]>
    where
        'a: 'b,
    {
        match self {
            Self::Old => Some(out),
            Self::New(addend) => addend.row(r, out.len()),
        }
    }
}

/// The first VECTORS registers of a slice.
#[inline(always)]
fn load<S: Simd, V: Vector<S>, const VECTORS: usize>(simd: S, x: &[V::Element]) -> [V; VECTORS] {
    let width = V::LEN;
    let mut registers = [V::constant(simd, 0.0); VECTORS];
    for (v, register) in registers.iter_mut().enumerate() {
        *register = V::from_slice(simd, &x[v * width..(v + 1) * width]);
    }
    registers
}

/// Loads a register from a slice that is too short for it, padded with zeros.
#[cold]
#[inline(never)]
fn load_rest<S: Simd, V: Vector<S>>(simd: S, x: &[V::Element]) -> [V; 1] {
    let mut register = V::constant(simd, 0.0);
    register.as_mut_slice()[..x.len()].copy_from_slice(x);
    [register]
}

/// `sums += entry · columns`.
#[inline(always)]
fn multiply_add<S: Simd, V: Vector<S>, const VECTORS: usize>(
    simd: S,
    entry: V::Element,
    columns: &[V; VECTORS],
    sums: &mut [V; VECTORS],
) {
    let entry: V = entry.simd_into(simd);
    for (sum, &column) in sums.iter_mut().zip(columns) {
        *sum = column.mul_add(entry, *sum);
    }
}

/// `left · right` for a block of ROWS rows and VECTORS registers of columns.
///
/// `right` has rows of `stride` values; the block's columns start at `first`.
/// Entries of the left factor are broadcast straight from memory; gathering them
/// in an array first would spill them to the stack. The rows of the left factor
/// are sliced before the loop, which removes bounds checks from it; for columns,
/// plain indexing is faster.
#[inline(always)]
fn block<S: Simd, V: Vector<S>, const ROWS: usize, const VECTORS: usize>(
    simd: S,
    depth: usize,
    left: &[V::Element],
    layout: Left,
    right: &[V::Element],
    (first, stride): (usize, usize),
) -> [[V; VECTORS]; ROWS] {
    let mut sums = [[V::constant(simd, 0.0); VECTORS]; ROWS];
    let columns = first..first + VECTORS * V::LEN;
    match layout {
        Left::Rows { stride: step } => {
            let rows: [&[V::Element]; ROWS] = std::array::from_fn(|r| &left[r * step..][..depth]);
            for (k, right) in (0..depth).zip(right.chunks_exact(stride)) {
                let columns = load(simd, &right[columns.clone()]);
                for (row, sums) in rows.iter().zip(&mut sums) {
                    multiply_add(simd, row[k], &columns, sums);
                }
            }
        }
        Left::Columns { stride: step } => {
            let (right, width) = (&right[first..], columns.len());
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

/// Variant of [`block`] for rows shorter than one register. The lanes past the
/// end of a row are meaningless.
#[inline(always)]
fn short_rows<S: Simd, V: Vector<S>, const ROWS: usize>(
    simd: S,
    depth: usize,
    left: &[V::Element],
    layout: Left,
    right: &[V::Element],
    stride: usize,
) -> [[V; 1]; ROWS] {
    let lanes = V::LEN;
    let mut sums = [[V::constant(simd, 0.0); 1]; ROWS];
    for k in 0..depth {
        // A register that starts in a row extends into the next rows, which the
        // last rows do not have.
        let right = &right[k * stride..];
        let columns = match right.get(..lanes) {
            Some(right) => load(simd, right),
            None => load_rest(simd, right),
        };
        for (r, sums) in sums.iter_mut().enumerate() {
            let entry = left[layout.offset(r) + layout.along(k)];
            multiply_add(simd, entry, &columns, sums);
        }
    }
    sums
}

/// Runs `$body` over the columns of a matrix, two registers (`$vectors`) at a time
/// and one at the end. `$first` is the first column of each piece; its first
/// `$shared` columns were already part of the previous piece: if the remaining
/// columns do not fill their registers, the last piece starts further left, so
/// that it ends with the row. Requires at least one register of columns.
macro_rules! pieces {
    ($columns:expr, $width:expr, |$first:ident, $shared:ident, $vectors:ident| $body:expr) => {{
        let mut done = 0;
        while done < $columns {
            if $columns >= 2 * $width && $columns - done > $width {
                const $vectors: usize = 2;
                let $first = done.min($columns - 2 * $width);
                let $shared = done - $first;
                $body;
                done = $first + 2 * $width;
            } else {
                const $vectors: usize = 1;
                let $first = done.min($columns - $width);
                let $shared = done - $first;
                $body;
                done = $first + $width;
            }
        }
    }};
}

/// Runs `$body` over `$rows` rows: six (`$count`) at a time, then four, two and
/// one.
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
        if $first + 2 <= $rows {
            const $count: usize = 2;
            $body;
            $first += 2;
        }
        if $first < $rows {
            const $count: usize = 1;
            $body;
        }
    }};
}

/// A float type with products. Not exported: a supertrait of `Real`.
pub trait ProductKernel: Sized {
    /// Writes `left · right` to `out` as given by [`Onto`]; `right` and `out`
    /// have rows of `columns` values. Not generic, so the many blocks are
    /// compiled once, in this crate.
    fn multiply(
        shape: (usize, usize, usize),
        left: &[Self],
        layout: Left,
        right: &[Self],
        onto: Onto<'_, Self>,
        out: &mut [Self],
    );
}

macro_rules! product_kernel {
    ($float:ty) => {
        impl ProductKernel for $float {
            fn multiply(
                shape: (usize, usize, usize),
                left: &[Self],
                layout: Left,
                right: &[Self],
                onto: Onto<'_, Self>,
                out: &mut [Self],
            ) {
                // The layout is constant within each call.
                match layout {
                    Left::Rows { stride } => dispatch!(level(), simd => {
                        multiply(simd, shape, left, Left::Rows { stride }, right, onto, out);
                    }),
                    Left::Columns { stride } => dispatch!(level(), simd => {
                        multiply(simd, shape, left, Left::Columns { stride }, right, onto, out);
                    }),
                }
            }
        }
    };
}

product_kernel!(f32);
product_kernel!(f64);

/// [`ProductKernel::multiply`] with one instruction set.
#[inline(always)]
fn multiply<S: Simd, T: Real>(
    simd: S,
    shape: (usize, usize, usize),
    left: &[T],
    layout: Left,
    right: &[T],
    onto: Onto<'_, T>,
    out: &mut [T],
) {
    let (rows, depth, columns) = shape;
    if columns == 0 {
        return;
    }
    if depth == 0 {
        for (r, out) in out.chunks_exact_mut(columns).take(rows).enumerate() {
            for column in 0..columns {
                out[column] = onto.row(r, out).map_or(T::ZERO, |row| row[column]);
            }
        }
        return;
    }
    let right = &right[..depth * columns];
    if is_wide(simd) && columns >= T::Wide::<S>::LEN {
        multiply_registers::<S, T, T::Wide<S>>(simd, shape, left, layout, right, onto, out);
    } else if columns >= T::Vector::<S>::LEN {
        multiply_registers::<S, T, T::Vector<S>>(simd, shape, left, layout, right, onto, out);
    } else {
        row_blocks!(rows, |i, ROWS| {
            let left = &left[layout.offset(i)..];
            let out = &mut out[i * columns..(i + ROWS) * columns];
            let onto = onto.skip_rows(i, columns);
            let sums: [[T::Vector<S>; 1]; ROWS] =
                short_rows(simd, depth, left, layout, right, columns);
            for (r, ([sums], out)) in sums.iter().zip(out.chunks_exact_mut(columns)).enumerate() {
                for (column, &sum) in sums.as_slice()[..columns].iter().enumerate() {
                    out[column] = onto.row(r, out).map_or(sum, |row| row[column] + sum);
                }
            }
        });
    }
}

/// The product for rows of at least one register.
#[inline(always)]
fn multiply_registers<S: Simd, T: Real, V: Vector<S, Element = T>>(
    simd: S,
    (rows, depth, columns): (usize, usize, usize),
    left: &[T],
    layout: Left,
    right: &[T],
    onto: Onto<'_, T>,
    out: &mut [T],
) {
    let width = V::LEN;
    let lane = V::from_fn(simd, |i| T::of(i as f64));
    row_blocks!(rows, |i, ROWS| {
        let left = &left[layout.offset(i)..];
        let out = &mut out[i * columns..(i + ROWS) * columns];
        let onto = onto.skip_rows(i, columns);
        pieces!(columns, width, |first, shared, VECTORS| {
            let place = (first, columns);
            let sums = block::<S, V, ROWS, VECTORS>(simd, depth, left, layout, right, place);
            for (r, (sums, out)) in sums.iter().zip(out.chunks_exact_mut(columns)).enumerate() {
                for (v, &sum) in sums.iter().enumerate() {
                    let column = first + v * width;
                    let place = column..column + width;
                    let mut sum = sum;
                    if let Some(row) = onto.row(r, out) {
                        let old = V::from_slice(simd, &row[place.clone()]);
                        sum += old;
                        // Shared columns must not be added twice.
                        if matches!(onto, Onto::Old) && shared > v * width {
                            let again = lane.simd_lt(T::of((shared - v * width) as f64));
                            sum = again.select(old, sum);
                        }
                    }
                    sum.store_slice(&mut out[place]);
                }
            }
        });
    });
}

/// Calls `visit(row, first column, register)` for every register of
/// `left · right`, so that the caller can process it while it is in cache.
/// `columns` is a multiple of the register width.
#[inline(always)]
pub(crate) fn for_each_register<S: Simd, V: Vector<S>>(
    simd: S,
    (rows, depth, columns): (usize, usize, usize),
    left: &[V::Element],
    layout: Left,
    right: &[V::Element],
    mut visit: impl FnMut(usize, usize, V),
) {
    debug_assert!(columns.is_multiple_of(V::LEN));
    row_blocks!(rows, |i, ROWS| {
        let left = &left[layout.offset(i)..];
        pieces!(columns, V::LEN, |first, _shared, VECTORS| {
            let place = (first, columns);
            let sums = block::<S, V, ROWS, VECTORS>(simd, depth, left, layout, right, place);
            for (r, sums) in sums.iter().enumerate() {
                for (v, sum) in sums.iter().enumerate() {
                    visit(i + r, first + v * V::LEN, *sum);
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

/// `sums += Σ rows`, with rows as long as `sums`.
#[inline(always)]
pub(crate) fn add_rows<S: Simd, T: Real>(_: S, rows: &[T], sums: &mut [T]) {
    for row in rows.chunks_exact(sums.len().max(1)) {
        add_scaled(T::ONE, row, sums);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{f32x8, f32x16};

    #[test]
    fn the_width_of_a_register_changes_no_bit() {
        let noise = |n: usize, salt: usize| -> Vec<f32> {
            (0..n)
                .map(|i| ((i * 7919 + salt * 104_729) % 1013) as f32 / 507.0 - 1.0)
                .collect()
        };
        let depth = 37;
        for columns in [16, 17, 31, 32, 33, 48, 50, 64, 98] {
            for rows in [1, 5, 6, 13] {
                let (left, right) = (noise(rows * depth, 1), noise(depth * columns, 2));
                let (before, addend) = (noise(rows * columns, 3), noise(columns, 4));
                let layouts = [Left::Rows { stride: depth }, Left::Columns { stride: rows }];
                let ontos = [Onto::Old, Onto::New(Addend::Row(&addend))];
                for (layout, onto) in layouts.into_iter().flat_map(|l| ontos.map(|o| (l, o))) {
                    let (mut narrow, mut wide) = (before.clone(), before.clone());
                    let shape = (rows, depth, columns);
                    dispatch!(level(), s => {
                        multiply_registers::<_, f32, f32x8<_>>(s, shape, &left, layout, &right, onto, &mut narrow);
                        multiply_registers::<_, f32, f32x16<_>>(s, shape, &left, layout, &right, onto, &mut wide);
                    });
                    assert_eq!(narrow, wide, "{shape:?}, {layout:?}, {onto:?}");
                }
            }
        }
    }
}
