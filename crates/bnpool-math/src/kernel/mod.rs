//! Graph kernels on slices: parallel, deterministic, without allocations in
//! their inner loops.

mod activation;
mod adam;
mod affine;
mod batch_norm;
mod block_model;
mod coarsen;
mod components;
mod edge_messages;
mod negatives;
mod pooled_adjacency;
pub(crate) mod product;
mod sparse_rows;
mod spmm;

pub use activation::{Activation, activate, activate_backward};
pub use adam::{AdamStep, clip_factor, squared_norm};
pub use affine::{AffineGradients, affine, affine_backward, column_sums};
pub use batch_norm::{
    BatchNormGradients, ColumnStatistics, NORM_EPSILON, batch_norm, batch_norm_part_backward,
};
pub use block_model::{
    Assignments, BlockLoss, PairWeights, SomeRows, Targets, dense_loss, padded_width, sparse_loss,
    sparse_loss_of_rows,
};
pub use coarsen::{lift, lift_transposed, reduce, segment_spread, segment_sum};
pub use components::{Components, Forest, connected_components};
pub use edge_messages::{edge_messages, edge_messages_backward, sum_entries_of_columns};
pub use negatives::{Negatives, RegularPairs, sample_negatives};
pub use pooled_adjacency::{PooledAdjacency, SMALLEST_DEGREE};
pub use product::Addend;
pub use sparse_rows::SparseRows;
pub use spmm::spmm;
