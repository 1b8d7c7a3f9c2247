//! The loss of all pairs of a graph: tiles of non-edges, corrected by the edges.

use super::compact::Compact;
use super::loss::Pass;
use super::pairs::Pairs;
use super::tiles::Sums;
use super::tuning::{TILE, TILES_PER_SUM};
use crate::Real;
use rayon::prelude::*;

impl<T: Real> Compact<T> {
    /// w · Σ softplus(x) over all ordered pairs, plus the correction `edges`;
    /// writes the gradient with respect to S and adds that with respect to K to
    /// `out`, if requested.
    pub(super) fn all_loss(
        mut self,
        weight: T,
        edges: &Pairs<'_>,
        pass: Pass<'_, T>,
        out: Option<(&mut [T], &mut [T])>,
    ) -> f64 {
        let Pass {
            block_matrix,
            clusters,
            symmetric,
            ..
        } = pass;
        self.multiply(block_matrix, clusters);
        let mut sums = out.is_some().then(|| Sums::new(&self, symmetric));
        let loss = self.all_pairs(weight, symmetric, sums.as_mut())
            + self.listed_pairs(edges, sums.as_mut());
        let (Some(sums), Some((by_assignments, by_block))) = (sums, out) else {
            return loss;
        };
        let factors = pass.used_factors(&self);
        by_assignments
            .par_chunks_mut(TILE * clusters)
            .enumerate()
            .for_each(|(i, out)| {
                let sums = [&sums.by_rows, &sums.by_columns].map(|m| m.as_slice());
                // With a single factor there is no N.
                let sums = sums.into_iter().take(factors.len());
                self.tile_gradient(sums.map(|m| self.tile(m, i)), &factors, clusters, out);
            });
        let part = TILES_PER_SUM * TILE * self.width;
        let parts: Vec<Vec<T>> = self
            .s
            .par_chunks(part)
            .zip(sums.by_rows.par_chunks(part))
            .map(|(s, m)| {
                let mut sum = vec![T::ZERO; self.width * self.width];
                self.add_square(s, m, &mut sum);
                sum
            })
            .collect();
        self.add_block_gradient(parts, clusters, by_block);
        loss
    }
}
