//! From Sᵀ A S to the pooled adjacency: no self-loops, normalised by degrees.
//!
//! P_ij = Â_ij r_i r_j with r = 1/√max(d, ε) and d_j = Σ_i Â_ij, where Â has a
//! zero diagonal if self-loops are removed.

use super::product::dot;
use crate::Real;
use crate::buffer::take;
use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;
use rayon::prelude::*;

/// Lower bound of degrees: an isolated supernode has no edges to normalise.
pub const SMALLEST_DEGREE: f64 = 1e-8;

/// Parameters of the pooled adjacency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PooledAdjacency {
    /// Number of rows and columns of each matrix.
    pub clusters: usize,
    /// Whether to set the diagonal to zero.
    pub remove_self_loops: bool,
    /// Whether to normalise symmetrically by the column sums.
    pub degree_norm: bool,
}

impl PooledAdjacency {
    /// Computes P for each matrix of a list.
    ///
    /// # Complexity
    ///
    /// O(values) time, parallel over matrices.
    #[must_use]
    pub fn forward<T: Real>(&self, matrices: &[T]) -> Vec<T> {
        let c = self.clusters;
        let size = (c * c).max(1);
        let mut out = take(matrices.len());
        let pairs = out.par_chunks_mut(size).zip(matrices.par_chunks(size));
        pairs.for_each(|(p, a)| {
            p.copy_from_slice(a);
            if self.remove_self_loops {
                clear_diagonal(p, c);
            }
            if self.degree_norm {
                let r: Vec<T> = degrees(p, c).iter().map(|&d| inverse_root(d)).collect();
                for (row, &ri) in p.chunks_exact_mut(c).zip(&r) {
                    for (x, &rj) in row.iter_mut().zip(&r) {
                        *x *= ri * rj;
                    }
                }
            }
        });
        out
    }

    /// Returns the gradient with respect to the matrices, given that with
    /// respect to P. Gradients flow through the degrees unless these are below
    /// [`SMALLEST_DEGREE`].
    ///
    /// # Panics
    ///
    /// Panics if there is not one gradient for every value.
    #[must_use]
    pub fn backward<T: Real>(&self, matrices: &[T], gradient: &[T]) -> Vec<T> {
        assert_eq!(matrices.len(), gradient.len(), "a gradient for every value");
        let c = self.clusters;
        let size = (c * c).max(1);
        let mut out = take(gradient.len());
        out.par_chunks_mut(size)
            .zip(gradient.par_chunks(size).zip(matrices.par_chunks(size)))
            .for_each(|(g, (gradient, a))| {
                g.copy_from_slice(gradient);
                if self.degree_norm {
                    let mut a = a.to_vec();
                    if self.remove_self_loops {
                        clear_diagonal(&mut a, c);
                    }
                    dispatch!(level(), simd => normalised_backward(simd, &a, c, g));
                }
                if self.remove_self_loops {
                    clear_diagonal(g, c);
                }
            });
        out
    }
}

/// Sets the diagonal to zero; NaN stays NaN, as in a product with zero.
fn clear_diagonal<T: Real>(matrix: &mut [T], c: usize) {
    for x in matrix.iter_mut().step_by(c + 1) {
        *x = if x.finite() { T::ZERO } else { *x * T::ZERO };
    }
}

fn degrees<T: Real>(matrix: &[T], c: usize) -> Vec<T> {
    let mut d = vec![T::ZERO; c];
    for row in matrix.chunks_exact(c) {
        for (d, &x) in d.iter_mut().zip(row) {
            *d += x;
        }
    }
    d
}

fn inverse_root<T: Real>(degree: T) -> T {
    T::ONE / degree.maximum(T::of(SMALLEST_DEGREE)).square_root()
}

/// Turns the gradient with respect to P into that with respect to Â, in place.
#[inline(always)]
fn normalised_backward<S: Simd, T: Real>(simd: S, a: &[T], c: usize, g: &mut [T]) {
    let d = degrees(a, c);
    let r: Vec<T> = d.iter().map(|&d| inverse_root(d)).collect();
    // ∂L/∂r_k · r_k = Σ_j G_kj P_kj + Σ_i G_ik P_ik.
    let mut by_root = vec![T::ZERO; c];
    let mut gp = vec![T::ZERO; c];
    for (i, (g, a)) in g.chunks_exact(c).zip(a.chunks_exact(c)).enumerate() {
        for ((gp, &g), &a) in gp.iter_mut().zip(g).zip(a) {
            *gp = g * a * r[i];
        }
        for ((sum, &gp), &rj) in by_root.iter_mut().zip(&gp).zip(&r) {
            *sum += gp * rj;
        }
        by_root[i] += dot(simd, &gp, &r);
    }
    // dr/dd = −r³/2, so ∂L/∂d = −r²/2 · (∂L/∂r · r).
    let half = T::of(-0.5);
    let by_degree: Vec<T> = (0..c)
        .map(|k| {
            // NaN does not count as below the bound.
            if d[k] <= T::of(SMALLEST_DEGREE) {
                T::ZERO
            } else {
                half * r[k] * r[k] * by_root[k]
            }
        })
        .collect();
    for (row, &ri) in g.chunks_exact_mut(c).zip(&r) {
        for ((g, &rj), &dj) in row.iter_mut().zip(&r).zip(&by_degree) {
            *g = *g * ri * rj + dj;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_match_finite_differences() {
        let c = 4;
        let mut a: Vec<f64> = (0..2 * c * c)
            .map(|i| ((i * 7 % 11) as f64 + 0.5) / 11.0)
            .collect();
        // A supernode without any edge.
        for k in 0..c {
            a[k * c + 2] = 0.0;
            a[2 * c + k] = 0.0;
        }
        let w: Vec<f64> = (0..a.len()).map(|i| (i as f64 * 0.8).sin()).collect();
        for (remove_self_loops, degree_norm) in [(true, true), (true, false), (false, true)] {
            let kernel = PooledAdjacency {
                clusters: c,
                remove_self_loops,
                degree_norm,
            };
            let value =
                |a: &[f64]| -> f64 { kernel.forward(a).iter().zip(&w).map(|(p, w)| p * w).sum() };
            let got = kernel.backward(&a, &w);
            let h = 1e-7;
            for i in 0..a.len() {
                // The clamp has a kink at zero degree.
                if i < c * c && (i % c == 2 || i / c == 2) {
                    continue;
                }
                let (mut up, mut down) = (a.clone(), a.clone());
                up[i] += h;
                down[i] -= h;
                let want = (value(&up) - value(&down)) / (2.0 * h);
                assert!((got[i] - want).abs() < 1e-6, "{i}: {} and {want}", got[i]);
            }
        }
    }
}
