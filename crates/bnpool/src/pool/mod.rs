//! Poolers: SEL, RED, CON and LIFT, and what they are composed to.
//!
//! A pooler maps a graph of N nodes to one of C supernodes. [`BnPool`] selects
//! the assignments S by sampling a posterior, reduces features to Sᵀ X,
//! connects supernodes by Sᵀ A S, and lifts pooled features back by S X_pool.

mod bn;
mod connect;
mod error;
mod loss;
mod output;
mod topology;

pub use bn::{BnPool, BnPoolConfig, BnPoolPass, PosteriorStart, Reconstruction, Selection};
pub use connect::{ConnectConfig, connect};
pub use error::PoolError;
pub use loss::{AuxiliaryLosses, LossPreset, Normalisation, block_prior};
pub use output::PoolOutput;
pub use topology::Topology;
