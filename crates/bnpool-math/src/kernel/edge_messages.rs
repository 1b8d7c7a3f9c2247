//! Messages with edge features (GINE).
//!
//! m_u = Σ_v A_uv · ReLU(x_v + e_uv), with one row of edge features per entry
//! of A. An addend holds the node's own term.

use super::{Addend, SparseRows};
use crate::Real;
use crate::buffer::take;
use crate::vector::level;
use fearless_simd::dispatch;
use rayon::prelude::*;

/// Rows per task.
const ROWS_PER_TASK: usize = 64;

/// Computes the messages to every node, plus an addend: [rows, width] from X
/// [columns, width] and E [entries, width].
///
/// # Complexity
///
/// O(entries · width) time, parallel over rows; no memory besides the result.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn edge_messages<T: Real>(
    a: SparseRows<'_>,
    x: &[T],
    e: &[T],
    width: usize,
    addend: Addend<'_, T>,
) -> Vec<T> {
    check(a, x, e, width);
    assert!(
        addend.fits(a.rows(), width),
        "what is added has a row for every node"
    );
    let mut out = take(a.rows() * width);
    if width == 0 {
        return out;
    }
    out.par_chunks_mut(ROWS_PER_TASK * width)
        .enumerate()
        .for_each(|(task, out)| {
            dispatch!(level(), simd => {
                let _ = simd;
                for (i, out) in out.chunks_exact_mut(width).enumerate() {
                    let u = task * ROWS_PER_TASK + i;
                    start(out, addend.row(u, width));
                    for k in a.offsets[u]..a.offsets[u + 1] {
                        let (x, e, w) = entry(a, x, e, width, k);
                        for ((out, &x), &e) in out.iter_mut().zip(x).zip(e) {
                            *out += w * (x + e).maximum(T::ZERO);
                        }
                    }
                }
            });
        });
    out
}

/// Returns the gradient with respect to E, given that with respect to the
/// messages. Summed over the entries of a column, it is the gradient with
/// respect to X (see [`sum_entries_of_columns`]).
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn edge_messages_backward<T: Real>(
    a: SparseRows<'_>,
    x: &[T],
    e: &[T],
    width: usize,
    gradient: &[T],
) -> Vec<T> {
    check(a, x, e, width);
    assert_eq!(gradient.len(), a.rows() * width, "a gradient for every row");
    let mut out = take(e.len());
    if width == 0 {
        return out;
    }
    // Entries of a row are consecutive, so the output is split along the rows.
    let mut rest = &mut out[..];
    let mut jobs = Vec::with_capacity(a.rows().div_ceil(ROWS_PER_TASK));
    for first in (0..a.rows()).step_by(ROWS_PER_TASK) {
        let last = (first + ROWS_PER_TASK).min(a.rows());
        let entries = a.offsets[last] - a.offsets[first];
        let (own, others) = std::mem::take(&mut rest).split_at_mut(entries * width);
        rest = others;
        jobs.push((first..last, own));
    }
    jobs.into_par_iter().for_each(|(rows, out)| {
        dispatch!(level(), simd => {
            let _ = simd;
            let start = a.offsets[rows.start];
            for u in rows {
                let g = &gradient[u * width..(u + 1) * width];
                for k in a.offsets[u]..a.offsets[u + 1] {
                    let (x, e, w) = entry(a, x, e, width, k);
                    let out = &mut out[(k - start) * width..(k - start + 1) * width];
                    for (((out, &x), &e), &g) in out.iter_mut().zip(x).zip(e).zip(g) {
                        *out = if x + e <= T::ZERO { T::ZERO } else { w * g };
                    }
                }
            }
        });
    });
    out
}

/// Sums rows of `values` [entries, width] over the entries of each column of A,
/// plus an addend: [columns, width].
///
/// # Complexity
///
/// O(entries · width) time, in the order of the entries.
#[must_use]
pub fn sum_entries_of_columns<T: Real>(
    a: SparseRows<'_>,
    values: &[T],
    width: usize,
    addend: Addend<'_, T>,
) -> Vec<T> {
    assert!(
        addend.fits(a.columns_count, width),
        "what is added has a row for every column"
    );
    let mut out = take(a.columns_count * width);
    if width == 0 {
        return out;
    }
    for (v, out) in out.chunks_exact_mut(width).enumerate() {
        start(out, addend.row(v, width));
    }
    for (&v, values) in a.columns.iter().zip(values.chunks_exact(width)) {
        let v = v as usize;
        for (out, &x) in out[v * width..(v + 1) * width].iter_mut().zip(values) {
            *out += x;
        }
    }
    out
}

/// Initialises a sum.
#[inline(always)]
fn start<T: Real>(out: &mut [T], row: Option<&[T]>) {
    match row {
        Some(row) => out.copy_from_slice(row),
        None => out.fill(T::ZERO),
    }
}

/// x_v, e_uv and A_uv of an entry.
#[inline(always)]
fn entry<'x, T: Real>(
    a: SparseRows<'_>,
    x: &'x [T],
    e: &'x [T],
    width: usize,
    k: usize,
) -> (&'x [T], &'x [T], T) {
    let v = a.columns[k] as usize;
    let w = a.weights.map_or(T::ONE, |w| T::of(f64::from(w[k])));
    (
        &x[v * width..(v + 1) * width],
        &e[k * width..(k + 1) * width],
        w,
    )
}

fn check<T: Real>(a: SparseRows<'_>, x: &[T], e: &[T], width: usize) {
    assert_eq!(
        x.len(),
        a.columns_count * width,
        "X has a row for every column"
    );
    assert_eq!(
        e.len(),
        a.columns.len() * width,
        "E has a row for every entry"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 → 1, 0 → 2 (twice as heavy), 2 → 0.
    fn graph() -> SparseRows<'static> {
        SparseRows {
            offsets: &[0, 2, 2, 3],
            columns: &[1, 2, 0],
            weights: Some(&[1.0, 2.0, 1.0]),
            columns_count: 3,
        }
    }

    #[test]
    fn negative_sums_send_nothing() {
        let x = [1.0, -3.0, 5.0];
        let e = [1.0, 0.5, -4.0];
        assert_eq!(
            edge_messages(graph(), &x, &e, 1, Addend::None),
            [11.0, 0.0, 0.0]
        );
        let by_entry = edge_messages_backward(graph(), &x, &e, 1, &[1.0, 1.0, 1.0]);
        assert_eq!(by_entry, [0.0, 2.0, 0.0]);
        assert_eq!(
            sum_entries_of_columns(graph(), &by_entry, 1, Addend::None),
            [0.0, 0.0, 2.0]
        );
    }

    #[test]
    fn gradients_match_finite_differences() {
        let width = 3;
        let x: Vec<f64> = (0..9).map(|i| (f64::from(i) * 1.7).sin()).collect();
        let e: Vec<f64> = (0..9).map(|i| (f64::from(i) * 0.6).cos()).collect();
        let g: Vec<f64> = (0..9).map(|i| f64::from(i) - 4.0).collect();
        let value = |x: &[f64], e: &[f64]| -> f64 {
            let m = edge_messages(graph(), x, e, width, Addend::None);
            m.iter().zip(&g).map(|(m, g)| m * g).sum()
        };
        let by_e = edge_messages_backward(graph(), &x, &e, width, &g);
        let by_x = sum_entries_of_columns(graph(), &by_e, width, Addend::None);
        let h = 1e-6;
        for i in 0..9 {
            let (mut up, mut down) = (x.clone(), x.clone());
            up[i] += h;
            down[i] -= h;
            let want = (value(&up, &e) - value(&down, &e)) / (2.0 * h);
            assert!((by_x[i] - want).abs() < 1e-7);
            let (mut up, mut down) = (e.clone(), e.clone());
            up[i] += h;
            down[i] -= h;
            let want = (value(&x, &up) - value(&x, &down)) / (2.0 * h);
            assert!((by_e[i] - want).abs() < 1e-7);
        }
    }
}
