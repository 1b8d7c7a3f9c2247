//! The reconstruction losses of the stochastic block model.
//!
//! The logit of an edge is x_uv = s_uᵀ K s_v (`eq:model_defintion` of the paper). Both
//! losses are sums of cross-entropies w (softplus(x) − t x) over pairs: [`dense_loss`]
//! sums over all ordered pairs of every graph, exactly and without storing them;
//! [`sparse_loss`] sums over the edges and the given negatives.
//!
//! Gradients are computed in the same pass. With G the matrix of ∂L/∂x_uv, M =
//! G S and N = Gᵀ S: ∂L/∂S = M Kᵀ + N K and ∂L/∂K = Sᵀ M. If the targets and K
//! are symmetric, so is G, and N = M. K starts symmetric and its gradient is
//! made symmetric to the last bit, so half of the pairs suffice on undirected
//! graphs.

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

/// Weights of the two kinds of pairs of a graph, including any normalisation of
/// the loss.
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
    /// The entries by columns; `None` if the matrix is symmetric.
    pub columns: Option<SparseRows<'a>>,
}

/// Assignments S of one or many graphs.
#[derive(Debug, Clone, Copy)]
pub struct Assignments<'a, T> {
    /// Row-major values, [nodes, C].
    pub values: &'a [T],
    /// C.
    pub clusters: usize,
    /// First row of each graph, followed by the number of rows.
    pub offsets: &'a [usize],
}

/// Loss per graph, and its gradients.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockLoss<T> {
    /// Weighted cross-entropy of every graph.
    pub graphs: Vec<f64>,
    /// Gradient of the total with respect to S, [nodes, C]; empty unless
    /// requested.
    pub by_assignments: Vec<T>,
    /// Gradient of the total with respect to K, [C, C]; empty unless requested.
    pub by_block_matrix: Vec<T>,
}

impl<T> BlockLoss<T> {
    /// Sum over the graphs, in order.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.graphs.iter().sum()
    }
}

/// Tuning constants.
pub(super) mod tuning {
    /// Nodes per tile: G of a tile (36 kB in `f32`) and the rows it uses stay
    /// in the L2 cache, and 96 is a multiple of every register block.
    pub(crate) const TILE: usize = 96;
    /// A cluster is left out if no node of the graph has a larger membership in
    /// it: it changes a logit by less than C · 1e-9 · max|K|, below the
    /// rounding of `f32`.
    pub(crate) const UNUSED: f64 = 1e-9;
    /// Number of tiles whose gradients with respect to K are summed by one
    /// task.
    pub(crate) const TILES_PER_SUM: usize = 8;
    /// Number of graphs whose gradients with respect to K are summed by one
    /// task.
    pub(crate) const GRAPHS_PER_TASK: usize = 4;
}
