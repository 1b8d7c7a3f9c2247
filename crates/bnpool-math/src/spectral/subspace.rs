//! Chebyshev-filtered subspace iteration with Rayleigh–Ritz (Zhou and Saad,
//! 2007).
//!
//! A polynomial of M that is small on [−1, cut] and grows fast above turns a
//! block of vectors towards the leading eigenvectors. Rayleigh–Ritz finds the
//! best approximations in their span, and the smallest Ritz value is the next
//! cut. A block handles repeated and close eigenvalues, and takes two blocks of
//! memory, whereas Lanczos would keep a basis.

use super::block::Block;
use super::operator::Normalised;
use super::symmetric::symmetric_eigen;
use super::trivial::Trivial;
use crate::stream::Stream;
use std::mem::swap;

/// Largest amplification of the eigenvalue 1 by a filter, relative to the cut.
/// Vectors are `f32`: a component below 1e-7 of its vector is lost, and this
/// bound leaves two digits of the weakest one.
const GROWTH: f64 = 1e5;
/// Largest degree of a filter.
const DEGREE: usize = 64;
/// The initial cut, and the lower bound of later ones.
const FIRST_CUT: f64 = 0.0;
const LOWEST_CUT: f64 = -0.9;
/// Directions of a block that are weaker than this fraction of the strongest
/// count as rounding errors.
const RANK: f64 = 1e-12;

/// Ritz pairs with their residuals, best first.
pub(super) struct Ritz {
    pub(super) values: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    pub(super) vectors: Block,
    /// Number of products of M with the block.
    pub(super) products: usize,
}

/// Stopping criteria.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    /// Number of leading pairs that must converge.
    pub(super) count: usize,
    /// Residual of a converged pair.
    pub(super) tolerance: f64,
    /// No filter starts after this many products of M with the block.
    pub(super) products: usize,
}

/// Computes the leading eigenvectors orthogonal to the trivial ones, with a
/// block of `width` vectors.
pub(super) fn leading(
    matrix: &Normalised<'_>,
    trivial: &Trivial,
    width: usize,
    stream: &Stream,
    stop: Stop,
) -> Ritz {
    let mut v = Block::new(matrix.nodes(), width);
    let mut w = Block::new(matrix.nodes(), width);
    let all: Vec<usize> = (0..width).collect();
    v.randomise(stream, &all, |u| trivial.has_edges(u));
    trivial.project_out(&mut v);
    let mut cut = FIRST_CUT;
    let mut products = 0;
    loop {
        let degree = degree(cut);
        filter(matrix, cut, degree, &mut v, &mut w);
        trivial.project_out(&mut v);
        // First, make the vectors independent, with about unit length …
        let (whitening, lost) = whiten(&v.products(&v), width);
        v.rotate(&whitening);
        if !lost.is_empty() {
            v.randomise(stream, &lost, |u| trivial.has_edges(u));
            trivial.project_out(&mut v);
        }
        // … then compute Ritz vectors, which are orthonormal up to rounding.
        matrix.step(&v, [1.0, 0.0, 0.0], &mut w);
        let (values, q) = ritz(&v.products(&v), &v.products(&w), width);
        let residuals = v.rotate_with_residuals(&w, &q, &values);
        products += degree + 1;
        let good = residuals[..stop.count].iter().all(|r| *r <= stop.tolerance);
        if good || products >= stop.products {
            return Ritz {
                values,
                residuals,
                vectors: v,
                products,
            };
        }
        cut = values[width - 1].max(LOWEST_CUT);
    }
}

/// Highest degree whose filter stays within [`GROWTH`]: Tₘ(t) = cosh(m arcosh
/// t), with t the image of 1 under the map of [−1, cut] to [−1, 1].
fn degree(cut: f64) -> usize {
    let t = (3.0 - cut) / (1.0 + cut);
    ((GROWTH.acosh() / t.acosh()) as usize).clamp(2, DEGREE)
}

/// v ← Tₘ((M − c)/h) v, where [c − h, c + h] = [−1, cut]; `scratch` is
/// overwritten.
fn filter(matrix: &Normalised<'_>, cut: f64, degree: usize, v: &mut Block, scratch: &mut Block) {
    let (centre, half) = (0.5 * (cut - 1.0), 0.5 * (cut + 1.0));
    let (a, b) = ((1.0 / half) as f32, (-centre / half) as f32);
    matrix.step(v, [a, b, 0.0], scratch);
    swap(v, scratch);
    for _ in 1..degree {
        matrix.step(v, [2.0 * a, 2.0 * b, 1.0], scratch);
        swap(v, scratch);
    }
}

/// Returns a matrix that makes vectors with this Gram matrix orthonormal, and
/// the columns without an independent direction (they become zero).
fn whiten(gram: &[f64], n: usize) -> (Vec<f64>, Vec<usize>) {
    // Normalise first: the lengths of vectors do not matter for their
    // dependence.
    let scale: Vec<f64> = (0..n)
        .map(|i| match gram[i * n + i] {
            x if x > 0.0 => x.sqrt().recip(),
            _ => 0.0,
        })
        .collect();
    let mut scaled = gram.to_vec();
    for (i, row) in scaled.chunks_exact_mut(n).enumerate() {
        row.iter_mut()
            .zip(&scale)
            .for_each(|(x, s)| *x *= scale[i] * s);
    }
    let eigen = symmetric_eigen(&scaled, n);
    let weakest = RANK * eigen.values[n - 1];
    let (mut out, mut lost) = (vec![0.0; n * n], Vec::new());
    for j in 0..n {
        // Strongest first.
        let (value, vector) = (eigen.values[n - 1 - j], &eigen.vectors[(n - 1 - j) * n..]);
        if value > weakest {
            let length = value.sqrt().recip();
            for i in 0..n {
                out[i * n + j] = scale[i] * vector[i] * length;
            }
        } else {
            lost.push(j);
        }
    }
    (out, lost)
}

/// Rayleigh–Ritz: H y = θ G y for G = VᵀV and H = VᵀMV. Returns the values,
/// largest first, and the vectors as columns; rank-deficient directions come
/// last, with the value −1.
fn ritz(gram: &[f64], image: &[f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let (whitening, lost) = whiten(gram, n);
    let mut h = congruent(image, &whitening, n);
    for i in 0..n {
        for j in 0..i {
            h[i * n + j] = 0.5 * (h[i * n + j] + h[j * n + i]);
        }
    }
    for &j in &lost {
        // Below every true eigenvalue.
        h[j * n + j] = -2.0;
    }
    let eigen = symmetric_eigen(&h, n);
    let mut q = vec![0.0; n * n];
    for (row, whitening) in q.chunks_exact_mut(n).zip(whitening.chunks_exact(n)) {
        for (j, x) in row.iter_mut().enumerate() {
            let vector = &eigen.vectors[(n - 1 - j) * n..(n - j) * n];
            *x = whitening.iter().zip(vector).map(|(a, b)| a * b).sum();
        }
    }
    let values = eigen
        .values
        .iter()
        .rev()
        .map(|x| x.clamp(-1.0, 1.0))
        .collect();
    (values, q)
}

/// TᵀHT.
fn congruent(h: &[f64], t: &[f64], n: usize) -> Vec<f64> {
    let mut ht = vec![0.0; n * n];
    for (out, row) in ht.chunks_exact_mut(n).zip(h.chunks_exact(n)) {
        for (x, t) in row.iter().zip(t.chunks_exact(n)) {
            out.iter_mut().zip(t).for_each(|(o, t)| *o += x * t);
        }
    }
    let mut out = vec![0.0; n * n];
    for (t, ht) in t.chunks_exact(n).zip(ht.chunks_exact(n)) {
        for (out, x) in out.chunks_exact_mut(n).zip(t) {
            out.iter_mut().zip(ht).for_each(|(o, h)| *o += x * h);
        }
    }
    out
}
