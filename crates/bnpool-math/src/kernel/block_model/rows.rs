//! The sparse loss of some rows of a graph whose other rows are stored
//! elsewhere.

use super::compact::{Compact, lanes};
use super::loss::{Pass, gradient_factors, is_symmetric};
use super::pairs::Pairs;
use super::{BlockLoss, PairWeights};
use crate::Real;
use crate::buffer::take;
use crate::kernel::SparseRows;

/// Width of a row of S in [`SomeRows`]: C padded to whole registers.
#[must_use]
pub fn padded_width(clusters: usize) -> usize {
    clusters.next_multiple_of(lanes())
}

/// Some rows of a graph, and the rows at the other end of their pairs.
#[derive(Debug)]
pub struct SomeRows<'a, T> {
    /// S of the own rows, followed by that of the others, [rows, [`padded_width`]],
    /// with zeros after the C values of a row.
    pub assignments: Vec<T>,
    /// C.
    pub clusters: usize,
    /// Edges of the own rows; columns index rows of `assignments`.
    pub edges: SparseRows<'a>,
    /// Non-edges of the own rows, with columns as in `edges`.
    pub negatives: SparseRows<'a>,
}

/// Contribution of some rows to the [`sparse_loss`](super::sparse_loss) of a
/// whole undirected graph, with a symmetric K.
///
/// Every pair must be listed in both directions, here or by the owner of the other
/// row. Then the losses of all rows add up to the loss, the gradient with respect to
/// the own rows of S is complete, and the gradients with respect to K add up to that
/// of the whole graph, which is symmetric up to rounding.
///
/// # Complexity
///
/// O(pairs · C) time, no memory besides the results.
///
/// # Panics
///
/// Panics if the shapes do not match, or K is not symmetric.
#[must_use]
pub fn sparse_loss_of_rows<T: Real>(
    some: SomeRows<'_, T>,
    block_matrix: &[T],
    weights: PairWeights,
    gradients: bool,
) -> BlockLoss<T> {
    let SomeRows {
        assignments,
        clusters,
        edges,
        negatives,
    } = some;
    let (nodes, width) = (edges.rows(), padded_width(clusters));
    assert!(
        assignments.len().is_multiple_of(width) && assignments.len() >= nodes * width,
        "a padded row of S for every node"
    );
    assert_eq!(block_matrix.len(), clusters * clusters, "K is C × C");
    assert_eq!(negatives.rows(), nodes, "negatives of every node");
    assert!(is_symmetric(block_matrix, clusters), "K is symmetric");
    let factors = if gradients {
        gradient_factors(block_matrix, clusters, true)
    } else {
        Vec::new()
    };
    let pass = Pass {
        block_matrix,
        clusters,
        symmetric: true,
        keep_unused: true,
        factors: &factors,
    };
    let size = |values: usize| if gradients { values } else { 0 };
    let mut by_assignments = take(size(nodes * clusters));
    let mut by_block_matrix = vec![T::ZERO; size(clusters * clusters)];
    let pairs = |rows, softplus, linear| Pairs {
        rows,
        columns: None,
        first: 0,
        softplus,
        linear,
        weighted: false,
    };
    let lists = [
        pairs(edges, weights.positive, weights.positive),
        pairs(negatives, weights.negative, 0.0),
    ];
    let compact = Compact::of_padded(assignments, nodes, clusters);
    let out = gradients.then_some((&mut by_assignments[..], &mut by_block_matrix[..]));
    let loss = match nodes {
        0 => 0.0,
        _ => compact.listed_loss(&lists, pass, out),
    };
    BlockLoss {
        graphs: vec![loss],
        by_assignments,
        by_block_matrix,
    }
}
