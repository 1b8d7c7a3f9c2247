//! Top-k pooling (Gao and Ji, 2019; Cangea et al., 2018).
//!
//! Supernodes are ordered by score in both features and edges. The reference
//! orders features by score but edges by node, so its edges join the wrong
//! rows.

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::registry::Registered;
use crate::pool::select::keep_best;
use crate::pool::{Assigns, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use burn::module::{Module, Param};
use burn::tensor::Tensor;

/// Keeps a fraction κ of the nodes of each graph, those whose features have the
/// largest projection onto a learned direction, and the edges between them.
#[derive(Module, Debug)]
pub struct TopK {
    /// p: the direction, [F, 1].
    pub direction: Param<Tensor<2>>,
    #[module(skip)]
    ratio: f64,
}

impl TopK {
    /// tanh(x·p / ‖p‖), [nodes, 1].
    fn scores(&self, x: Tensor<2>) -> Tensor<2> {
        let p = self.direction.val();
        let norm = (p.clone() * p.clone()).sum_dim(0).sqrt();
        (x.matmul(p) / norm).tanh()
    }
}

impl Pool for TopK {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        let scores = self.scores(level.x());
        Selection::of(keep_best(level, scores, self.ratio))
    }

    fn nodes_after(&self, nodes: f64) -> f64 {
        (nodes * self.ratio).ceil()
    }
}

impl Registered for TopK {
    const TRAITS: PoolTraits = PoolTraits {
        name: "topk",
        title: "Top-k",
        summary: "Top-k: the nodes of highest score and the edges between them",
        assigns: Assigns::Some,
        adaptive: false,
        trainable: true,
        complexity: "O(N log N + E)",
        ..PoolTraits::FIRM
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        let bound = 1.0 / (site.inputs.max(1) as f64).sqrt();
        Ok(Self {
            direction: init.uniform([site.inputs, 1], bound),
            ratio: config.ratio,
        })
    }
}
