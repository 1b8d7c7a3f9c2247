//! Principal components by subspace iteration.

use bnpool_math::stream::{Purpose, Stream};
use rayon::prelude::*;

/// Random stream of the initial guess.
const STREAM: Purpose = Purpose::Other(0x7063_6173);

/// Rows per task; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 512;

/// Number of extra directions, and of rounds of the iteration.
const GUARD: usize = 8;
const ROUNDS: usize = 8;

/// Projects the rows of `x`, [n, width], onto their `count` leading principal
/// components, [n, count].
pub(super) fn principal_components(x: &[f32], width: usize, count: usize, seed: u64) -> Vec<f32> {
    let n = x.len() / width;
    let mut mean = vec![0.0_f64; width];
    for row in x.chunks_exact(width) {
        mean.iter_mut()
            .zip(row)
            .for_each(|(m, &x)| *m += f64::from(x));
    }
    let mean: Vec<f32> = mean.iter().map(|m| (m / n.max(1) as f64) as f32).collect();
    leading_directions(x, width, count, &mean, seed)
}

/// Subtracts `mean` from the rows of `x`, [n, width], and projects them onto the
/// `count` directions of largest variance, [n, count].
///
/// # Complexity
///
/// O(n · width · count) time for each of 8 rounds.
pub(super) fn leading_directions(
    x: &[f32],
    width: usize,
    count: usize,
    mean: &[f32],
    seed: u64,
) -> Vec<f32> {
    let n = x.len() / width;
    let q = (count + GUARD).min(width);
    let mut draws = Stream::new(seed, STREAM, 0).draws(0);
    // One direction per row, [q, width].
    let mut basis: Vec<f32> = (0..q * width).map(|_| draws.normal() as f32).collect();
    orthonormalise(&mut basis, width);
    for _ in 0..ROUNDS {
        let parts: Vec<Vec<f32>> = x
            .par_chunks(CHUNK * width)
            .map(|rows| {
                let mut part = vec![0.0_f32; q * width];
                let mut centred = vec![0.0_f32; width];
                for row in rows.chunks_exact(width) {
                    centre(row, mean, &mut centred);
                    for (out, direction) in
                        part.chunks_exact_mut(width).zip(basis.chunks_exact(width))
                    {
                        let along = dot(&centred, direction);
                        out.iter_mut()
                            .zip(&centred)
                            .for_each(|(o, c)| *o += along * c);
                    }
                }
                part
            })
            .collect();
        basis.fill(0.0);
        for part in parts {
            basis.iter_mut().zip(part).for_each(|(b, p)| *b += p);
        }
        orthonormalise(&mut basis, width);
    }
    let mut out = vec![0.0_f32; n * count];
    out.par_chunks_exact_mut(count)
        .zip(x.par_chunks_exact(width))
        .for_each(|(out, row)| {
            let mut centred = vec![0.0_f32; width];
            centre(row, mean, &mut centred);
            for (o, direction) in out.iter_mut().zip(basis.chunks_exact(width)) {
                *o = dot(&centred, direction);
            }
        });
    out
}

fn centre(row: &[f32], mean: &[f32], out: &mut [f32]) {
    for ((o, x), m) in out.iter_mut().zip(row).zip(mean) {
        *o = x - m;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    // Eight independent sums, so that the loop is vectorised.
    let mut sums = [0.0_f32; 8];
    let (a, b) = (a.chunks_exact(8), b.chunks_exact(8));
    let tail: f32 = a
        .remainder()
        .iter()
        .zip(b.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (a, b) in a.zip(b) {
        for ((s, x), y) in sums.iter_mut().zip(a).zip(b) {
            *s += x * y;
        }
    }
    sums.iter().sum::<f32>() + tail
}

/// Gram–Schmidt, applied twice to reduce rounding errors; linearly dependent
/// rows become zero.
fn orthonormalise(rows: &mut [f32], width: usize) {
    let count = rows.len() / width;
    for i in 0..count {
        let (before, rest) = rows.split_at_mut(i * width);
        let row = &mut rest[..width];
        let length = dot(row, row).sqrt();
        for _ in 0..2 {
            for other in before.chunks_exact(width) {
                let along = dot(row, other);
                row.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
            }
        }
        let left = dot(row, row).sqrt();
        let scale = if left > 1e-5 * length {
            left.recip()
        } else {
            0.0
        };
        row.iter_mut().for_each(|x| *x *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_leading_direction_is_found() {
        // Points along (3, 4, 0)/5, with a little noise elsewhere.
        let mut draws = Stream::new(1, Purpose::Other(1), 0).draws(0);
        let mut rows = Vec::new();
        let mut along = Vec::new();
        for _ in 0..2000 {
            let t = draws.normal() as f32 * 5.0;
            let mut noise = || draws.normal() as f32 * 0.1;
            rows.extend([0.6 * t + noise() + 7.0, 0.8 * t + noise(), noise()]);
            along.push(t);
        }
        let found = principal_components(&rows, 3, 1, 0);
        let product: f32 = found.iter().zip(&along).map(|(a, b)| a * b).sum();
        let lengths = dot(&found, &found).sqrt() * dot(&along, &along).sqrt();
        assert!(product.abs() / lengths > 0.99);
    }
}
