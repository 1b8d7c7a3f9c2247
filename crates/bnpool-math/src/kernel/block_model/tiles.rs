//! All ordered pairs of a graph, tile by tile.
//!
//! Every pair is first treated as a non-edge: no branch inside a tile. The
//! edges are corrected afterwards (see `pairs`).
//!
//! Tiles are scheduled like a round-robin tournament: in every round each block
//! of nodes meets one other, so all tiles of a round write to different
//! accumulators, and a block receives its sums in the order of the rounds. One
//! accumulator serves any number of threads, and threads change no bit.

use super::compact::Compact;
use super::tuning::TILE;
use crate::Real;
use crate::kernel::product::{Left, ROWS, accumulate, for_each_register};
use crate::vector::{Vector, level};
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Gradients in the making.
pub(super) struct Sums<T> {
    /// M = G S: [nodes padded, width].
    pub(super) by_rows: Vec<T>,
    /// N = Gᵀ S; empty where G is symmetric and N = M.
    pub(super) by_columns: Vec<T>,
}

/// The pairs of blocks that meet in one round of a tournament of `blocks`.
fn round(blocks: usize, round: usize) -> Vec<(usize, usize)> {
    // The circle method; with an odd number one block rests in each round.
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

/// One tile's logits turned into loss and G = w σ(x); returns Σ softplus(x).
///
/// `p` holds the rows of the tile, `st` the transposed columns, `g` receives
/// [rows padded, columns padded].
#[inline(always)]
fn logits<S: Simd, T: Real>(
    simd: S,
    (rows, columns, depth): (usize, usize, usize),
    width: usize,
    p: &[T],
    st: &[T],
    weight: T,
    g: &mut [T],
) -> f64 {
    let stride = st.len() / depth;
    let lanes = T::Vector::<S>::LEN;
    let weight: T::Vector<S> = weight.simd_into(simd);
    let zero = T::Vector::<S>::constant(simd, 0.0);
    let lane = T::Vector::<S>::from_fn(simd, |i| T::of(i as f64));
    let mut total = 0.0;
    for i in (0..rows).step_by(ROWS) {
        let mut sums = [zero; ROWS];
        let g = &mut g[i * stride..(i + ROWS) * stride];
        for_each_register(simd, (depth, stride), &p[i * width..], width, st, |r, first, x| {
            let (sigmoid, softplus) = x.sigmoid_softplus(simd);
            (sigmoid * weight).store_slice(&mut g[r * stride + first..r * stride + first + lanes]);
            sums[r] += if first + lanes <= columns {
                softplus
            } else {
                // Padding behind the last column does not count.
                lane.simd_lt(T::of(columns.saturating_sub(first) as f64))
                    .select(softplus, zero)
            };
        });
        for sum in sums.iter().take(rows - i) {
            total += sum.reduce_sum().f64();
        }
    }
    total
}

/// The four accumulators a meeting of two blocks may write to.
struct Meeting<'a, T> {
    blocks: (usize, usize),
    by_rows: [&'a mut [T]; 2],
    by_columns: [&'a mut [T]; 2],
}

impl<T: Real> Compact<T> {
    /// w · Σ softplus(x) over all ordered pairs, and its gradients into `sums`
    /// where there are any.
    pub(super) fn all_pairs(&self, weight: T, symmetric: bool, sums: Option<&mut Sums<T>>) -> f64 {
        let transposed = self.transposed();
        let blocks = self.tiles();
        let mut none = Sums {
            by_rows: Vec::new(),
            by_columns: Vec::new(),
        };
        let wanted = sums.is_some();
        let sums = sums.unwrap_or(&mut none);
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
                .map_init(Vec::new, |g, task| {
                    g.resize((TILE + ROWS) * (TILE + 8), T::ZERO);
                    dispatch!(level(), simd => self.meet(simd, task, &transposed, weight, symmetric, wanted, g))
                })
                .collect();
            total += losses.iter().sum::<f64>();
        }
        total * weight.f64()
    }

    /// One mutable slice for each block of rows; none where nothing is wanted.
    fn slots<'a>(&self, sums: &'a mut [T]) -> Vec<Option<&'a mut [T]>> {
        sums.chunks_mut(TILE * self.width).map(Some).collect()
    }

    /// Both ordered tiles of a pair of blocks (one, where a block meets itself
    /// or the second is the mirror image of the first).
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
        let mut ordered = |i: usize, j: usize, row: &mut [T], column: Option<&mut [T]>| {
            let (rows, columns) = (self.tile_nodes(i), self.tile_nodes(j));
            let depth = self.active.len();
            let (p, st) = (self.tile(&self.p, i), &transposed[j]);
            let loss = logits(simd, (rows, columns, depth), self.width, p, st, weight, g);
            if wanted {
                let stride = st.len() / depth;
                let width = self.width;
                let rows_padded = rows.div_ceil(ROWS) * ROWS;
                let left = Left::Rows { stride };
                accumulate(simd, (rows_padded, columns, width), g, left, self.tile(&self.s, j), row);
                if let Some(column) = column {
                    let right = self.tile(&self.s, i);
                    let left = Left::Columns { stride };
                    let columns_padded = columns.div_ceil(ROWS) * ROWS;
                    accumulate(simd, (columns_padded, rows, width), g, left, right, column);
                }
            }
            loss
        };
        let [rows_i, rows_j] = &mut task.by_rows;
        let [columns_i, columns_j] = &mut task.by_columns;
        match (symmetric, i == j) {
            (true, true) => ordered(i, i, rows_i, None),
            (true, false) => 2.0 * ordered(i, j, rows_i, Some(rows_j)),
            (false, true) => ordered(i, i, rows_i, Some(columns_i)),
            (false, false) => {
                ordered(i, j, rows_i, Some(columns_j)) + ordered(j, i, rows_j, Some(columns_i))
            }
        }
    }
}

/// Takes a block's accumulator; empty where it is taken or not wanted.
fn take<'a, T>(slots: &mut [Option<&'a mut [T]>], i: usize) -> &'a mut [T] {
    slots
        .get_mut(i)
        .and_then(Option::take)
        .unwrap_or_default()
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
