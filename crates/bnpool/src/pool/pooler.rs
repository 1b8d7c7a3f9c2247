//! What a pooler is, and what is known of one without making it.

use super::{BnPool, ConnectConfig, Membership, Pass, PoolError, Pooled, Selection};
use crate::batch::{Coarsening, Level};
use crate::nn::Initialiser;
use bnpool_graph::Csr;
use bnpool_graph::coarsen::CoarsenError;
use burn::module::{Module, ModuleDisplay, ParamId};
use burn::tensor::Tensor;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;
use std::sync::Arc;

/// A pooler: SEL is its own, RED, CON and LIFT follow from what it selects.
pub trait Pool: Module + ModuleDisplay + Debug + Sync {
    /// SEL: which node belongs to which supernode, with the auxiliary losses.
    fn select(&self, level: &Level, pass: &Pass) -> Selection;

    /// How supernodes are connected.
    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new()
    }

    /// SEL, RED and CON.
    fn pool(&self, level: &Level, pass: &Pass) -> Pooled {
        Pooled::of(level, self.select(level, pass), self.connect())
    }

    /// SEL without the losses; worth an own implementation if they are expensive.
    fn membership(&self, level: &Level, pass: &Pass) -> Membership {
        self.select(level, pass).membership
    }

    /// Mean number of nodes after it.
    fn nodes_after(&self, nodes: f64) -> f64;

    /// Width of the features after it.
    fn width_after(&self, width: usize) -> usize {
        width
    }

    /// K, [C, C], if it has a block model.
    fn block_matrix(&self) -> Option<Tensor<2>> {
        None
    }

    /// The same with this K, [C, C], if it has a block model.
    #[must_use]
    fn with_block_matrix(self, _block_matrix: Tensor<2>) -> Self {
        self
    }

    /// Itself, if it is BN-Pool, which can work on a graph in parts.
    fn bn(&self) -> Option<&BnPool> {
        None
    }

    /// Parameters of a block model, which have a pace of their own
    /// (`training.block_rate`).
    fn block_parameters(&self) -> Vec<ParamId> {
        Vec::new()
    }
}

/// The settings of a pooler: what it is, and how one is made for its place in a
/// network. [`PoolerConfig`](super::PoolerConfig) is any pooler of this crate; a
/// pooler of another crate brings its own.
pub trait PoolSettings:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The pooler.
    type Pool: Pool;

    /// What is known of it.
    fn traits(&self) -> PoolTraits;

    /// Checks every value.
    ///
    /// # Errors
    ///
    /// The first one that is out of range, with its bound.
    fn check(&self) -> Result<(), PoolError>;

    /// Makes one for its place in a network.
    ///
    /// # Errors
    ///
    /// When a value is out of range.
    fn init(&self, site: &PoolSite, init: &mut Initialiser) -> Result<Self::Pool, PoolError>;

    /// What it computes of every graph before training, if there is something.
    fn coarsen(&self, _site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        None
    }

    /// δ of the transform A → I − δL that its graphs need; 0 for none.
    fn delta(&self) -> f64 {
        0.0
    }

    /// The largest number of clusters of one graph; 0 if it follows the graph.
    fn max_clusters(&self) -> usize {
        50
    }

    /// Whether it can be trained on a graph in parts.
    fn works_in_parts(&self) -> bool {
        false
    }

    /// The same with another largest number of clusters.
    #[must_use]
    fn with_max_clusters(self, _clusters: usize) -> Self {
        self
    }

    /// The same for groups that may join others more than themselves: K has no
    /// preferred sign.
    #[must_use]
    fn for_blocks(self) -> Self {
        self
    }

    /// Large arrays that it will need for a batch of `graphs` graphs, so that a
    /// task can refuse what the memory does not hold.
    fn arrays(&self, _site: &PoolSite, _graphs: usize) -> Vec<ArrayDemand> {
        Vec::new()
    }
}

/// An array of single precision that a pooler will need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrayDemand {
    /// The setting that its size comes from, such as `pooler.max_clusters`.
    pub field: &'static str,
    /// What it is, such as "a block matrix of 50 clusters".
    pub what: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// Whether it is a parameter, which is kept four times: with its gradient and
    /// two moments.
    pub parameter: bool,
}

/// Computes what depends on a graph alone, once, before training.
pub trait Coarsen: Debug + Send + Sync {
    /// One coarsening for each of `levels` poolers behind one another.
    ///
    /// # Errors
    ///
    /// When the graph cannot be coarsened this way, such as one with negative
    /// weights.
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError>;

    /// All settings that the result depends on, for the key of a cache. None if
    /// computing it again costs less than a look into a file.
    fn cache_key(&self) -> Option<String> {
        None
    }
}

/// A pooler's place in a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoolSite {
    /// Width of the node features that reach it.
    pub inputs: usize,
    /// Mean number of nodes of the graphs that reach it.
    pub nodes: f64,
    /// Number of clusters if it is known beforehand: the classes of nodes.
    pub clusters: Option<usize>,
    /// Seed of the run.
    pub seed: u64,
}

impl PoolSite {
    /// The number of clusters of a pooler that does not find it: the known one,
    /// else κ times the nodes, at least 1.
    #[must_use]
    pub fn fixed_clusters(&self, ratio: f64) -> usize {
        self.clusters
            .unwrap_or((self.nodes.floor() * ratio) as usize)
            .max(1)
    }
}

/// How a pooler assigns nodes to supernodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assigns {
    /// Every node to all supernodes, more or less.
    Softly,
    /// Every node to one supernode.
    Firmly,
    /// Some nodes are kept, others dropped.
    Some,
    /// No node to any.
    None,
}

/// What is known of a pooler without making one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolTraits {
    /// Its name on the command line.
    pub name: &'static str,
    /// Its name in sentences and on pages.
    pub title: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// How it assigns nodes.
    pub assigns: Assigns,
    /// Whether the number of supernodes follows from the graph rather than from a
    /// setting.
    pub adaptive: bool,
    /// Whether it has parameters to train.
    pub trainable: bool,
    /// Names of its auxiliary losses.
    pub losses: &'static [&'static str],
    /// Whether it computes something of every graph before training.
    pub prepared: bool,
    /// Time of a forward pass.
    pub complexity: &'static str,
    /// Whether its assignments are samples of a posterior, which says how sure
    /// they are and how many clusters there may be.
    pub posterior: bool,
    /// Whether it learns by reconstructing the edges, by a dense or a sparse loss.
    pub reconstruction: bool,
}

impl PoolTraits {
    /// Whether it divides the nodes of a graph into groups, so that it finds
    /// communities.
    #[must_use]
    pub fn divides(&self) -> bool {
        matches!(self.assigns, Assigns::Softly | Assigns::Firmly)
    }
}
