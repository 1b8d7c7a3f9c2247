//! All poolers by name. To add one, create a file for it and a line here.
//!
//! ```rust,ignore
//! /// S = softmax(X W + b), with a loss for clusters of equal size.
//! #[derive(Module, Debug)]
//! pub struct Mine { affine: Linear }
//!
//! impl Pool for Mine {
//!     fn select(&self, level: &Level, _: &Pass) -> Selection {
//!         let s = softmax_assignments(&self.affine, level.x());
//!         let loss = balance_loss(level, &s);
//!         Selection::soft(s, Losses::new([("balance", loss)]))
//!     }
//!     fn nodes_after(&self, _: f64) -> f64 { clusters_of(&self.affine) }
//! }
//!
//! impl Registered for Mine {
//!     const TRAITS: PoolTraits = PoolTraits { name: "mine", title: "Mine", ..SOFTMAX };
//!     fn make(
//!         config: &PoolerConfig,
//!         site: &PoolSite,
//!         init: &mut Initialiser,
//!     ) -> Result<Self, PoolError> {
//!         Ok(Self { affine: softmax_map(config, site, init) })
//!     }
//! }
//! ```
//!
//! The line `Mine: Mine;` in `poolers!` makes it a variant of [`Pooler`], a value of
//! `--pooler` with its help, a name in error messages and a case of every test over
//! [`POOLERS`]. With `, mine: MineConfig` behind it, its settings are the section
//! `[pooler.mine]`. A pooler of another crate implements `Pool` and `PoolSettings` instead
//! and runs through the same tasks.

use super::method::{
    BnPool, DiffPool, DiffPoolConfig, Dmon, DmonConfig, EdgeContraction, EigenPool,
    EigenPoolConfig, Graclus, Hosc, HoscConfig, JustBalance, JustBalanceConfig, KMis, KMisConfig,
    Leiden, LeidenPoolConfig, MinCut, MinCutConfig, NoPool, Sep, TopK,
};
use super::{
    Coarsen, ConnectConfig, Membership, Pass, Pool, PoolError, PoolSite, PoolTraits, Pooled,
    PoolerConfig, Selection,
};
use crate::batch::Level;
use crate::nn::Initialiser;
use burn::module::{Module, ParamId};
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A pooler in the registry.
pub(super) trait Registered: Pool {
    /// Static properties of the pooler.
    const TRAITS: PoolTraits;

    /// Creates the pooler for a site in a network.
    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError>;

    /// Coarsening of each graph before training.
    fn coarsen(_config: &PoolerConfig, _site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        None
    }

    /// δ of the transform A → I − δL of its graphs; 0 for none.
    fn delta(_config: &PoolerConfig) -> f64 {
        0.0
    }
}

/// Settings of a pooler that can be checked.
pub(super) trait Checked {
    /// Returns an error for the first value that is out of range, with its
    /// bound.
    fn check(&self) -> Result<(), PoolError>;
}

macro_rules! poolers {
    ($($variant:ident: $pooler:ty $(, $field:ident: $config:ty)?;)*) => {
        /// Any pooler.
        #[derive(Module, Debug)]
        #[allow(clippy::large_enum_variant)] // One or two per model.
        pub enum Pooler {
            $(#[doc = concat!("[`", stringify!($pooler), "`]")] $variant($pooler),)*
        }

        /// All poolers.
        pub const POOLERS: &[PoolTraits] = &[$(<$pooler as Registered>::TRAITS,)*];

        /// Settings of the poolers other than BN-Pool, if they have any.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[non_exhaustive]
        pub struct RivalConfig {
            $($(
                #[doc = concat!("Of [`", stringify!($pooler), "`].")]
                #[serde(default)]
                pub $field: $config,
            )?)*
        }

        impl RivalConfig {
            /// Checks all values.
            pub(super) fn check(&self) -> Result<(), PoolError> {
                $($(<$config as Checked>::check(&self.$field)?;)?)*
                Ok(())
            }
        }

        impl Pooler {
            /// Creates the pooler named by a configuration.
            ///
            /// # Errors
            ///
            /// Returns an error if the name is unknown or a value is out of
            /// range.
            pub fn make(
                config: &PoolerConfig,
                site: &PoolSite,
                init: &mut Initialiser,
            ) -> Result<Self, PoolError> {
                $(if config.name == <$pooler as Registered>::TRAITS.name {
                    return Ok(Self::$variant(Registered::make(config, site, init)?));
                })*
                Err(PoolError::unknown(&config.name))
            }
        }

        /// Coarsening of each graph before training, by the pooler of a
        /// configuration.
        pub(super) fn coarsen(config: &PoolerConfig, site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
            $(if config.name == <$pooler as Registered>::TRAITS.name {
                return <$pooler as Registered>::coarsen(config, site);
            })*
            None
        }

        /// δ of the transform for the pooler of a configuration.
        pub(super) fn delta(config: &PoolerConfig) -> f64 {
            $(if config.name == <$pooler as Registered>::TRAITS.name {
                return <$pooler as Registered>::delta(config);
            })*
            0.0
        }

        impl Pool for Pooler {
            fn select(&self, level: &Level, pass: &Pass) -> Selection {
                match self { $(Self::$variant(pooler) => Pool::select(pooler, level, pass),)* }
            }

            fn connect(&self) -> ConnectConfig {
                match self { $(Self::$variant(pooler) => Pool::connect(pooler),)* }
            }

            fn pool(&self, level: &Level, pass: &Pass) -> Pooled {
                match self { $(Self::$variant(pooler) => Pool::pool(pooler, level, pass),)* }
            }

            fn membership(&self, level: &Level, pass: &Pass) -> Membership {
                match self { $(Self::$variant(pooler) => Pool::membership(pooler, level, pass),)* }
            }

            fn nodes_after(&self, nodes: f64) -> f64 {
                match self { $(Self::$variant(pooler) => Pool::nodes_after(pooler, nodes),)* }
            }

            fn width_after(&self, width: usize) -> usize {
                match self { $(Self::$variant(pooler) => Pool::width_after(pooler, width),)* }
            }

            fn block_matrix(&self) -> Option<Tensor<2>> {
                match self { $(Self::$variant(pooler) => Pool::block_matrix(pooler),)* }
            }

            fn with_block_matrix(self, block_matrix: Tensor<2>) -> Self {
                match self {
                    $(Self::$variant(pooler) => {
                        Self::$variant(Pool::with_block_matrix(pooler, block_matrix))
                    })*
                }
            }

            fn bn(&self) -> Option<&BnPool> {
                match self { $(Self::$variant(pooler) => Pool::bn(pooler),)* }
            }

            fn block_parameters(&self) -> Vec<ParamId> {
                match self { $(Self::$variant(pooler) => Pool::block_parameters(pooler),)* }
            }
        }
    };
}

poolers! {
    Bn: BnPool;
    Diff: DiffPool, diff: DiffPoolConfig;
    MinCut: MinCut, mincut: MinCutConfig;
    Dmon: Dmon, dmon: DmonConfig;
    Jb: JustBalance, jb: JustBalanceConfig;
    Hosc: Hosc, hosc: HoscConfig;
    Eigen: EigenPool, eigen: EigenPoolConfig;
    TopK: TopK;
    Ec: EdgeContraction;
    KMis: KMis, kmis: KMisConfig;
    Graclus: Graclus;
    Leiden: Leiden, leiden: LeidenPoolConfig;
    Sep: Sep;
    None: NoPool;
}

impl RivalConfig {
    /// The values of the authors' code, as far as they differ from those of the
    /// methods' papers.
    #[must_use]
    pub fn authors() -> Self {
        Self {
            diff: DiffPoolConfig {
                link: 100.0,
                entropy: 0.1,
                normalised: false,
            },
            hosc: HoscConfig {
                alpha: 1.0,
                mu: 0.0,
                spread: false,
            },
            ..Self::default()
        }
    }
}

/// Finds the pooler with a name, if it partitions the nodes of a graph and can
/// thus find communities.
///
/// # Errors
///
/// Returns an error if the name is unknown, or the pooler does not partition
/// the nodes.
pub fn find_dividing_pooler(name: &str) -> Result<&'static PoolTraits, PoolError> {
    let traits = find_pooler(name)?;
    if traits.divides() {
        return Ok(traits);
    }
    Err(PoolError::not_dividing(name))
}

/// Finds the pooler with a name.
///
/// # Errors
///
/// Returns an error if the name is unknown; the error lists all names.
///
/// ```
/// assert!(bnpool::pool::find_pooler("mincut")?.divides());
/// assert!(bnpool::pool::find_pooler("maxcut").is_err());
/// # Ok::<(), bnpool::pool::PoolError>(())
/// ```
pub fn find_pooler(name: &str) -> Result<&'static PoolTraits, PoolError> {
    POOLERS
        .iter()
        .find(|traits| traits.name == name)
        .ok_or_else(|| PoolError::unknown(name))
}
