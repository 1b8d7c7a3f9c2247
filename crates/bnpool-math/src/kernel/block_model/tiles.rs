//! All ordered pairs of a graph, tile by tile.
//!
//! Every pair is first treated as a non-edge, so there is no branch inside a
//! tile. The edges are corrected afterwards (see `pairs`).
//!
//! Tiles are scheduled like a round-robin tournament: in each round, every
//! block of nodes meets one other block. All tiles of a round thus write to
//! different accumulators, and a block receives its sums in the order of the
//! rounds. A single accumulator suffices for any number of threads, and the
//! result does not depend on their number.

use super::compact::{Compact, lanes};
use super::tuning::TILE;
use crate::Real;
use crate::kernel::product::{Left, Onto, for_each_register};
use crate::vector::{Vector, is_wide, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Accumulators of the gradients.
pub(super) struct Sums<T> {
    /// M = G S: [nodes, width].
    pub(super) by_rows: Vec<T>,
    /// N = Gᵀ S; empty if G is symmetric and N = M.
    pub(super) by_columns: Vec<T>,
}

impl<T: Real> Sums<T> {
    /// Zero accumulators for a graph.
    pub(super) fn new(compact: &Compact<T>, symmetric: bool) -> Self {
        let size = compact.s.len();
        Self {
            by_rows: vec![T::ZERO; size],
            by_columns: vec![T::ZERO; if symmetric { 0 } else { size }],
        }
    }
}

/// The pairs of blocks that meet in one round of a tournament of `blocks`.
fn round(blocks: usize, round: usize) -> Vec<(usize, usize)> {
    // The circle method; with an odd number of blocks, one pauses in each
    // round.
    let even = blocks + blocks % 2;
    let ring = even - 1;
    (0..even / 2)
        .map(|i| match i {
            0 => (round, ring),
            i => ((round + i) % ring, (round + ring - i) % ring),
        })
        .map(|(i, j)| (i.min(j), i.max(j)))
        .filter(|&(_, j)| j < blocks)
        .collect()
}

/// Turns the logits of a tile into G = w σ(x); returns Σ softplus(x).
///
/// `p` holds the rows of the tile, `st` the transposed columns, `g` receives
/// [rows, columns padded].
#[inline(always)]
fn logits<S: Simd, T: Real, V: Vector<S, Element = T, Narrow = T::Vector<S>>>(
    simd: S,
    (rows, columns, depth): (usize, usize, usize),
    width: usize,
    p: &[T],
    st: &[T],
    weight: T,
    g: &mut [T],
) -> f64 {
    let stride = st.len() / depth;
    let lanes = V::LEN;
    let weight: V = weight.simd_into(simd);
    let zero = V::constant(simd, 0.0);
    let lane = V::from_fn(simd, |i| T::of(i as f64));
    let mut sums = [T::Vector::<S>::constant(simd, 0.0); TILE];
    for_each_register(
        simd,
        (rows, depth, stride),
        p,
        Left::Rows { stride: width },
        st,
        #[inline(always)]
        |r, first, x: V| {
            let (sigmoid, softplus) = x.sigmoid_softplus(simd);
            (sigmoid * weight).store_slice(&mut g[r * stride + first..r * stride + first + lanes]);
            let counted = if first + lanes <= columns {
                softplus
            } else {
                // Mask out the padding after the last column.
                lane.simd_lt(T::of(columns.saturating_sub(first) as f64))
                    .select(softplus, zero)
            };
            sums[r] = counted.add_to(sums[r]);
        },
    );
    sums[..rows].iter().map(|sum| sum.reduce_sum().f64()).sum()
}

/// State shared by all tiles of a pass.
struct Pass<'a, T> {
    transposed: &'a [Vec<T>],
    weight: T,
    wanted: bool,
}

impl<T: Copy> Clone for Pass<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy> Copy for Pass<'_, T> {}

/// The four accumulators a meeting of two blocks may write to.
struct Meeting<'a, T> {
    blocks: (usize, usize),
    by_rows: [&'a mut [T]; 2],
    by_columns: [&'a mut [T]; 2],
}

impl<T: Real> Compact<T> {
    /// Returns w · Σ softplus(x) over all ordered pairs, and adds its gradients
    /// to `sums` if given.
    pub(super) fn all_pairs(&self, weight: T, symmetric: bool, sums: Option<&mut Sums<T>>) -> f64 {
        let transposed = self.transposed();
        let blocks = self.tiles();
        let mut none = Sums {
            by_rows: Vec::new(),
            by_columns: Vec::new(),
        };
        let wanted = sums.is_some();
        let sums = sums.unwrap_or(&mut none);
        // Room for G of the largest tile, padded to whole registers.
        let largest = self.tile_nodes(0).next_multiple_of(lanes());
        let mut total = 0.0;
        // A block meets itself before it meets the others.
        let meetings = (0..blocks + blocks % 2).map(|r| match r {
            0 => (0..blocks).map(|i| (i, i)).collect(),
            r => round(blocks, r - 1),
        });
        for pairs in meetings {
            let mut by_rows = self.slots(&mut sums.by_rows);
            let mut by_columns = self.slots(&mut sums.by_columns);
            let mut tasks: Vec<Meeting<'_, T>> = pairs
                .into_iter()
                .map(|(i, j)| Meeting {
                    blocks: (i, j),
                    by_rows: [take(&mut by_rows, i), take(&mut by_rows, j)],
                    by_columns: [take(&mut by_columns, i), take(&mut by_columns, j)],
                })
                .collect();
            let losses: Vec<f64> = tasks
                .par_iter_mut()
                // Tiles are large, so they are scheduled one by one.
                .with_max_len(1)
                .map_init(Vec::new, |g, task| {
                    g.resize(largest * largest, T::ZERO);
                    dispatch!(level(), simd => self.meet(simd, task, &transposed, weight, symmetric, wanted, g))
                })
                .collect();
            total += losses.iter().sum::<f64>();
        }
        total * weight.f64()
    }

    /// One mutable slice per block of rows; `None` if not requested.
    fn slots<'a>(&self, sums: &'a mut [T]) -> Vec<Option<&'a mut [T]>> {
        sums.chunks_mut(TILE * self.width).map(Some).collect()
    }

    /// Processes both ordered tiles of a pair of blocks (only one if a block
    /// meets itself or if the second tile mirrors the first).
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn meet<S: Simd>(
        &self,
        simd: S,
        task: &mut Meeting<'_, T>,
        transposed: &[Vec<T>],
        weight: T,
        symmetric: bool,
        wanted: bool,
        g: &mut [T],
    ) -> f64 {
        let (i, j) = task.blocks;
        let pass = Pass {
            transposed,
            weight,
            wanted,
        };
        let [rows_i, rows_j] = &mut task.by_rows;
        let [columns_i, columns_j] = &mut task.by_columns;
        match (symmetric, i == j) {
            (true, true) => self.tile_pass(simd, pass, (i, i), rows_i, None, g),
            (true, false) => 2.0 * self.tile_pass(simd, pass, (i, j), rows_i, Some(rows_j), g),
            (false, true) => self.tile_pass(simd, pass, (i, i), rows_i, Some(columns_i), g),
            (false, false) => {
                self.tile_pass(simd, pass, (i, j), rows_i, Some(columns_j), g)
                    + self.tile_pass(simd, pass, (j, i), rows_j, Some(columns_i), g)
            }
        }
    }

    /// Processes one tile of ordered pairs: the loss, M of its rows, and if
    /// requested the mirrored part of its columns.
    #[inline(always)]
    fn tile_pass<S: Simd>(
        &self,
        simd: S,
        pass: Pass<'_, T>,
        (i, j): (usize, usize),
        rows_sum: &mut [T],
        columns_sum: Option<&mut [T]>,
        g: &mut [T],
    ) -> f64 {
        let (rows, columns, depth) = (self.tile_nodes(i), self.tile_nodes(j), self.active.len());
        let (p, st) = (self.tile(&self.p, i), &pass.transposed[j]);
        let width = self.width;
        let shape = (rows, columns, depth);
        let loss = if is_wide(simd) {
            logits::<S, T, T::Wide<S>>(simd, shape, width, p, st, pass.weight, g)
        } else {
            logits::<S, T, T::Vector<S>>(simd, shape, width, p, st, pass.weight, g)
        };
        if pass.wanted {
            let stride = st.len() / depth;
            let shape = (rows, columns, width);
            let left = Left::Rows { stride };
            T::multiply(shape, g, left, self.tile(&self.s, j), Onto::Old, rows_sum);
            if let Some(sum) = columns_sum {
                let shape = (columns, rows, width);
                let left = Left::Columns { stride };
                T::multiply(shape, g, left, self.tile(&self.s, i), Onto::Old, sum);
            }
        }
        loss
    }
}

/// Takes the accumulator of a block; empty if already taken or not requested.
fn take<'a, T>(slots: &mut [Option<&'a mut [T]>], i: usize) -> &'a mut [T] {
    slots.get_mut(i).and_then(Option::take).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_two_blocks_meet_once_and_never_twice_in_a_round() {
        for blocks in 1..14 {
            let mut met = BTreeSet::new();
            for r in 0..(blocks + blocks % 2 - 1) {
                let mut busy = BTreeSet::new();
                for (i, j) in round(blocks, r) {
                    assert!(i < j && busy.insert(i) && busy.insert(j));
                    assert!(met.insert((i, j)), "{i} and {j} met before");
                }
            }
            assert_eq!(met.len(), blocks * (blocks - 1) / 2, "{blocks} blocks");
        }
    }
}
