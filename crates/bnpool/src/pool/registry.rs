//! All poolers by name. A new one is a file of its own and a line here.

use super::{
    BnPool, Level, MinCut, MinCutConfig, NoPool, PoolError, PoolPass, Pooled, PoolerConfig,
    Selection, TopK,
};
use crate::nn::Initialiser;
use burn::module::Module;
use serde::{Deserialize, Serialize};

/// Where a pooler stands in a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoolSite {
    /// Width of the node features that reach it.
    pub inputs: usize,
    /// Mean number of nodes of the graphs that reach it.
    pub nodes: f64,
    /// Number of clusters where it is known beforehand: the classes of nodes.
    pub clusters: Option<usize>,
}

impl PoolSite {
    /// The number of clusters of a pooler that does not find it: the known one,
    /// else κ times the nodes.
    #[must_use]
    pub fn fixed_clusters(&self, ratio: f64) -> usize {
        self.clusters
            .unwrap_or((self.nodes.floor() * ratio) as usize)
            .max(1)
    }
}

/// A pooler: SEL, RED and CON, with LIFT on what it returns.
pub trait Pool: Module {
    /// Its name on the command line.
    const NAME: &'static str;
    /// Its name in sentences and on pages.
    const TITLE: &'static str;
    /// What it does, in a line.
    const SUMMARY: &'static str;
    /// Whether its assignments are soft, so that it finds communities too.
    const SOFT: bool;
    /// Whether its assignments are samples of a posterior, which says how sure
    /// they are and how many clusters there may be.
    const POSTERIOR: bool = false;
    /// Whether it learns by reconstructing the edges, by a dense or a sparse loss.
    const RECONSTRUCTION: bool = false;

    /// Makes one for its place in a network.
    ///
    /// # Errors
    ///
    /// When a value is out of range.
    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError>;

    /// Pools a batch.
    fn pool(&self, level: &Level, pass: &PoolPass) -> Pooled;

    /// SEL alone with the losses, where the assignments are soft.
    fn select(&self, level: &Level, pass: &PoolPass) -> Option<Selection>;

    /// Mean number of nodes after it.
    fn nodes_after(&self, nodes: f64) -> f64;
}

/// What is known of a pooler without making one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolerEntry {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in sentences and on pages.
    pub title: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Whether it finds communities too.
    pub soft: bool,
    /// Whether its assignments are samples of a posterior.
    pub posterior: bool,
    /// Whether it learns by reconstructing the edges.
    pub reconstruction: bool,
}

macro_rules! poolers {
    ($($variant:ident: $pooler:ty $(, $field:ident: $config:ty)?;)*) => {
        /// Any pooler.
        #[derive(Module, Debug)]
        #[allow(clippy::large_enum_variant)] // One or two a model.
        pub enum Pooler {
            $(#[doc = concat!("[`", stringify!($pooler), "`]")] $variant($pooler),)*
        }

        /// All poolers.
        pub const POOLERS: &[PoolerEntry] = &[
            $(PoolerEntry {
                name: <$pooler as Pool>::NAME,
                title: <$pooler as Pool>::TITLE,
                summary: <$pooler as Pool>::SUMMARY,
                soft: <$pooler as Pool>::SOFT,
                posterior: <$pooler as Pool>::POSTERIOR,
                reconstruction: <$pooler as Pool>::RECONSTRUCTION,
            },)*
        ];

        /// Values of the poolers that have some beside BN-Pool.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        pub struct RivalConfig {
            $($(#[doc = concat!("Of [`", stringify!($pooler), "`].")] pub $field: $config,)?)*
        }

        impl Pooler {
            /// Makes the pooler that a configuration names.
            ///
            /// # Errors
            ///
            /// When there is none of that name or a value is out of range.
            pub fn make(
                config: &PoolerConfig,
                site: &PoolSite,
                init: &mut Initialiser,
            ) -> Result<Self, PoolError> {
                match config.name.as_str() {
                    $(<$pooler as Pool>::NAME => {
                        Ok(Self::$variant(<$pooler as Pool>::make(config, site, init)?))
                    })*
                    _ => Err(PoolError::unknown(&config.name)),
                }
            }

            /// Pools a batch.
            #[must_use]
            pub fn pool(&self, level: &Level, pass: &PoolPass) -> Pooled {
                match self {
                    $(Self::$variant(pooler) => pooler.pool(level, pass),)*
                }
            }

            /// SEL alone with the losses, where the assignments are soft.
            #[must_use]
            pub fn select(&self, level: &Level, pass: &PoolPass) -> Option<Selection> {
                match self {
                    $(Self::$variant(pooler) => Pool::select(pooler, level, pass),)*
                }
            }

            /// Mean number of nodes after it.
            #[must_use]
            pub fn nodes_after(&self, nodes: f64) -> f64 {
                match self {
                    $(Self::$variant(pooler) => pooler.nodes_after(nodes),)*
                }
            }
        }
    };
}

poolers! {
    Bn: BnPool;
    MinCut: MinCut, mincut: MinCutConfig;
    TopK: TopK;
    None: NoPool;
}

/// The pooler of a name, if it has soft assignments and so finds communities.
///
/// # Errors
///
/// When there is none of that name, or its assignments are not soft.
pub fn find_soft_pooler(name: &str) -> Result<&'static PoolerEntry, PoolError> {
    let entry = find_pooler(name)?;
    if entry.soft {
        return Ok(entry);
    }
    let soft: Vec<&str> = POOLERS.iter().filter(|e| e.soft).map(|e| e.name).collect();
    Err(PoolError::NotSoft {
        name: name.to_owned(),
        soft: soft.join(", "),
    })
}

/// The pooler of a name.
///
/// # Errors
///
/// When there is none, naming all there are.
///
/// ```
/// assert!(bnpool::pool::find_pooler("mincut")?.soft);
/// assert!(bnpool::pool::find_pooler("maxcut").is_err());
/// # Ok::<(), bnpool::pool::PoolError>(())
/// ```
pub fn find_pooler(name: &str) -> Result<&'static PoolerEntry, PoolError> {
    POOLERS
        .iter()
        .find(|entry| entry.name == name)
        .ok_or_else(|| PoolError::unknown(name))
}
