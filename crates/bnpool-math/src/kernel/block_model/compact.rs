//! S and K of one graph without unused clusters, laid out for tiles.

use super::tuning::{TILE, UNUSED};
use crate::Real;
use crate::kernel::product::{Addend, Left, Onto, add_scaled};
use crate::vector::{is_wide, level};
use fearless_simd::dispatch;
use rayon::prelude::*;
use std::borrow::Cow;

/// Largest value of every column.
fn column_maxima<T: Real>(rows: &[T], columns: usize) -> Vec<T> {
    let mut largest = vec![T::ZERO; columns];
    for row in rows.chunks_exact(columns) {
        for (m, &x) in largest.iter_mut().zip(row) {
            *m = m.maximum(x);
        }
    }
    largest
}

/// Values of the widest register of this processor: padding to it suits both
/// `f32` and `f64`, and only adds zeros.
pub(super) fn lanes() -> usize {
    dispatch!(level(), simd => if is_wide(simd) { 16 } else { 8 })
}

/// The compact form of one graph.
pub(super) struct Compact<T> {
    /// Nodes.
    pub(super) nodes: usize,
    /// Clusters in use.
    pub(super) active: Vec<usize>,
    /// Width of a row: the clusters in use, padded to whole registers.
    pub(super) width: usize,
    /// S, [nodes, width]; may contain further rows after those of the nodes.
    pub(super) s: Vec<T>,
    /// P = S K, shaped like S; empty until [`multiply`](Self::multiply).
    pub(super) p: Vec<T>,
}

impl<T: Real> Compact<T> {
    /// Selects the clusters in use, or all of them if `all` is set.
    pub(super) fn new(rows: &[T], clusters: usize, all: bool) -> Self {
        let nodes = rows.len() / clusters;
        let largest = rows
            .par_chunks(TILE * clusters)
            .map(|rows| column_maxima(rows, clusters))
            .reduce_with(|mut a, b| {
                for (x, y) in a.iter_mut().zip(b) {
                    *x = x.maximum(y);
                }
                a
            })
            .unwrap_or_else(|| vec![T::ZERO; clusters]);
        // A NaN membership affects the gradients of all clusters.
        let all = all || !largest.iter().all(|x| x.finite());
        let mut active: Vec<usize> = (0..clusters)
            .filter(|&c| all || largest[c] > T::of(UNUSED))
            .collect();
        if active.is_empty() {
            active.push(0);
        }
        let width = active.len().next_multiple_of(lanes());
        let mut s = vec![T::ZERO; nodes * width];
        s.par_chunks_mut(TILE * width)
            .zip(rows.par_chunks(TILE * clusters))
            .for_each(|(s, rows)| {
                for (row, out) in rows.chunks_exact(clusters).zip(s.chunks_exact_mut(width)) {
                    for (x, &c) in out.iter_mut().zip(&active) {
                        *x = row[c];
                    }
                }
            });
        Self {
            nodes,
            active,
            width,
            s,
            p: Vec::new(),
        }
    }

    /// Wraps an S that is already padded, with all clusters. The first `nodes` rows
    /// are the nodes; later rows occur only as the other end of a pair.
    pub(super) fn of_padded(s: Vec<T>, nodes: usize, clusters: usize) -> Self {
        Self {
            nodes,
            active: (0..clusters).collect(),
            width: clusters.next_multiple_of(lanes()),
            s,
            p: Vec::new(),
        }
    }

    /// Submatrix of a C × C matrix for the clusters in use, padded:
    /// [clusters in use, width].
    pub(super) fn used_part(&self, entry: impl Fn(usize, usize) -> T) -> Vec<T> {
        let mut out = vec![T::ZERO; self.active.len() * self.width];
        for (row, &c) in out.chunks_exact_mut(self.width).zip(&self.active) {
            for (x, &d) in row.iter_mut().zip(&self.active) {
                *x = entry(c, d);
            }
        }
        out
    }

    /// Computes P = S K.
    pub(super) fn multiply(&mut self, block_matrix: &[T], clusters: usize) {
        let k = self.used_part(|c, d| block_matrix[c * clusters + d]);
        let mut p = vec![T::ZERO; self.s.len()];
        p.par_chunks_mut(TILE * self.width)
            .enumerate()
            .for_each(|(i, p)| self.tile_product(i, &k, p));
        self.p = p;
    }

    /// Writes S K of tile i to `out`, for K [clusters in use, width].
    pub(super) fn tile_product(&self, i: usize, k: &[T], out: &mut [T]) {
        let shape = (out.len() / self.width, self.active.len(), self.width);
        let left = Left::Rows { stride: self.width };
        let s = self.tile(&self.s, i);
        T::multiply(shape, s, left, k, Onto::New(Addend::None), out);
    }

    /// Number of tiles along an axis.
    pub(super) fn tiles(&self) -> usize {
        self.nodes.div_ceil(TILE)
    }

    /// Nodes of tile i.
    pub(super) fn tile_nodes(&self, i: usize) -> usize {
        TILE.min(self.nodes - i * TILE)
    }

    /// The rows of tile i of a matrix shaped like S.
    pub(super) fn tile<'a>(&self, matrix: &'a [T], i: usize) -> &'a [T] {
        let end = ((i + 1) * TILE).min(self.nodes);
        &matrix[i * TILE * self.width..end * self.width]
    }

    /// Sᵀ of every tile: [clusters in use, nodes of the tile padded to whole
    /// registers], one tile after the other.
    pub(super) fn transposed(&self) -> Vec<Vec<T>> {
        (0..self.tiles())
            .into_par_iter()
            .map(|i| {
                let columns = self.tile_nodes(i).next_multiple_of(lanes());
                let mut out = vec![T::ZERO; self.active.len() * columns];
                let rows = self.tile(&self.s, i).chunks_exact(self.width);
                for (u, row) in rows.take(self.tile_nodes(i)).enumerate() {
                    for (c, &x) in row[..self.active.len()].iter().enumerate() {
                        out[c * columns + u] = x;
                    }
                }
                out
            })
            .collect()
    }

    /// The rows of a C × C matrix that belong to the clusters in use.
    pub(super) fn used_rows<'a>(&self, matrix: &'a [T], clusters: usize) -> Cow<'a, [T]> {
        if self.active.len() == clusters {
            return Cow::Borrowed(matrix);
        }
        let mut rows = Vec::with_capacity(self.active.len() * clusters);
        for &c in &self.active {
            rows.extend_from_slice(&matrix[c * clusters..(c + 1) * clusters]);
        }
        Cow::Owned(rows)
    }

    /// ∂L/∂S of the rows of a tile: the sum of the products of `sums` (M, and N
    /// if it differs) with their factors.
    pub(super) fn tile_gradient<'a>(
        &self,
        sums: impl IntoIterator<Item = &'a [T]>,
        factors: &[Cow<'_, [T]>],
        clusters: usize,
        out: &mut [T],
    ) {
        let shape = (out.len() / clusters, self.active.len(), clusters);
        let left = Left::Rows { stride: self.width };
        let mut onto = Onto::New(Addend::None);
        for (sums, k) in sums.into_iter().zip(factors) {
            T::multiply(shape, sums, left, k, onto, out);
            onto = Onto::Old;
        }
    }

    /// Adds SᵀM of some rows to `sum` [width, width].
    pub(super) fn add_square(&self, s: &[T], m: &[T], sum: &mut [T]) {
        let shape = (self.width, s.len() / self.width, self.width);
        let left = Left::Columns { stride: self.width };
        T::multiply(shape, s, left, m, Onto::Old, sum);
    }

    /// Adds ∂L/∂K = SᵀM, given as partial sums over runs of rows, to `out`
    /// [C, C]. Partial sums are added in order, so the result is accurate and
    /// does not depend on the number of threads.
    pub(super) fn add_block_gradient(&self, parts: Vec<Vec<T>>, clusters: usize, out: &mut [T]) {
        let sum = parts.into_iter().reduce(|mut sum, part| {
            add_scaled(T::ONE, &part, &mut sum);
            sum
        });
        let Some(sum) = sum else { return };
        for (row, &c) in sum.chunks_exact(self.width).zip(&self.active) {
            let out = &mut out[c * clusters..(c + 1) * clusters];
            if self.active.len() == clusters {
                add_scaled(T::ONE, &row[..clusters], out);
                continue;
            }
            for (&x, &d) in row.iter().zip(&self.active) {
                out[d] += x;
            }
        }
    }
}
