//! Poolers: SEL, RED, CON and LIFT, and the methods that compose them.
//!
//! A pooler maps a graph of N nodes to one of C supernodes:
//!
//! - **SEL** assigns nodes to supernodes. It is specific to a method and returns
//!   a [`Membership`]: soft, kept, assigned, several maps, or the same.
//! - **RED** ([`reduce`]) computes the features of supernodes, Sᵀ X.
//! - **CON** ([`connect`]) computes their edges, Sᵀ A S.
//! - **LIFT** ([`lift`]) maps features of supernodes back to the nodes, S X_pool.
//!
//! A method is a [`Pool`]: it implements SEL, and the rest follows from its
//! selection. [`loss`] contains the auxiliary losses as building blocks.
//! [`POOLERS`] lists the methods of this crate, and [`Pooler`] is any of them.

mod connect;
mod error;
mod lift;
pub mod loss;
mod method;
mod output;
mod pass;
mod pooler;
mod reduce;
mod registry;
pub mod select;
mod settings;

pub use connect::{ConnectConfig, coarsen, connect};
pub use error::PoolError;
pub use lift::lift;
pub use loss::LossNormalisation;
pub use method::{
    BnPass, BnPool, BnPoolConfig, DiffPool, DiffPoolConfig, Dmon, DmonConfig, EdgeContraction,
    EigenPool, EigenPoolConfig, Graclus, Hosc, HoscConfig, JustBalance, JustBalanceConfig, KMis,
    KMisConfig, Leiden, LeidenPoolConfig, MinCut, MinCutConfig, NoPool, PosteriorStart,
    Reconstruction, Sep, TopK, kl_weight,
};
pub use output::{Losses, Pooled};
pub use pass::Pass;
pub use pooler::{Assigns, Coarsen, Pool, PoolSettings, PoolSite, PoolTraits};
pub use reduce::reduce;
pub use registry::{POOLERS, Pooler, RivalConfig, find_dividing_pooler, find_pooler};
pub use select::{Membership, Selection};
pub use settings::PoolerConfig;

/// Input and output of poolers and layers.
pub use crate::batch::{DenseStructure, Level, Structure, Topology};
/// Key of random draws.
pub use bnpool_math::stream::DrawKey;
