//! One graph → assignments: two graph convolutions, then a pooler.

use crate::nn::{Gcn, GcnConfig, Initialiser, NodeInput};
use crate::ops::Activation;
use crate::pool::{
    Level, PoolError, PoolPass, PoolSite, Pooled, Pooler, PoolerConfig, Selection, Topology,
    find_soft_pooler,
};
use bnpool_graph::Csr;
use burn::module::Module;
use burn::tensor::Tensor;
use std::sync::Arc;

/// Configuration of a [`ClusterModel`].
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterModelConfig {
    /// Width of the node features.
    pub inputs: usize,
    /// Width of the hidden layers.
    pub hidden: usize,
    /// Nodes of the graph.
    pub nodes: usize,
    /// The pooler.
    pub pool: PoolerConfig,
    /// Number of clusters of a pooler that does not find it.
    pub clusters: usize,
}

/// The model of `sec:exp_clustering` of the paper: GCN, ELU, GCN, ELU, pooler.
#[derive(Module, Debug)]
pub struct ClusterModel {
    /// First message-passing layer.
    pub first: Gcn,
    /// Second message-passing layer.
    pub second: Gcn,
    /// The pooler.
    pub pool: Pooler,
}

impl ClusterModelConfig {
    /// Initialises the model.
    ///
    /// # Errors
    ///
    /// When a value of the pooler is out of range, or it has no soft assignments.
    pub fn init(&self, init: &mut Initialiser) -> Result<ClusterModel, PoolError> {
        find_soft_pooler(&self.pool.name)?;
        let site = PoolSite {
            inputs: self.hidden,
            nodes: self.nodes as f64,
            clusters: Some(self.clusters),
        };
        Ok(ClusterModel {
            first: GcnConfig::new(self.inputs, self.hidden).init(init),
            second: GcnConfig::new(self.hidden, self.hidden).init(init),
            pool: Pooler::make(&self.pool, &site, init)?,
        })
    }
}

impl ClusterModel {
    /// Features of the nodes after both message-passing layers.
    ///
    /// # Shapes
    ///
    /// - `normalised`: [nodes, nodes], the matrix of [`Gcn::normalise`]
    /// - `x`: [nodes, inputs] → [nodes, hidden]
    #[must_use]
    pub fn embed(&self, normalised: &Arc<Csr>, x: &NodeInput) -> Tensor<2> {
        let first = self.first.forward_then(normalised, x, Activation::Elu);
        self.second
            .forward_then(normalised, &first.into(), Activation::Elu)
    }

    /// Assignments and auxiliary losses: a training step.
    #[must_use]
    pub fn select(
        &self,
        normalised: &Arc<Csr>,
        x: &NodeInput,
        topology: &Topology,
        pass: &PoolPass,
    ) -> Selection {
        let level = Level::new(self.embed(normalised, x), topology.clone());
        self.select_embedded(&level, pass)
    }

    /// The same for features that have passed the layers already.
    ///
    /// # Panics
    ///
    /// Never: a model is only made with a pooler of soft assignments.
    #[must_use]
    pub fn select_embedded(&self, level: &Level, pass: &PoolPass) -> Selection {
        self.pool
            .select(level, pass)
            .expect("the pooler has soft assignments")
    }

    /// Assignments, pooled graph and auxiliary losses.
    #[must_use]
    pub fn forward(
        &self,
        normalised: &Arc<Csr>,
        x: &NodeInput,
        topology: &Topology,
        pass: &PoolPass,
    ) -> Pooled {
        let level = Level::new(self.embed(normalised, x), topology.clone());
        self.pool.pool(&level, pass)
    }
}
