//! Clustering model of one graph: two message-passing layers and a pooler.

use crate::batch::Level;
use crate::nn::{Initialiser, Layer, LayerKind, LayerSite};
use crate::ops::Activation;
use crate::pool::{
    Membership, Pass, Pool, PoolError, PoolSettings, PoolSite, Pooled, Pooler, PoolerConfig,
    Selection,
};
use burn::module::Module;

/// Configuration of a [`ClusterModel`].
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterModelConfig<C = PoolerConfig> {
    /// Width of the node features.
    pub inputs: usize,
    /// Width of the hidden layers.
    pub hidden: usize,
    /// Kind of layers.
    pub layer: LayerKind,
    /// Number of nodes of the graph.
    pub nodes: usize,
    /// The pooler.
    pub pool: C,
    /// Number of clusters for poolers that do not infer it.
    pub clusters: usize,
    /// Seed of precomputed coarsenings.
    pub seed: u64,
}

/// The model of `sec:exp_clustering` of the paper: GCN, ELU, GCN, ELU, pooler.
#[derive(Module, Debug)]
pub struct ClusterModel<P: Module = Pooler> {
    /// First message-passing layer.
    pub first: Layer,
    /// Second message-passing layer.
    pub second: Layer,
    /// The pooler.
    pub pool: P,
}

impl<C: PoolSettings> ClusterModelConfig<C> {
    /// Site of the pooler.
    #[must_use]
    pub fn site(&self) -> PoolSite {
        PoolSite {
            inputs: self.hidden,
            nodes: self.nodes as f64,
            clusters: Some(self.clusters),
            seed: self.seed,
        }
    }

    /// Initialises the model.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting of the pooler is out of range.
    pub fn init(&self, init: &mut Initialiser) -> Result<ClusterModel<C::Pool>, PoolError> {
        let mut layer = |inputs| {
            let site = LayerSite {
                inputs,
                outputs: self.hidden,
                edge_inputs: 0,
                batch_norm: false,
            };
            self.layer.init(&site, init)
        };
        let (first, second) = (layer(self.inputs), layer(self.hidden));
        Ok(ClusterModel {
            first,
            second,
            pool: self.pool.init(&self.site(), init)?,
        })
    }
}

impl<P: Pool> ClusterModel<P> {
    /// Returns the graph with the features after both message-passing layers.
    ///
    /// # Shapes
    ///
    /// - features: [nodes, inputs] → [nodes, hidden]
    #[must_use]
    pub fn embed(&self, level: &Level, pass: &Pass) -> Level {
        let first = self.first.forward(level, Activation::Elu, &pass.mode);
        let level = level.clone().with_features(first);
        let second = self.second.forward(&level, Activation::Elu, &pass.mode);
        level.with_features(second)
    }

    /// Computes memberships and auxiliary losses, for a training step.
    #[must_use]
    pub fn select(&self, level: &Level, pass: &Pass) -> Selection {
        self.pool.select(&self.embed(level, pass), pass)
    }

    /// Computes only the memberships.
    #[must_use]
    pub fn membership(&self, level: &Level, pass: &Pass) -> Membership {
        self.pool.membership(&self.embed(level, pass), pass)
    }

    /// Computes memberships, the pooled graph and auxiliary losses.
    #[must_use]
    pub fn forward(&self, level: &Level, pass: &Pass) -> Pooled {
        self.pool.pool(&self.embed(level, pass), pass)
    }
}
