//! Tensor operations with hand-written backward passes.
//!
//! The kernels of `bnpool-math` as differentiable functions of Burn tensors. On
//! the CPU backend they run on the tensor's own memory; on any other device the
//! same function takes a path through ordinary tensor operations. This is the
//! only place that touches Burn's backend-extension API.
//!
//! | function | computes |
//! |---|---|
//! | [`spmm`] | A X, sparse times dense: message passing, sparse features |
//! | [`reduce`], [`lift`] | Sᵀ X and S P of every graph |
//! | [`break_sticks`] | posterior sample → assignments, divergence |
//! | [`block_loss`] | reconstruction loss, dense or sparse |
//! | [`elu`], [`bounded_softplus`] | activations |

mod activation;
mod block_loss;
mod coarsen;
mod kernel;
mod posterior;
mod segments;
mod spmm;

pub use activation::{bounded_softplus, elu};
pub use block_loss::{BlockLossPairs, block_loss};
pub use coarsen::{lift, reduce};
pub use kernel::without_kernels;
pub use posterior::{Draw, StickDraw, Sticks, break_sticks};
pub use segments::Segments;
pub use spmm::spmm;
