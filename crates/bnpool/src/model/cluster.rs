//! One graph → assignments: two graph convolutions, then BN-Pool.

use crate::nn::{Gcn, GcnConfig, Initialiser, NodeInput};
use crate::ops::elu;
use crate::pool::{BnPool, BnPoolConfig, BnPoolPass, PoolError, PoolOutput, Selection, Topology};
use bnpool_graph::Csr;
use burn::config::Config;
use burn::module::Module;
use burn::tensor::Tensor;
use std::sync::Arc;

/// Configuration of a [`ClusterModel`].
#[derive(Config, Debug)]
pub struct ClusterModelConfig {
    /// Width of the node features.
    pub inputs: usize,
    /// Width of the hidden layers.
    #[config(default = 32)]
    pub hidden: usize,
    /// The pooler; its `inputs` are set to `hidden`.
    pub pool: BnPoolConfig,
}

/// The model of section 5.1: GCN, ELU, GCN, ELU, BN-Pool.
#[derive(Module, Debug)]
pub struct ClusterModel {
    /// First message-passing layer.
    pub first: Gcn,
    /// Second message-passing layer.
    pub second: Gcn,
    /// The pooler.
    pub pool: BnPool,
}

impl ClusterModelConfig {
    /// Initialises the model.
    ///
    /// # Errors
    ///
    /// When a hyper-parameter of the pooler is out of range.
    pub fn init(&self, init: &mut Initialiser) -> Result<ClusterModel, PoolError> {
        Ok(ClusterModel {
            first: GcnConfig::new(self.inputs, self.hidden).init(init),
            second: GcnConfig::new(self.hidden, self.hidden).init(init),
            pool: self.pool.clone().with_inputs(self.hidden).init(init)?,
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
        let first = elu(self.first.forward(normalised, x));
        elu(self.second.forward(normalised, &first.into()))
    }

    /// Assignments and auxiliary losses: a training step.
    #[must_use]
    pub fn select(
        &self,
        normalised: &Arc<Csr>,
        x: &NodeInput,
        topology: &Topology,
        pass: &BnPoolPass,
    ) -> Selection {
        self.pool.select(self.embed(normalised, x), topology, pass)
    }

    /// Assignments, pooled graph and auxiliary losses.
    #[must_use]
    pub fn forward(
        &self,
        normalised: &Arc<Csr>,
        x: &NodeInput,
        topology: &Topology,
        pass: &BnPoolPass,
    ) -> PoolOutput {
        self.pool.forward(self.embed(normalised, x), topology, pass)
    }
}
