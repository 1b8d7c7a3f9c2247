//! Poolers: SEL, RED, CON and LIFT, and what they are composed to.
//!
//! A pooler maps a graph of N nodes to one of C supernodes. [`BnPool`] selects
//! the assignments S by sampling a posterior, reduces features to Sᵀ X,
//! connects supernodes by Sᵀ A S, and lifts pooled features back by S X_pool.
//! Others stand beside it: [`POOLERS`] lists all of them, [`Pooler`] is any of
//! them, and what they take and give is a [`Level`], the graphs of a batch at
//! one level of a hierarchy.

mod bn;
mod connect;
mod error;
mod loss;
mod mincut;
mod none;
mod output;
mod registry;
mod settings;
mod structure;
mod topk;
mod topology;

pub(crate) use bn::derived_seed;
pub use bn::{BnPool, BnPoolConfig, PoolPass, PosteriorStart, Reconstruction, Selection};
pub use connect::{ConnectConfig, coarsen, connect};
pub use error::PoolError;
pub use loss::{LossPreset, Normalisation, block_prior};
pub use mincut::{MinCut, MinCutConfig, cut_loss, orthogonality_loss};
pub use none::NoPool;
pub use output::{Losses, Membership, Pooled};
pub use registry::{
    POOLERS, Pool, PoolSite, Pooler, PoolerEntry, RivalConfig, find_pooler, find_soft_pooler,
};
pub use settings::{DENSE_BOUND, Loss, LossNormalisation, PoolerConfig};
pub use structure::{DenseStructure, Level, Structure};
pub use topk::TopK;
pub use topology::Topology;
