//! DiffPool (Ying et al., 2018).

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::loss::{entropy_loss, link_loss};
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{SOFTMAX, clusters_of, softmax_map, softmax_selection};
use crate::pool::{Losses, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use bnpool_parallel::Member;
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// Weights of the losses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct DiffPoolConfig {
    /// Weight of the link prediction.
    pub link: f64,
    /// Weight of the entropy of the assignments.
    pub entropy: f64,
    /// Whether the link loss is divided by the number of graphs times the
    /// squared size of the largest one.
    pub normalised: bool,
}

impl Default for DiffPoolConfig {
    /// Equal weights of the normalised link loss and the entropy. The
    /// unnormalised loss of the presets `paper` and `authors` grows with the
    /// batch.
    fn default() -> Self {
        Self {
            link: 1.0,
            entropy: 1.0,
            normalised: true,
        }
    }
}

impl Checked for DiffPoolConfig {
    fn check(&self) -> Result<(), PoolError> {
        PoolError::check_finite(&[
            ("pooler.diff.link", self.link),
            ("pooler.diff.entropy", self.entropy),
        ])
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained to predict the
/// edges by SSᵀ and to have confident assignments.
#[derive(Module, Debug)]
pub struct DiffPool {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: DiffPoolConfig,
}

impl DiffPool {
    /// Computes the losses of given assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K]
    #[must_use]
    pub fn losses(
        &self,
        level: &Level,
        assignments: &Tensor<2>,
        coarse: &Tensor<3>,
        member: Option<&Member>,
    ) -> Losses {
        let normalised = self.config.normalised;
        let link = link_loss(level, assignments, coarse.clone(), normalised, member);
        let entropy = entropy_loss(level, assignments, member);
        Losses::new([
            ("link", link * self.config.link),
            ("entropy", entropy * self.config.entropy),
        ])
    }
}

impl Pool for DiffPool {
    fn select(&self, level: &Level, pass: &Pass) -> Selection {
        softmax_selection(&self.affine, level, |assignments, coarse| {
            self.losses(level, assignments, coarse, pass.mode.member())
        })
    }

    fn nodes_after(&self, _: f64) -> f64 {
        clusters_of(&self.affine)
    }
}

impl Registered for DiffPool {
    const TRAITS: PoolTraits = PoolTraits {
        name: "diff",
        title: "DiffPool",
        summary: "DiffPool: soft clusters that predict the edges, their number fixed",
        losses: &["link", "entropy"],
        ..SOFTMAX
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            affine: softmax_map(config, site, init),
            config: config.rivals.diff,
        })
    }
}
