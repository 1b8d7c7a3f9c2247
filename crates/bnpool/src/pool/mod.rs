//! Poolers: SEL, RED, CON and LIFT, and the methods that compose them.
//!
//! A pooler maps a graph of N nodes to one of C supernodes:
//!
//! - **SEL** says which node belongs to which supernode. It is a method's own,
//!   and gives a [`Membership`]: soft, kept, assigned, several maps, or the same.
//! - **RED** ([`reduce`]) makes the features of supernodes of it, Sᵀ X.
//! - **CON** ([`connect`]) makes their edges, Sᵀ A S.
//! - **LIFT** ([`lift`]) takes features of supernodes back to the nodes, S X_pool.
//!
//! A method is a [`Pool`]: it implements SEL, and the rest follows from what it
//! selects. [`loss`] has the auxiliary losses as pieces. [`POOLERS`] lists the
//! methods of this crate, and [`Pooler`] is any of them.

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
pub use pooler::{ArrayDemand, Assigns, Coarsen, Pool, PoolSettings, PoolSite, PoolTraits};
pub use reduce::reduce;
pub use registry::{POOLERS, Pooler, RivalConfig, find_dividing_pooler, find_pooler};
pub use select::{Membership, Selection};
pub use settings::PoolerConfig;

/// What poolers and layers take and give.
pub use crate::batch::{DenseStructure, Level, Structure, Topology};
/// Whose random draws they are.
pub use bnpool_math::stream::DrawKey;
