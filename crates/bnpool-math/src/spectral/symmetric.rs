//! Eigenvalues and eigenvectors of small dense symmetric matrices.
//!
//! Householder reflections make the matrix tridiagonal, implicit QL steps with
//! Wilkinson's shift make it diagonal. Reflections and rotations are stored
//! transposed, one vector per row, so that every inner loop accesses contiguous
//! memory.

use crate::vector::level;
use fearless_simd::dispatch;
use fearless_simd::prelude::*;

/// All eigenvalues of a symmetric matrix, in ascending order, and their
/// orthonormal eigenvectors.
#[derive(Debug, Clone, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, the smallest first.
    pub values: Vec<f64>,
    /// Eigenvectors, one per row: vector j is `vectors[j * n..(j + 1) * n]`.
    pub vectors: Vec<f64>,
}

/// Largest number of QL steps per eigenvalue; three are typical.
const STEPS: usize = 60;

/// Computes the eigenvalues and eigenvectors of a symmetric n × n matrix,
/// row-major.
///
/// Only the lower triangle is read. The signs of the vectors, and the basis of
/// the eigenspace of a repeated eigenvalue, are arbitrary. A matrix with
/// non-finite entries has non-finite values.
///
/// # Complexity
///
/// About 9 n³ multiplications, O(n²) memory: designed for n up to a few
/// hundred.
///
/// ```
/// use bnpool_math::spectral::symmetric_eigen;
///
/// let eigen = symmetric_eigen(&[2.0, 1.0, 1.0, 2.0], 2);
/// assert!((eigen.values[0] - 1.0).abs() < 1e-15 && (eigen.values[1] - 3.0).abs() < 1e-15);
/// // (1, 1)/√2 belongs to 3.
/// assert!((eigen.vectors[2] - eigen.vectors[3]).abs() < 1e-15);
/// ```
///
/// # Panics
///
/// Panics if the matrix does not have n² entries.
#[must_use]
pub fn symmetric_eigen(matrix: &[f64], n: usize) -> SymmetricEigen {
    assert_eq!(matrix.len(), n * n, "a square matrix");
    let mut a = matrix.to_vec();
    for i in 0..n {
        for j in i + 1..n {
            a[i * n + j] = a[j * n + i];
        }
    }
    let (mut diagonal, mut beside, mut vectors) = tridiagonal(&mut a, n);
    diagonalise(&mut diagonal, &mut beside, &mut vectors);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| diagonal[i].total_cmp(&diagonal[j]));
    SymmetricEigen {
        values: order.iter().map(|&i| diagonal[i]).collect(),
        vectors: order
            .iter()
            .flat_map(|&i| vectors[i * n..(i + 1) * n].iter().copied())
            .collect(),
    }
}

/// A = Q T Qᵀ with T tridiagonal: returns the diagonal of T, its off-diagonal
/// entries (`beside[i]` between i and i + 1) and Qᵀ.
fn tridiagonal(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let mut beside = vec![0.0; n];
    // (first index, v, β) of each reflection I − β v vᵀ.
    let mut reflections: Vec<(usize, Vec<f64>, f64)> = Vec::new();
    for k in 0..n.saturating_sub(1) {
        // A is symmetric, so its column below the diagonal is stored in row k.
        let mut v = a[k * n + k + 1..(k + 1) * n].to_vec();
        let scale = v.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        if scale == 0.0 || v.len() == 1 {
            beside[k] = v[0];
            continue;
        }
        // Scaled, so that squares neither overflow nor vanish.
        v.iter_mut().for_each(|x| *x /= scale);
        let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let head = -norm.copysign(v[0]);
        beside[k] = head * scale;
        // ‖v − head e₁‖² = 2 norm (norm + |v₁|)
        let beta = 1.0 / (norm * (norm + v[0].abs()));
        v[0] -= head;
        reflect_both_sides(a, n, k + 1, &v, beta);
        reflections.push((k + 1, v, beta));
    }
    let diagonal = (0..n).map(|i| a[i * n + i]).collect();
    let mut q = vec![0.0; n * n];
    for i in 0..n {
        q[i * n + i] = 1.0;
    }
    // Qᵀ = … H₂ H₁, so Qᵀ grows by columns: from the right, last one first.
    for (first, v, beta) in reflections.iter().rev() {
        for row in q.chunks_exact_mut(n).skip(*first) {
            let row = &mut row[*first..];
            let along = beta * dot(row, v);
            row.iter_mut().zip(v).for_each(|(x, v)| *x -= along * v);
        }
    }
    (diagonal, beside, q)
}

/// Computes H A H for the reflection H = I − β v vᵀ on the rows and columns from
/// `first`.
fn reflect_both_sides(a: &mut [f64], n: usize, first: usize, v: &[f64], beta: f64) {
    let rows = || (first..n).map(|i| i * n + first..(i + 1) * n);
    // w = p − (β/2)(pᵀv) v with p = β A v; then H A H = A − v wᵀ − w vᵀ.
    let mut w: Vec<f64> = rows().map(|row| beta * dot(&a[row], v)).collect();
    let half = 0.5 * beta * dot(&w, v);
    w.iter_mut().zip(v).for_each(|(w, v)| *w -= half * v);
    for (i, row) in rows().enumerate() {
        let (vi, wi) = (v[i], w[i]);
        for ((x, v), w) in a[row].iter_mut().zip(v).zip(&w) {
            *x -= vi * w + wi * v;
        }
    }
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// Diagonalises T by implicit QL steps and applies the rotations to the rows of
/// `vectors`.
fn diagonalise(d: &mut [f64], e: &mut [f64], vectors: &mut [f64]) {
    let n = d.len();
    for l in 0..n {
        for _ in 0..STEPS {
            // The block that starts at l ends before the first negligible
            // off-diagonal entry.
            let negligible =
                |i: &usize| e[*i].abs() <= f64::EPSILON * (d[*i].abs() + d[i + 1].abs());
            let m = (l..n - 1).find(negligible).unwrap_or(n - 1);
            if m == l {
                break;
            }
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let shift = d[l] - e[l] / (g + g.hypot(1.0).copysign(g));
            ql_step(d, e, vectors, l, m, shift);
        }
    }
}

/// One implicit QL step on the block l..=m, chasing the bulge upwards.
fn ql_step(d: &mut [f64], e: &mut [f64], vectors: &mut [f64], l: usize, m: usize, shift: f64) {
    let n = d.len();
    let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
    let mut g = d[m] - shift;
    for i in (l..m).rev() {
        let (f, b) = (sine * e[i], cosine * e[i]);
        let r = f.hypot(g);
        e[i + 1] = r;
        if r == 0.0 {
            // The block splits: restart on the smaller one.
            d[i + 1] -= moved;
            e[m] = 0.0;
            return;
        }
        (sine, cosine) = (f / r, g / r);
        g = d[i + 1] - moved;
        let r = (d[i] - g) * sine + 2.0 * cosine * b;
        moved = sine * r;
        d[i + 1] = g + moved;
        g = cosine * r - b;
        let (upper, lower) = vectors[i * n..(i + 2) * n].split_at_mut(n);
        dispatch!(level(), simd => rotate(simd, upper, lower, sine, cosine));
    }
    d[l] -= moved;
    e[l] = g;
    e[m] = 0.0;
}

/// Rotates two vectors in their plane.
#[inline(always)]
fn rotate<S: Simd>(_: S, upper: &mut [f64], lower: &mut [f64], sine: f64, cosine: f64) {
    for (x, y) in upper.iter_mut().zip(lower) {
        (*x, *y) = (cosine * *x - sine * *y, sine * *x + cosine * *y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, Stream};

    /// Checks ‖A v − λ v‖ of every vector, and that the vectors are
    /// orthonormal.
    #[track_caller]
    fn check(matrix: &[f64], n: usize) -> SymmetricEigen {
        let eigen = symmetric_eigen(matrix, n);
        let scale = matrix.iter().fold(1e-300_f64, |m, x| m.max(x.abs()));
        let bound = 1e-14 * n as f64;
        let row = |j: usize| &eigen.vectors[j * n..(j + 1) * n];
        for j in 0..n {
            for i in 0..n {
                let image = dot(&matrix[i * n..(i + 1) * n], row(j));
                let error = (image - eigen.values[j] * row(j)[i]).abs();
                assert!(error <= bound * scale, "vector {j} of {n}: {error:e}");
                let want = f64::from(u8::from(i == j));
                assert!((dot(row(i), row(j)) - want).abs() <= bound, "{i} · {j}");
            }
        }
        assert!(eigen.values.is_sorted());
        eigen
    }

    fn random_symmetric(n: usize, seed: u64) -> Vec<f64> {
        let mut draws = Stream::new(seed, Purpose::Other(0), 0).draws(0);
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let x = draws.normal();
                (a[i * n + j], a[j * n + i]) = (x, x);
            }
        }
        a
    }

    #[test]
    fn random_matrices_of_many_sizes() {
        for n in [0, 1, 2, 3, 4, 7, 16, 33, 80, 200] {
            check(&random_symmetric(n, n as u64), n);
        }
    }

    #[test]
    fn eigenvalues_of_a_path_are_known() {
        let n = 50;
        let mut a = vec![0.0; n * n];
        for i in 0..n - 1 {
            (a[i * n + i + 1], a[(i + 1) * n + i]) = (1.0, 1.0);
        }
        let eigen = check(&a, n);
        for (j, value) in eigen.values.iter().enumerate() {
            let angle = std::f64::consts::PI * (n - j) as f64 / (n + 1) as f64;
            assert!((value - 2.0 * angle.cos()).abs() < 1e-13);
        }
    }

    #[test]
    fn repeated_tiny_and_huge_eigenvalues() {
        // All ones: the eigenvalue n once, 0 otherwise.
        let eigen = check(&vec![1.0; 30 * 30], 30);
        assert!((eigen.values[29] - 30.0).abs() < 1e-12);
        assert!(eigen.values[..29].iter().all(|x| x.abs() < 1e-13));
        check(&[0.0; 25], 5);
        for scale in [1e-200, 1e200] {
            let a: Vec<f64> = random_symmetric(12, 3).iter().map(|x| x * scale).collect();
            check(&a, 12);
        }
    }

    #[test]
    fn only_the_lower_triangle_is_read_and_bad_numbers_do_not_hang() {
        let eigen = symmetric_eigen(&[2.0, 99.0, 1.0, 2.0], 2);
        assert!((eigen.values[1] - 3.0).abs() < 1e-15);
        assert!(symmetric_eigen(&[f64::NAN; 16], 4).values[0].is_nan());
    }
}
