//! The two losses, over all graphs of a batch.

use super::compact::Compact;
use super::pairs::Pairs;
use super::tuning::GRAPHS_PER_TASK;
use super::{Assignments, BlockLoss, PairWeights, Targets};
use crate::Real;
use crate::buffer::take;
use crate::kernel::SparseRows;
use crate::kernel::coarsen::transpose;
use rayon::prelude::*;
use std::borrow::Cow;

/// The pairs of a graph that enter the loss.
#[derive(Clone, Copy)]
enum Counted<'a> {
    /// All ordered pairs.
    All,
    /// The edges and these pairs.
    Listed(SparseRows<'a>),
}

/// The dense reconstruction loss L_rec (`eq:rec_loss` of the paper), computed exactly,
/// with gradients for S and K in the same pass.
///
/// Graph b contributes Σ_uv w_uv (softplus(x_uv) − t_uv x_uv) over all its
/// ordered pairs, the diagonal included; w_uv is `positive` if t_uv ≠ 0 and
/// `negative` otherwise. Targets may be fractional. Graphs without edges,
/// single nodes, complete graphs and empty graphs have a finite loss.
///
/// # Complexity
///
/// O(Σ N_b² C) time, O(N C) memory besides the results: only one tile of the
/// N_b² logits exists at a time.
///
/// ```
/// use bnpool_math::kernel::{Assignments, PairWeights, SparseRows, Targets, dense_loss};
///
/// // Two nodes joined by an edge, both in the first of two clusters.
/// let rows = SparseRows { offsets: &[0, 1, 2], columns: &[1, 0], weights: None, columns_count: 2 };
/// let s = Assignments { values: &[1.0, 0.0, 1.0, 0.0], clusters: 2, offsets: &[0, 2] };
/// let weights = [PairWeights { positive: 1.0, negative: 1.0 }];
/// let targets = Targets { rows, columns: None };
/// let loss = dense_loss(s, &[0.0, 0.0, 0.0, 0.0], targets, &weights, true);
/// // Every logit is zero: ln 2 for each of the four pairs.
/// assert!((loss.total() - 4.0 * 2.0_f64.ln()).abs() < 1e-12);
/// ```
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn dense_loss<T: Real>(
    assignments: Assignments<'_, T>,
    block_matrix: &[T],
    targets: Targets<'_>,
    weights: &[PairWeights],
    gradients: bool,
) -> BlockLoss<T> {
    loss(
        assignments,
        block_matrix,
        targets,
        weights,
        Counted::All,
        gradients,
    )
}

/// The sparse reconstruction loss (`eq:sparse_rec_loss` of the paper): cross-entropy of
/// the edges (t = 1, weights ignored) and of `negatives` (t = 0), each with the weight of
/// its graph. `negatives` must contain every pair in both directions.
///
/// # Complexity
///
/// O((E + E⁻) C) time, O(N C) memory besides the results.
///
/// # Panics
///
/// Panics if the shapes do not match.
#[must_use]
pub fn sparse_loss<T: Real>(
    assignments: Assignments<'_, T>,
    block_matrix: &[T],
    edges: Targets<'_>,
    negatives: SparseRows<'_>,
    weights: &[PairWeights],
    gradients: bool,
) -> BlockLoss<T> {
    assert_eq!(
        negatives.rows(),
        edges.rows.rows(),
        "negatives of every node"
    );
    let counted = Counted::Listed(negatives);
    loss(
        assignments,
        block_matrix,
        edges,
        weights,
        counted,
        gradients,
    )
}

/// Returns whether K is symmetric to the last bit.
pub(super) fn is_symmetric<T: Real>(matrix: &[T], size: usize) -> bool {
    (0..size).all(|i| (0..i).all(|j| matrix[i * size + j] == matrix[j * size + i]))
}

/// The factors of ∂L/∂S = M Kᵀ + N K, where M = G S and N = Gᵀ S: one each for
/// M and N, or one for M alone if everything is symmetric and N = M.
pub(super) fn gradient_factors<T: Real>(matrix: &[T], size: usize, symmetric: bool) -> Vec<Vec<T>> {
    let transposed = transpose(matrix, size, size);
    if !symmetric {
        return vec![transposed, matrix.to_vec()];
    }
    let both = matrix.iter().zip(&transposed);
    vec![both.map(|(&x, &y)| x + y).collect()]
}

/// Removes rounding differences from Sᵀ G S, which is symmetric for a symmetric
/// G.
fn symmetrise<T: Real>(matrix: &mut [T], size: usize) {
    let half = T::of(0.5);
    for i in 0..size {
        for j in 0..i {
            let mean = half * (matrix[i * size + j] + matrix[j * size + i]);
            (matrix[i * size + j], matrix[j * size + i]) = (mean, mean);
        }
    }
}

fn loss<T: Real>(
    assignments: Assignments<'_, T>,
    block_matrix: &[T],
    targets: Targets<'_>,
    weights: &[PairWeights],
    counted: Counted<'_>,
    gradients: bool,
) -> BlockLoss<T> {
    let Assignments {
        values,
        clusters,
        offsets,
    } = assignments;
    let nodes = offsets.last().copied().unwrap_or(0);
    assert_eq!(values.len(), nodes * clusters, "a row of S for every node");
    assert_eq!(block_matrix.len(), clusters * clusters, "K is C × C");
    assert_eq!(weights.len() + 1, offsets.len(), "weights of every graph");
    assert_eq!(targets.rows.rows(), nodes, "targets of every node");
    let symmetric = targets.columns.is_none() && is_symmetric(block_matrix, clusters);
    let factors = if gradients {
        gradient_factors(block_matrix, clusters, symmetric)
    } else {
        Vec::new()
    };
    let pass = Pass {
        block_matrix,
        clusters,
        symmetric,
        keep_unused: !block_matrix.iter().all(|x| x.finite()),
        factors: &factors,
    };

    let mut by_assignments = take(if gradients { values.len() } else { 0 });
    // Each task owns consecutive graphs, with their slice of the gradient with
    // respect to S and its own gradient with respect to K. The latter are
    // summed in order afterwards.
    let mut rest = &mut by_assignments[..];
    let tasks: Vec<(usize, &mut [T])> = (0..weights.len())
        .step_by(GRAPHS_PER_TASK)
        .map(|first| {
            let end = (first + GRAPHS_PER_TASK).min(weights.len());
            let size = if gradients {
                (offsets[end] - offsets[first]) * clusters
            } else {
                0
            };
            let (own, others) = std::mem::take(&mut rest).split_at_mut(size);
            rest = others;
            (first, own)
        })
        .collect();
    let results: Vec<(Vec<f64>, Vec<T>)> = tasks
        .into_par_iter()
        .map(|(first, mut gradient)| {
            let end = (first + GRAPHS_PER_TASK).min(weights.len());
            let mut losses = Vec::with_capacity(end - first);
            let mut by_block = vec![T::ZERO; if gradients { clusters * clusters } else { 0 }];
            for b in first..end {
                let range = offsets[b]..offsets[b + 1];
                let size = if gradients { range.len() * clusters } else { 0 };
                let (own, others) = std::mem::take(&mut gradient).split_at_mut(size);
                gradient = others;
                let graph = Graph {
                    rows: &values[range.start * clusters..range.end * clusters],
                    first: range.start,
                    targets,
                    pass,
                };
                let out = gradients.then_some((own, &mut by_block[..]));
                losses.push(graph.loss(weights[b], counted, out));
            }
            (losses, by_block)
        })
        .collect();
    let mut total = BlockLoss {
        graphs: Vec::with_capacity(weights.len()),
        by_assignments,
        by_block_matrix: vec![T::ZERO; if gradients { clusters * clusters } else { 0 }],
    };
    for (losses, by_block) in results {
        total.graphs.extend(losses);
        for (sum, x) in total.by_block_matrix.iter_mut().zip(by_block) {
            *sum += x;
        }
    }
    if symmetric && gradients {
        symmetrise(&mut total.by_block_matrix, clusters);
    }
    total
}

/// One graph of the batch.
struct Graph<'a, T> {
    rows: &'a [T],
    first: usize,
    targets: Targets<'a>,
    pass: Pass<'a, T>,
}

impl<T: Real> Graph<'_, T> {
    fn loss(
        &self,
        weights: PairWeights,
        counted: Counted<'_>,
        out: Option<(&mut [T], &mut [T])>,
    ) -> f64 {
        if self.rows.is_empty() {
            return 0.0;
        }
        let pass = self.pass;
        let compact = Compact::new(self.rows, pass.clusters, pass.keep_unused);
        let PairWeights { positive, negative } = weights;
        let edges = Pairs {
            rows: self.targets.rows,
            columns: self.targets.columns,
            first: self.first,
            softplus: positive,
            linear: positive,
            weighted: false,
        };
        match counted {
            Counted::All => {
                // The tiles use the weight rounded to T, so the edge correction
                // must subtract exactly that.
                let rounded = T::of(negative);
                let edges = Pairs {
                    softplus: positive - rounded.f64(),
                    weighted: true,
                    ..edges
                };
                compact.all_loss(rounded, &edges, pass, out)
            }
            Counted::Listed(negatives) => {
                let negatives = Pairs {
                    rows: negatives,
                    columns: None,
                    softplus: negative,
                    linear: 0.0,
                    ..edges
                };
                compact.listed_loss(&[edges, negatives], pass, out)
            }
        }
    }
}

/// Inputs shared by all ways of enumerating pairs.
#[derive(Clone, Copy)]
pub(super) struct Pass<'a, T> {
    /// K.
    pub(super) block_matrix: &'a [T],
    /// C.
    pub(super) clusters: usize,
    /// Whether targets and K are symmetric.
    pub(super) symmetric: bool,
    /// Whether to keep clusters without members; needed if K is not finite, so
    /// that it shows in the result.
    pub(super) keep_unused: bool,
    /// [`gradient_factors`]; empty if no gradients are requested.
    pub(super) factors: &'a [Vec<T>],
}

impl<'a, T: Real> Pass<'a, T> {
    /// Rows of the factors of the gradient with respect to S for the clusters
    /// in use.
    pub(super) fn used_factors(&self, compact: &Compact<T>) -> Vec<Cow<'a, [T]>> {
        let factors = self.factors.iter();
        factors
            .map(|factor| compact.used_rows(factor, self.clusters))
            .collect()
    }
}
