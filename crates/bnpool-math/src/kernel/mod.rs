//! Graph kernels on slices: parallel, deterministic, free of allocation in
//! their inner loops.

mod activation;
mod adam;
mod block_model;
mod coarsen;
mod components;
mod negatives;
pub(crate) mod product;
mod sparse_rows;
mod spmm;

pub use activation::{bounded_softplus, bounded_softplus_backward, elu, elu_backward};
pub use adam::{AdamStep, clip_factor, squared_norm};
pub use block_model::{Assignments, BlockLoss, PairWeights, Targets, dense_loss, sparse_loss};
pub use coarsen::{lift, reduce, segment_spread, segment_sum, transpose_each};
pub use components::{Components, connected_components};
pub use negatives::{Negatives, sample_negatives};
pub use sparse_rows::SparseRows;
pub use spmm::spmm;
