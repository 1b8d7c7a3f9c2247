//! Tensor operations with hand-written backward passes.
//!
//! The kernels of `bnpool-math` as differentiable functions of Burn tensors. On
//! the CPU backend they run on the memory of the tensor; on any other device,
//! the function uses ordinary tensor operations. This is the only module that
//! uses Burn's backend-extension API.
//!
//! | function | computes |
//! |---|---|
//! | [`spmm`], [`spmm_bias`], [`spmm_own`] | A X, f(A X + b), X + A X, sparse times dense: message passing, sparse features |
//! | [`reduce`], [`lift`], [`lift_own`] | Sᵀ X, S P and X + A X of every graph |
//! | [`break_sticks`] | posterior sample → assignments, divergence |
//! | [`block_loss`] | reconstruction loss, dense or sparse |
//! | [`affine`] | f(X W + b) |
//! | [`batch_norm`] | f(γ x̂ + β), columns normalised over the rows |
//! | [`edge_messages`] | x_u + Σ ReLU(x_v + e_uv): message passing with edge features |
//! | [`segment_sum`] | the sum of the rows of every graph |
//! | [`pooled_adjacency`] | no self-loops, normalised by degrees |
//! | [`activate`] | f(x) |

mod activation;
mod affine;
mod batch_norm;
mod block_loss;
mod coarsen;
mod edge_messages;
mod kernel;
mod pooled_adjacency;
mod posterior;
mod segment_sum;
mod segments;
mod spmm;
mod team_sum;

pub use activation::activate;
pub use affine::affine;
pub use batch_norm::batch_norm;
pub use block_loss::{BlockLossPairs, block_loss};
pub use coarsen::{lift, lift_own, reduce};
pub use edge_messages::edge_messages;
pub use kernel::without_kernels;
pub use pooled_adjacency::pooled_adjacency;
pub use posterior::{Draw, FractionError, GivenFractions, StickDraw, Sticks, break_sticks};
pub use segment_sum::segment_sum;
pub use segments::Segments;
pub use spmm::{spmm, spmm_bias, spmm_own};
pub(crate) use team_sum::team_sum;

/// Activation after an affine map or a normalisation.
pub use bnpool_math::kernel::Activation;
/// Mean and variance of the columns of a batch.
pub use bnpool_math::kernel::ColumnStatistics;
