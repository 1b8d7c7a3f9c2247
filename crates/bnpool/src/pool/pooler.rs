//! The pooler trait, and the static properties of poolers.

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

/// A pooler. It implements SEL; RED, CON and LIFT follow from the selection.
pub trait Pool: Module + ModuleDisplay + Debug + Sync {
    /// SEL: assigns nodes to supernodes and computes the auxiliary losses.
    fn select(&self, level: &Level, pass: &Pass) -> Selection;

    /// Parameters of CON.
    fn connect(&self) -> ConnectConfig {
        ConnectConfig::new()
    }

    /// SEL, RED and CON.
    fn pool(&self, level: &Level, pass: &Pass) -> Pooled {
        Pooled::of(level, self.select(level, pass), self.connect())
    }

    /// SEL without the losses; override it if the losses are expensive.
    fn membership(&self, level: &Level, pass: &Pass) -> Membership {
        self.select(level, pass).membership
    }

    /// Mean number of nodes after the pooler.
    fn nodes_after(&self, nodes: f64) -> f64;

    /// Width of the features after the pooler.
    fn width_after(&self, width: usize) -> usize {
        width
    }

    /// K, [C, C], if the pooler has a block model.
    fn block_matrix(&self) -> Option<Tensor<2>> {
        None
    }

    /// Replaces K, [C, C], if the pooler has a block model.
    #[must_use]
    fn with_block_matrix(self, _block_matrix: Tensor<2>) -> Self {
        self
    }

    /// Returns the pooler if it is BN-Pool, which supports graphs in parts.
    fn bn(&self) -> Option<&BnPool> {
        None
    }

    /// Parameters of a block model, which have a separate learning rate
    /// (`training.block_rate`).
    fn block_parameters(&self) -> Vec<ParamId> {
        Vec::new()
    }
}

/// The settings of a pooler: its properties, and its construction for a site in
/// a network. [`PoolerConfig`](super::PoolerConfig) covers all poolers of this
/// crate; poolers of other crates implement this trait themselves.
pub trait PoolSettings:
    Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The pooler.
    type Pool: Pool;

    /// Static properties of the pooler.
    fn traits(&self) -> PoolTraits;

    /// Checks all values.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is out of range; the error names the first
    /// one, with its bound.
    fn check(&self) -> Result<(), PoolError>;

    /// Creates the pooler for a site in a network.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is out of range.
    fn init(&self, site: &PoolSite, init: &mut Initialiser) -> Result<Self::Pool, PoolError>;

    /// Coarsening of each graph before training, if any.
    fn coarsen(&self, _site: &PoolSite) -> Option<Arc<dyn Coarsen>> {
        None
    }

    /// δ of the transform A → I − δL of its graphs; 0 for none.
    fn delta(&self) -> f64 {
        0.0
    }

    /// Largest number of clusters of one graph; 0 if it depends on the graph.
    fn max_clusters(&self) -> usize {
        50
    }

    /// Returns whether the pooler can be trained on a graph in parts.
    fn works_in_parts(&self) -> bool {
        false
    }

    /// Replaces the largest number of clusters.
    #[must_use]
    fn with_max_clusters(self, _clusters: usize) -> Self {
        self
    }

    /// Adapts the settings to blocks, which may be disassortative: K has no
    /// preferred sign.
    #[must_use]
    fn for_blocks(self) -> Self {
        self
    }
}

/// Coarsens graphs once, before training.
pub trait Coarsen: Debug + Send + Sync {
    /// Computes one coarsening for each of `levels` consecutive poolers.
    ///
    /// # Errors
    ///
    /// Returns an error if the graph cannot be coarsened by this method, for
    /// example because of negative weights.
    fn prepare(&self, adjacency: &Csr, levels: usize) -> Result<Vec<Coarsening>, CoarsenError>;

    /// All settings that the result depends on, as a cache key. `None` if
    /// recomputing is cheaper than reading a file.
    fn cache_key(&self) -> Option<String> {
        None
    }
}

/// Site of a pooler in a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PoolSite {
    /// Width of the input node features.
    pub inputs: usize,
    /// Mean number of nodes of the input graphs.
    pub nodes: f64,
    /// Number of clusters if known in advance: that of node classes.
    pub clusters: Option<usize>,
    /// Seed of the run.
    pub seed: u64,
}

impl PoolSite {
    /// Number of clusters for poolers that do not infer it: the known one, or
    /// else κ times the number of nodes, at least 1.
    #[must_use]
    pub fn fixed_clusters(&self, ratio: f64) -> usize {
        self.clusters
            .unwrap_or((self.nodes.floor() * ratio) as usize)
            .max(1)
    }
}

/// Kind of assignment of nodes to supernodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assigns {
    /// Soft memberships of each node in all supernodes.
    Softly,
    /// Each node belongs to one supernode.
    Firmly,
    /// Some nodes are kept, others dropped.
    Some,
    /// Nodes are not assigned.
    None,
}

/// Static properties of a pooler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolTraits {
    /// Name on the command line.
    pub name: &'static str,
    /// Name in text.
    pub title: &'static str,
    /// One-line summary.
    pub summary: &'static str,
    /// Kind of assignment.
    pub assigns: Assigns,
    /// Whether the number of supernodes depends on the graph rather than on a
    /// setting.
    pub adaptive: bool,
    /// Whether it has trainable parameters.
    pub trainable: bool,
    /// Names of the auxiliary losses.
    pub losses: &'static [&'static str],
    /// Whether it coarsens graphs before training.
    pub prepared: bool,
    /// Time of a forward pass.
    pub complexity: &'static str,
    /// Whether its assignments are samples of a posterior, which quantifies
    /// their uncertainty and that of the number of clusters.
    pub posterior: bool,
    /// Whether it has a reconstruction loss, dense or sparse.
    pub reconstruction: bool,
}

impl PoolTraits {
    /// A pooler that assigns nodes firmly, with as many supernodes as the graph needs, and
    /// has neither parameters nor losses; without a name.
    pub const FIRM: Self = Self {
        name: "",
        title: "",
        summary: "",
        assigns: Assigns::Firmly,
        adaptive: true,
        trainable: false,
        losses: &[],
        prepared: false,
        complexity: "",
        posterior: false,
        reconstruction: false,
    };

    /// Returns whether it partitions the nodes of a graph, so that it can find
    /// communities.
    #[must_use]
    pub fn divides(&self) -> bool {
        matches!(self.assigns, Assigns::Softly | Assigns::Firmly)
    }
}
