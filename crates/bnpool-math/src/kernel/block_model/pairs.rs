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
    /// The transpose, where it differs.
    pub(super) columns: Option<SparseRows<'a>>,
    /// First node of the graph.
    pub(super) first: usize,
    pub(super) softplus: f64,
    pub(super) linear: f64,
    /// Whether stored weights are targets; else every listed pair has t = 1.
    pub(super) weighted: bool,
}

/// Pairs of a row whose exponentials are taken together.
const TOGETHER: usize = 32;

/// (σ(x), softplus(x)) of many logits, in double precision: pairs are few, and
/// their losses partly cancel those of the tiles.
#[inline(always)]
fn sigmoid_softplus<S: Simd>(simd: S, x: &[f64; TOGETHER]) -> ([f64; TOGETHER], [f64; TOGETHER]) {
    let (mut sigmoid, mut softplus) = ([0.0; TOGETHER], [0.0; TOGETHER]);
    for ((x, a), b) in x
        .chunks_exact(4)
        .zip(sigmoid.chunks_exact_mut(4))
        .zip(softplus.chunks_exact_mut(4))
    {
        let (s, p) = f64x4::from_slice(simd, x).sigmoid_softplus(simd);
        s.store_slice(a);
        p.store_slice(b);
    }
    (sigmoid, softplus)
}

impl<T: Real> Compact<T> {
    /// Loss of the listed pairs; gradients are added to `sums` where wanted.
    pub(super) fn listed_pairs(&self, pairs: &Pairs<'_>, sums: Option<&mut Sums<T>>) -> f64 {
        let width = self.width;
        let mut empty = Vec::new();
        let wanted = sums.is_some();
        let (by_rows, by_columns) = match sums {
            Some(sums) => (&mut sums.by_rows, &mut sums.by_columns[..]),
            None => (&mut empty, &mut [][..]),
        };
        by_rows.resize(self.s.len(), T::ZERO);
        let losses: Vec<f64> = by_rows
            .par_chunks_mut(TILE * width)
            .enumerate()
            .map(|(task, sums)| {
                let side = (pairs.rows, &self.p[..], &self.s[..]);
                dispatch!(level(), simd => self.rows(simd, pairs, side, task, sums, wanted))
            })
            .collect();
        // N = Gᵀ S: the same pairs by columns, x_uv = p_u · s_v as before.
        let columns = pairs.columns.unwrap_or(pairs.rows);
        by_columns
            .par_chunks_mut(TILE * width)
            .enumerate()
            .for_each(|(task, sums)| {
                let side = (columns, &self.s[..], &self.p[..]);
                dispatch!(level(), simd => self.rows(simd, pairs, side, task, sums, true));
            });
        losses.iter().sum()
    }

    /// The pairs of one tile of nodes: x = own_u · other_v, `sums_u += g · s_v`.
    #[inline(always)]
    fn rows<S: Simd>(
        &self,
        simd: S,
        pairs: &Pairs<'_>,
        (matrix, own, other): (SparseRows<'_>, &[T], &[T]),
        task: usize,
        sums: &mut [T],
        wanted: bool,
    ) -> f64 {
        let row = |u: usize| u * self.width..(u + 1) * self.width;
        let mut loss = 0.0;
        for (i, sum) in sums.chunks_exact_mut(self.width).enumerate() {
            let u = task * TILE + i;
            if u >= self.nodes {
                break;
            }
            let own = &own[row(u)];
            let mut entries = matrix
                .row_entries(pairs.first + u)
                .filter_map(|(v, weight)| {
                    let target = if pairs.weighted {
                        f64::from(weight)
                    } else {
                        1.0
                    };
                    // A stored zero is no edge.
                    (target != 0.0).then_some((v - pairs.first, pairs.linear * target))
                });
            loop {
                let (mut x, mut listed, mut count) = ([0.0; TOGETHER], [(0, 0.0); TOGETHER], 0);
                for (v, linear) in entries.by_ref().take(TOGETHER) {
                    x[count] = dot(simd, own, &other[row(v)]).f64();
                    listed[count] = (v, linear);
                    count += 1;
                }
                if count == 0 {
                    break;
                }
                let (sigmoid, softplus) = sigmoid_softplus(simd, &x);
                for (k, &(v, linear)) in listed[..count].iter().enumerate() {
                    loss += pairs.softplus * softplus[k] - linear * x[k];
                    if wanted {
                        let g = T::of(pairs.softplus * sigmoid[k] - linear);
                        add_scaled(g, &self.s[row(v)], sum);
                    }
                }
            }
        }
        loss
    }
}
