//! A tall block of vectors, [nodes, width] by rows, and the dense products that
//! Rayleigh–Ritz needs.
//!
//! Values are `f32`. Sums over nodes are computed in `f64`, in pieces with
//! fixed boundaries that are added in order.

use crate::kernel::product::{Addend, Left, Onto, ProductKernel};
use crate::stream::Stream;
use rayon::prelude::*;

/// Rows per piece: 256 rows of 64 vectors in `f64` stay in the cache.
const PIECE: usize = 256;
/// Pieces per task.
const PIECES_PER_TASK: usize = 8;
/// Widths are multiples of this: whole registers in either precision.
pub(super) const LANES: usize = 8;

/// A block of vectors, stored by rows.
pub(super) struct Block {
    pub(super) width: usize,
    /// Values, row by row.
    pub(super) values: Vec<f32>,
}

impl Block {
    /// Zeros.
    pub(super) fn new(nodes: usize, width: usize) -> Self {
        debug_assert!(width.is_multiple_of(LANES));
        Self {
            width,
            values: vec![0.0; nodes * width],
        }
    }

    /// Fills the chosen vectors with random numbers at the nodes for which
    /// `inside` is true.
    pub(super) fn randomise(
        &mut self,
        stream: &Stream,
        chosen: &[usize],
        inside: impl Fn(usize) -> bool + Sync,
    ) {
        self.values
            .par_chunks_mut(self.width)
            .enumerate()
            .filter(|(u, _)| inside(*u))
            .for_each(|(u, row)| {
                let mut draws = stream.draws(u as u64);
                for &j in chosen {
                    // Uniform in [−1, 1).
                    row[j] = draws.next_u32().cast_signed() as f32 / 2_147_483_648.0;
                }
            });
    }

    /// XᵀY, [width, width].
    pub(super) fn products(&self, other: &Self) -> Vec<f64> {
        let width = self.width;
        let part = PIECES_PER_TASK * PIECE * width;
        let parts: Vec<Vec<f64>> = self
            .values
            .par_chunks(part)
            .zip(other.values.par_chunks(part))
            .map(|(x, y)| {
                let mut sum = vec![0.0; width * width];
                let (mut wide_x, mut wide_y) = (Vec::new(), Vec::new());
                for (x, y) in x.chunks(PIECE * width).zip(y.chunks(PIECE * width)) {
                    widen(x, &mut wide_x);
                    widen(y, &mut wide_y);
                    let shape = (width, x.len() / width, width);
                    let left = Left::Columns { stride: width };
                    f64::multiply(shape, &wide_x, left, &wide_y, Onto::Old, &mut sum);
                }
                sum
            })
            .collect();
        let mut total = vec![0.0; width * width];
        for part in &parts {
            total.iter_mut().zip(part).for_each(|(t, x)| *t += x);
        }
        total
    }

    /// X ← X Q for Q [width, width].
    pub(super) fn rotate(&mut self, q: &[f64]) {
        let (q, width) = (narrow(q), self.width);
        self.values.par_chunks_mut(PIECE * width).for_each(|x| {
            x.copy_from_slice(&rotated(x, &q, width));
        });
    }

    /// X ← X Q, and ‖MX q − θ X q‖ of every vector, where `image` is M X.
    pub(super) fn rotate_with_residuals(
        &mut self,
        image: &Self,
        q: &[f64],
        theta: &[f64],
    ) -> Vec<f64> {
        let (q, width) = (narrow(q), self.width);
        let squares: Vec<Vec<f64>> = self
            .values
            .par_chunks_mut(PIECE * width)
            .zip(image.values.par_chunks(PIECE * width))
            .map(|(x, image)| {
                let image = rotated(image, &q, width);
                x.copy_from_slice(&rotated(x, &q, width));
                let mut squares = vec![0.0; width];
                for (x, image) in x.chunks_exact(width).zip(image.chunks_exact(width)) {
                    for (j, square) in squares.iter_mut().enumerate() {
                        let residual = f64::from(image[j]) - theta[j] * f64::from(x[j]);
                        *square += residual * residual;
                    }
                }
                squares
            })
            .collect();
        let mut total = vec![0.0; width];
        for part in &squares {
            total.iter_mut().zip(part).for_each(|(t, x)| *t += x);
        }
        total.iter().map(|x| x.sqrt()).collect()
    }
}

fn widen(x: &[f32], out: &mut Vec<f64>) {
    out.clear();
    out.extend(x.iter().map(|&x| f64::from(x)));
}

fn narrow(q: &[f64]) -> Vec<f32> {
    q.iter().map(|&x| x as f32).collect()
}

/// X Q of a piece.
fn rotated(x: &[f32], q: &[f32], width: usize) -> Vec<f32> {
    let mut out = vec![0.0; x.len()];
    let shape = (x.len() / width, width, width);
    let left = Left::Rows { stride: width };
    f32::multiply(shape, x, left, q, Onto::New(Addend::None), &mut out);
    out
}
