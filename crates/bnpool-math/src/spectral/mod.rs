//! Leading eigenvectors of a graph.
//!
//! [`leading_eigenvectors`] finds those of the symmetrically normalised
//! adjacency D^-1/2 A D^-1/2: smooth functions on the graph, which serve as
//! node features for graphs without any, and as coordinates for spectral
//! clustering. [`symmetric_eigen`] solves small dense problems.

mod block;
mod dense;
mod operator;
mod subspace;
mod symmetric;
mod trivial;

pub use symmetric::{SymmetricEigen, symmetric_eigen};

use crate::kernel::SparseRows;
use crate::stream::{Purpose, Stream};
use block::LANES;
use operator::Normalised;
use rayon::prelude::*;
use subspace::Stop;
use thiserror::Error;
use trivial::Trivial;

/// Parameters of the eigenvector computation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpectralConfig {
    /// Seed of the initial guess.
    pub seed: u64,
    /// Residual ‖M v − λ v‖ at which a vector counts as converged. The error of
    /// λ is about its square. Vectors are `f32`, so less than 1e-5 is hard to
    /// reach.
    pub tolerance: f64,
    /// Number of products of the matrix with the block of vectors after which
    /// the best vectors so far are returned.
    pub products: usize,
    /// Leaves out the eigenvectors of eigenvalue 1, which encode only the
    /// connected components and the degrees, not the structure inside a
    /// component.
    pub skip_components: bool,
    /// Computes the lower end of the spectrum: the smallest eigenvalues, most
    /// negative first, which separate disassortative groups. The eigenvectors
    /// of eigenvalue 1 are left out.
    pub lower_end: bool,
}

impl Default for SpectralConfig {
    fn default() -> Self {
        Self {
            seed: 0,
            tolerance: 1e-4,
            products: 500,
            skip_components: false,
            lower_end: false,
        }
    }
}

/// Eigenvalues and eigenvectors, the largest eigenvalue first (or the smallest,
/// if the lower end is requested).
#[derive(Debug, Clone, PartialEq)]
pub struct Spectrum {
    /// The eigenvalues, each in [−1, 1].
    pub values: Vec<f64>,
    /// The vectors, [nodes, values.len()] by rows; column j has unit length,
    /// and its entry of largest magnitude is positive.
    pub vectors: Vec<f32>,
    /// ‖M v − λ v‖ of every vector.
    pub residuals: Vec<f64>,
    /// Number of products of the matrix with the block of vectors; 0 if the
    /// graph is small enough for the dense solver.
    pub products: usize,
}

/// Error of the eigenvector computation.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpectralError {
    /// The matrix is not square.
    #[error("a matrix of {rows} rows and {columns} columns is no adjacency: it must be square")]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// A weight is negative or not finite.
    #[error(
        "weight {weight} at row {row}, column {column}: weights must be finite and not negative"
    )]
    Weight {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The weight.
        weight: f32,
    },
}

/// Number of extra vectors in the block: the more, the larger the eigenvalue
/// gap for the filter.
fn guard(count: usize) -> usize {
    (count / 4).max(8)
}

/// Graphs of up to this many nodes, or up to three times the block, use the
/// dense solver: a block that spans most of the space gains nothing.
const DENSE: usize = 96;

/// Computes the `count` leading eigenvectors of M = D^-1/2 A D^-1/2 for a
/// symmetric A with non-negative weights and weighted degrees D.
///
/// The caller guarantees symmetry. Every connected component with an edge has
/// the eigenvalue 1. Its eigenvector, D^1/2 on the component, is exact; these
/// vectors are ordered by descending size of the component (ties by smallest
/// node). An isolated node has a zero row in all vectors. Fewer vectors than
/// requested are returned if fewer nodes have edges.
///
/// The other vectors come from Chebyshev-filtered subspace iteration (or a
/// dense solver on small graphs). Their residuals measure the convergence: on
/// large graphs without structure the eigenvalues are so close to each other
/// that `config.products` may end the iteration first. Same seed, same bytes,
/// on any number of threads.
///
/// # Complexity
///
/// O((E + N k) k) time for each of some ten to a few hundred products; memory
/// of about 3.5 N k floats.
///
/// ```
/// use bnpool_math::kernel::SparseRows;
/// use bnpool_math::spectral::{SpectralConfig, leading_eigenvectors};
///
/// // A path of three nodes: eigenvalues 1, 0, −1.
/// let path = SparseRows { offsets: &[0, 1, 3, 4], columns: &[1, 0, 2, 1], weights: None, columns_count: 3 };
/// let spectrum = leading_eigenvectors(path, 2, &SpectralConfig::default())?;
/// assert_eq!(spectrum.values[0], 1.0);
/// assert!(spectrum.values[1].abs() < 1e-6);
/// // The second vector tells the two ends apart.
/// assert!((spectrum.vectors[1] + spectrum.vectors[5]).abs() < 1e-6);
/// # Ok::<(), bnpool_math::spectral::SpectralError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the matrix is not square, or a weight is negative or not
/// finite.
pub fn leading_eigenvectors(
    adjacency: SparseRows<'_>,
    count: usize,
    config: &SpectralConfig,
) -> Result<Spectrum, SpectralError> {
    let mut matrix = Normalised::new(adjacency)?;
    let trivial = Trivial::new(&matrix);
    let nodes = matrix.nodes();
    if config.lower_end {
        matrix.negate();
    }
    let exact = if config.skip_components || config.lower_end {
        0
    } else {
        trivial.count().min(count)
    };
    let others = (count - exact).min(trivial.nodes() - trivial.count());
    let mut spectrum = Spectrum {
        values: vec![1.0; exact],
        vectors: vec![0.0; nodes * (exact + others)],
        residuals: vec![0.0; exact],
        products: 0,
    };
    for component in 0..exact {
        for &u in trivial.members(component) {
            let u = u as usize;
            spectrum.vectors[u * (exact + others) + component] = trivial.entry(u) as f32;
        }
    }
    if others == 0 {
        return Ok(spectrum);
    }
    let width = (others + guard(others)).next_multiple_of(LANES);
    if trivial.nodes() <= (3 * width).max(DENSE) {
        let (values, vectors) = dense::leading(&matrix, &trivial, others);
        spectrum.values.extend(values);
        spectrum.residuals.resize(exact + others, 0.0);
        spectrum.place(exact, |u, j| vectors[j * nodes + u] as f32);
    } else {
        let stop = Stop {
            count: others,
            tolerance: config.tolerance,
            products: config.products,
        };
        let stream = Stream::new(config.seed, STREAM, 0);
        let ritz = subspace::leading(&matrix, &trivial, width, &stream, stop);
        spectrum.values.extend(&ritz.values[..others]);
        spectrum.residuals.extend(&ritz.residuals[..others]);
        spectrum.products = ritz.products;
        spectrum.place(exact, |u, j| ritz.vectors.values[u * width + j]);
    }
    spectrum.fix_signs(exact);
    if config.lower_end {
        spectrum
            .values
            .iter_mut()
            .for_each(|value| *value = -*value);
    }
    Ok(spectrum)
}

/// Random stream of the initial guess.
const STREAM: Purpose = Purpose::Other(0x7370_6563);

impl Spectrum {
    /// Writes the columns from `first` on.
    fn place(&mut self, first: usize, entry: impl Fn(usize, usize) -> f32 + Sync) {
        let width = self.values.len();
        self.vectors
            .par_chunks_exact_mut(width)
            .enumerate()
            .for_each(|(u, row)| {
                for (j, x) in row[first..].iter_mut().enumerate() {
                    *x = entry(u, j);
                }
            });
    }

    /// Makes the entry of largest magnitude (the first one in case of ties) of
    /// every column from `first` on positive.
    fn fix_signs(&mut self, first: usize) {
        let width = self.values.len();
        let mut extreme = vec![0.0_f32; width];
        for row in self.vectors.chunks_exact(width) {
            for (extreme, &x) in extreme.iter_mut().zip(row) {
                if x.abs() > extreme.abs() {
                    *extreme = x;
                }
            }
        }
        self.vectors.par_chunks_exact_mut(width).for_each(|row| {
            for (x, extreme) in row.iter_mut().zip(&extreme).skip(first) {
                if *extreme < 0.0 {
                    *x = -*x;
                }
            }
        });
    }
}
