//! The reconstruction losses of the stochastic block model.
//!
//! The logit of an edge is x_uv = s_uᵀ K s_v (`eq:model_defintion` of the paper). Both
//! losses are sums of cross-entropies w (softplus(x) − t x) over pairs:
//! [`dense_loss`] over all ordered pairs of every graph, exactly and without
//! ever storing them; [`sparse_loss`] over the edges and given negatives.
//!
//! Gradients come out of the same pass. With G the matrix of ∂L/∂x_uv, M = G S
//! and N = Gᵀ S: ∂L/∂S = M Kᵀ + N K and ∂L/∂K = Sᵀ M. Where the targets and K
//! are symmetric, G is too, and N = M. K starts symmetric and its gradient is
//! made symmetric to the last bit, so on undirected graphs half of the pairs
//! are enough.

mod all;
mod compact;
mod listed;
mod loss;
mod pairs;
mod rows;
mod tiles;

pub use loss::{dense_loss, sparse_loss};
pub use rows::{SomeRows, padded_width, sparse_loss_of_rows};

use crate::kernel::SparseRows;

/// Weights of the two kinds of pairs of a graph, with any normalisation of the
/// loss already multiplied in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairWeights {
    /// Weight of a pair with an edge.
    pub positive: f64,
    /// Weight of any other pair, the diagonal included.
    pub negative: f64,
}

/// The targets of the loss: a (block-diagonal) adjacency matrix.
#[derive(Debug, Clone, Copy)]
pub struct Targets<'a> {
    /// Entries t_uv ≠ 0, by rows.
    pub rows: SparseRows<'a>,
    /// The same by columns; `None` says that the matrix is symmetric.
    pub columns: Option<SparseRows<'a>>,
}

/// Assignments S of one or many graphs.
#[derive(Debug, Clone, Copy)]
pub struct Assignments<'a, T> {
    /// Row-major values, [nodes, C].
    pub values: &'a [T],
    /// C.
    pub clusters: usize,
    /// First row of every graph, and the number of rows.
    pub offsets: &'a [usize],
}

/// A loss by graph, and its gradients.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLoss<T> {
    /// Weighted cross-entropy of every graph.
    pub graphs: Vec<f64>,
    /// Gradient of their sum by S, [nodes, C]; empty unless wanted.
    pub by_assignments: Vec<T>,
    /// Gradient of their sum by K, [C, C]; empty unless wanted.
    pub by_block_matrix: Vec<T>,
}

impl<T> BlockLoss<T> {
    /// The sum over graphs, in their order.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.graphs.iter().sum()
    }
}

/// What a measured run may want to change.
pub(super) mod tuning {
    /// Nodes of a tile: G of a tile (36 kB in `f32`) and the rows it meets stay
    /// in the second-level cache, and 96 is a multiple of every register block.
    pub(crate) const TILE: usize = 96;
    /// A cluster to which no node of the graph belongs with more than this is
    /// left out: it changes a logit by less than C · 1e-9 · max|K|, below the
    /// rounding of `f32`.
    pub(crate) const UNUSED: f64 = 1e-9;
    /// Tiles whose part of the gradient by K is summed by one task.
    pub(crate) const TILES_PER_SUM: usize = 8;
    /// Graphs whose gradients by K are summed by one task.
    pub(crate) const GRAPHS_PER_TASK: usize = 4;
}
