//! Listed pairs: the edges of the dense loss, edges and negatives of the sparse
//! one.
//!
//! Each pair contributes `a softplus(x) − b t x` with derivative `a σ(x) − b t`:
//!
//! | pairs                    | a       | b  |
//! |--------------------------|---------|----|
//! | edges of the dense loss  | w⁺ − w⁻ | w⁺ |
//! | edges, sparse            | w       | w  |
//! | negatives, sparse        | w       | 0  |

use super::compact::Compact;
use super::tiles::Sums;
use super::tuning::TILE;
use crate::Real;
use crate::kernel::SparseRows;
use crate::kernel::product::{add_scaled, dot};
use crate::vector::{Vector, level};
use fearless_simd::prelude::*;
use fearless_simd::{dispatch, f64x4};
use rayon::prelude::*;

/// The listed pairs of one graph: rows `first..first + nodes` of a
/// block-diagonal matrix, and their coefficients.
#[derive(Clone, Copy)]
pub(super) struct Pairs<'a> {
    pub(super) rows: SparseRows<'a>,
    /// The transpose, if it differs.
    pub(super) columns: Option<SparseRows<'a>>,
    /// First node of the graph.
    pub(super) first: usize,
    pub(super) softplus: f64,
    pub(super) linear: f64,
    /// Whether stored weights are targets; otherwise every listed pair has t =
    /// 1.
    pub(super) weighted: bool,
}

/// The end of a pair that a tile owns.
#[derive(Clone, Copy)]
pub(super) enum Side {
    /// Pairs (u, v) of the nodes u of a tile, for M = G S.
    Rows,
    /// Pairs (v, u) of the nodes u of a tile, for N = Gᵀ S.
    Columns,
}

/// Number of pairs whose exponentials are evaluated together: enough to keep
/// the long polynomials of several registers in flight, regardless of node
/// degrees.
const TOGETHER: usize = 128;

/// Pairs of a tile whose exponentials are pending.
struct Waiting {
    count: usize,
    /// Logits.
    x: [f64; TOGETHER],
    /// −∂L/∂x without the softplus term.
    linear: [f64; TOGETHER],
    /// Row in the tile, and the node at the other end.
    places: [(u32, u32); TOGETHER],
}

impl<T: Real> Compact<T> {
    /// Returns the loss of the listed pairs, given P = S K; adds gradients to
    /// `sums` if requested.
    pub(super) fn listed_pairs(&self, pairs: &Pairs<'_>, sums: Option<&mut Sums<T>>) -> f64 {
        let tile = TILE * self.width;
        let mut losses = vec![0.0; self.tiles()];
        let Some(sums) = sums else {
            losses.par_iter_mut().enumerate().for_each(|(i, loss)| {
                let own = self.tile(&self.p, i);
                *loss = self.tile_pairs(pairs, Side::Rows, i, (own, &self.s), &mut [], false);
            });
            return losses.iter().sum();
        };
        sums.by_rows
            .par_chunks_mut(tile)
            .zip(&mut losses)
            .enumerate()
            .for_each(|(i, (sums, loss))| {
                let own = self.tile(&self.p, i);
                *loss = self.tile_pairs(pairs, Side::Rows, i, (own, &self.s), sums, true);
            });
        // N = Gᵀ S: the pairs by columns, x_vu = p_v · s_u as before.
        sums.by_columns
            .par_chunks_mut(tile)
            .enumerate()
            .for_each(|(i, sums)| {
                let own = self.tile(&self.s, i);
                self.tile_pairs(pairs, Side::Columns, i, (own, &self.p), sums, true);
            });
        losses.iter().sum()
    }

    /// Processes the pairs of tile i: x = own_u · other_v, and
    /// `sums_u += g · s_v` if requested; `own` and `sums` hold the rows of the
    /// tile.
    pub(super) fn tile_pairs(
        &self,
        pairs: &Pairs<'_>,
        side: Side,
        i: usize,
        (own, other): (&[T], &[T]),
        sums: &mut [T],
        wanted: bool,
    ) -> f64 {
        let matrix = match side {
            Side::Rows => pairs.rows,
            Side::Columns => pairs.columns.unwrap_or(pairs.rows),
        };
        dispatch!(level(), simd => self.rows(simd, pairs, (matrix, own, other), i, sums, wanted))
    }

    #[inline(always)]
    fn rows<S: Simd>(
        &self,
        simd: S,
        pairs: &Pairs<'_>,
        (matrix, own, other): (SparseRows<'_>, &[T], &[T]),
        tile: usize,
        sums: &mut [T],
        wanted: bool,
    ) -> f64 {
        let width = self.width;
        let mut loss = 0.0;
        let mut waiting = Waiting {
            count: 0,
            x: [0.0; TOGETHER],
            linear: [0.0; TOGETHER],
            places: [(0, 0); TOGETHER],
        };
        for (i, own) in own
            .chunks_exact(width)
            .take(self.tile_nodes(tile))
            .enumerate()
        {
            for (v, weight) in matrix.row_entries(pairs.first + tile * TILE + i) {
                let target = if pairs.weighted {
                    f64::from(weight)
                } else {
                    1.0
                };
                // A stored zero is not an edge.
                if target == 0.0 {
                    continue;
                }
                let v = v - pairs.first;
                let k = waiting.count;
                waiting.x[k] = dot(simd, own, &other[v * width..(v + 1) * width]).f64();
                waiting.linear[k] = pairs.linear * target;
                waiting.places[k] = (i as u32, v as u32);
                waiting.count += 1;
                if waiting.count == TOGETHER {
                    loss += self.finish(simd, pairs.softplus, &mut waiting, sums, wanted);
                }
            }
        }
        loss + self.finish(simd, pairs.softplus, &mut waiting, sums, wanted)
    }

    /// Computes loss and gradients of the pending pairs. In double precision,
    /// because pairs are few and their losses partly cancel those of the tiles.
    #[inline(always)]
    fn finish<S: Simd>(
        &self,
        simd: S,
        softplus_weight: f64,
        waiting: &mut Waiting,
        sums: &mut [T],
        wanted: bool,
    ) -> f64 {
        let count = std::mem::take(&mut waiting.count);
        let mut sigmoids = [0.0; TOGETHER];
        let mut loss = 0.0;
        let registers = waiting.x.chunks_exact(4).zip(sigmoids.chunks_exact_mut(4));
        let linear = waiting.linear.chunks_exact(4);
        for (k, ((x, sigmoids), linear)) in
            registers.zip(linear).enumerate().take(count.div_ceil(4))
        {
            let (sigmoid, softplus) = f64x4::from_slice(simd, x).sigmoid_softplus(simd);
            sigmoid.store_slice(sigmoids);
            // Entries after the last pair are stale and ignored.
            for lane in 0..4.min(count - 4 * k) {
                loss += softplus_weight * softplus[lane] - linear[lane] * x[lane];
            }
        }
        if wanted {
            let width = self.width;
            let places = waiting.places[..count].iter();
            for ((&(u, v), linear), sigmoid) in places.zip(&waiting.linear).zip(&sigmoids) {
                let (u, v) = (u as usize * width, v as usize * width);
                let g = T::of(softplus_weight * sigmoid - linear);
                add_scaled(g, &self.s[v..v + width], &mut sums[u..u + width]);
            }
        }
        loss
    }
}
