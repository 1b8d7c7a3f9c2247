//! The symmetrically normalised adjacency M = D^-1/2 A D^-1/2 and one step of
//! a Chebyshev recurrence in it.

use super::SpectralError;
use super::block::Block;
use crate::kernel::SparseRows;
use crate::vector::{Vector, level};
use fearless_simd::prelude::*;
use fearless_simd::{dispatch, f32x8};
use rayon::prelude::*;

/// Rows per task.
const ROWS_PER_TASK: usize = 64;

/// M, with precomputed entries.
pub(super) struct Normalised<'a> {
    rows: SparseRows<'a>,
    entries: Vec<f32>,
    /// Weighted degree of each node.
    pub(super) degrees: Vec<f64>,
}

impl<'a> Normalised<'a> {
    /// Checks and normalises an adjacency matrix.
    pub(super) fn new(rows: SparseRows<'a>) -> Result<Self, SpectralError> {
        if rows.rows() != rows.columns_count {
            return Err(SpectralError::NotSquare {
                rows: rows.rows(),
                columns: rows.columns_count,
            });
        }
        for u in 0..rows.weights.map_or(0, |_| rows.rows()) {
            if let Some((column, weight)) = rows
                .row_entries(u)
                .find(|(_, w)| !w.is_finite() || *w < 0.0)
            {
                return Err(SpectralError::Weight {
                    row: u,
                    column,
                    weight,
                });
            }
        }
        let degrees: Vec<f64> = (0..rows.rows())
            .into_par_iter()
            .map(|u| rows.row_entries(u).map(|(_, w)| f64::from(w)).sum())
            .collect();
        let inverse_roots: Vec<f64> = degrees
            .par_iter()
            .map(|&d| if d > 0.0 { d.sqrt().recip() } else { 0.0 })
            .collect();
        let mut entries = Vec::with_capacity(rows.entries());
        for u in 0..rows.rows() {
            entries.extend(
                rows.row_entries(u)
                    .map(|(v, w)| (inverse_roots[u] * f64::from(w) * inverse_roots[v]) as f32),
            );
        }
        Ok(Self {
            rows,
            entries,
            degrees,
        })
    }

    /// −M, whose largest eigenvalues are the smallest of M.
    pub(super) fn negate(&mut self) {
        self.entries.par_iter_mut().for_each(|x| *x = -*x);
    }

    /// Number of nodes.
    pub(super) fn nodes(&self) -> usize {
        self.degrees.len()
    }

    /// M itself.
    pub(super) fn view(&self) -> SparseRows<'_> {
        SparseRows {
            weights: Some(&self.entries),
            ..self.rows
        }
    }

    /// z ← a M x + b x − c z, in place.
    pub(super) fn step(&self, x: &Block, [a, b, c]: [f32; 3], z: &mut Block) {
        let (rows, width, nodes) = (self.view(), x.width, self.nodes());
        z.values
            .par_chunks_mut(ROWS_PER_TASK * width)
            .enumerate()
            .for_each(|(task, z)| {
                let first = task * ROWS_PER_TASK;
                dispatch!(level(), simd => {
                    for (u, z) in (first..nodes).zip(z.chunks_exact_mut(width)) {
                        row(simd, rows, u, &x.values, [a, b, c], z);
                    }
                });
            });
    }
}

/// Computes one row of a step, a few registers at a time so that the sums stay
/// in registers.
#[inline(always)]
fn row<S: Simd>(simd: S, m: SparseRows<'_>, u: usize, x: &[f32], abc: [f32; 3], z: &mut [f32]) {
    let lanes = f32x8::<S>::LEN;
    let mut first = 0;
    while first + 4 * lanes <= z.len() {
        registers::<S, 4>(simd, m, u, x, abc, first, z);
        first += 4 * lanes;
    }
    if first + 2 * lanes <= z.len() {
        registers::<S, 2>(simd, m, u, x, abc, first, z);
        first += 2 * lanes;
    }
    if first < z.len() {
        registers::<S, 1>(simd, m, u, x, abc, first, z);
    }
}

#[inline(always)]
fn registers<S: Simd, const VECTORS: usize>(
    simd: S,
    m: SparseRows<'_>,
    u: usize,
    x: &[f32],
    [a, b, c]: [f32; 3],
    first: usize,
    z: &mut [f32],
) {
    let (lanes, width) = (f32x8::<S>::LEN, z.len());
    let mut sums = [f32x8::constant(simd, 0.0); VECTORS];
    for (v, entry) in m.row_entries(u) {
        let start = v * width + first;
        let x = &x[start..start + VECTORS * lanes];
        for (sum, x) in sums.iter_mut().zip(x.chunks_exact(lanes)) {
            *sum = f32x8::from_slice(simd, x).mul_add(entry, *sum);
        }
    }
    let own = &x[u * width + first..u * width + first + VECTORS * lanes];
    let z = &mut z[first..first + VECTORS * lanes];
    for ((sum, x), z) in sums
        .iter()
        .zip(own.chunks_exact(lanes))
        .zip(z.chunks_exact_mut(lanes))
    {
        let kept = f32x8::from_slice(simd, x) * b - f32x8::from_slice(simd, z) * c;
        (*sum * a + kept).store_slice(z);
    }
}
