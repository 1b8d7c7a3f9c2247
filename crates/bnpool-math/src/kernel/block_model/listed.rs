//! The loss of listed pairs alone. Each tile of nodes is processed from its
//! logits to its gradients while it is in the cache.

use super::compact::Compact;
use super::loss::Pass;
use super::pairs::{Pairs, Side};
use super::tuning::{TILE, TILES_PER_SUM};
use crate::Real;
use rayon::prelude::*;
use std::borrow::Cow;

/// Factors derived from K, as used by the pass over a tile.
struct Factors<'a, T: Clone> {
    /// K, and Kᵀ if they differ.
    own: Vec<Vec<T>>,
    /// Factors of the gradient with respect to S.
    gradient: Vec<Cow<'a, [T]>>,
}

impl<T: Real> Compact<T> {
    /// Computes the loss of some lists of pairs. If requested, writes the
    /// gradient with respect to S and adds that with respect to K to `out`.
    pub(super) fn listed_loss(
        &self,
        lists: &[Pairs<'_>],
        pass: Pass<'_, T>,
        out: Option<(&mut [T], &mut [T])>,
    ) -> f64 {
        let Pass {
            block_matrix,
            clusters,
            symmetric,
            ..
        } = pass;
        let at = |c: usize, d: usize| block_matrix[c * clusters + d];
        let mut own = vec![self.used_part(at)];
        if !symmetric {
            own.push(self.used_part(|c, d| at(d, c)));
        }
        let factors = Factors {
            own,
            gradient: pass.used_factors(self),
        };
        let tiles = self.tiles().div_ceil(TILES_PER_SUM);
        let (slots, by_block): (Vec<Option<&mut [T]>>, _) = match out {
            Some((by_assignments, by_block)) => {
                let rows = TILES_PER_SUM * TILE;
                let slots = by_assignments.chunks_mut(rows * clusters).map(Some);
                (slots.collect(), Some(by_block))
            }
            None => ((0..tiles).map(|_| None).collect(), None),
        };
        let (losses, squares): (Vec<f64>, Vec<Vec<T>>) = slots
            .into_par_iter()
            .enumerate()
            .map(|(task, out)| {
                self.tiles_loss(task * TILES_PER_SUM, lists, &factors, clusters, out)
            })
            .unzip();
        if let Some(by_block) = by_block {
            self.add_block_gradient(squares, clusters, by_block);
        }
        losses.iter().sum()
    }

    /// Returns the loss of some tiles and their part of SᵀM; writes ∂S to `out`
    /// if requested.
    fn tiles_loss(
        &self,
        first: usize,
        lists: &[Pairs<'_>],
        factors: &Factors<'_, T>,
        clusters: usize,
        mut out: Option<&mut [T]>,
    ) -> (f64, Vec<T>) {
        let wanted = out.is_some();
        let mut square = vec![T::ZERO; if wanted { self.width * self.width } else { 0 }];
        let mut loss = 0.0;
        // M of the tile, and N if it differs, with the rows of S K and S Kᵀ.
        let mut sums: Vec<Vec<T>> = vec![Vec::new(); if wanted { factors.own.len() } else { 1 }];
        let mut own = Vec::new();
        for i in first..(first + TILES_PER_SUM).min(self.tiles()) {
            let s = self.tile(&self.s, i);
            for (side, sum) in sums.iter_mut().enumerate() {
                sum.clear();
                sum.resize(s.len(), T::ZERO);
                own.resize(s.len(), T::ZERO);
                self.tile_product(i, &factors.own[side], &mut own);
                for pairs in lists {
                    let side = match side {
                        0 => Side::Rows,
                        _ => Side::Columns,
                    };
                    let part = self.tile_pairs(pairs, side, i, (&own, &self.s), sum, wanted);
                    // Iterating by columns meets the same pairs again.
                    if let Side::Rows = side {
                        loss += part;
                    }
                }
            }
            if let Some(out) = &mut out {
                let (rows, rest) = std::mem::take(out).split_at_mut(self.tile_nodes(i) * clusters);
                *out = rest;
                let sums_of_tile = sums.iter().map(|m| m.as_slice());
                self.tile_gradient(sums_of_tile, &factors.gradient, clusters, rows);
                self.add_square(s, &sums[0], &mut square);
            }
        }
        (loss, square)
    }
}
