//! Deep modularity networks (Tsitsulin et al., 2023).
//!
//! Sums run over the nodes of a graph. In torch-geometric-pool, the collapse
//! term includes the padding of smaller graphs of a batch; here, as in the
//! paper, there is no padding.

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::loss::{collapse_loss, modularity_loss, orthogonality_loss};
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{SOFTMAX, clusters_of, softmax_map, softmax_selection};
use crate::pool::{Losses, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use burn::module::Module;
use burn::nn::Linear;
use burn::tensor::Tensor;
use serde::{Deserialize, Serialize};

/// Weights of the losses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct DmonConfig {
    /// Weight of the modularity.
    pub modularity: f64,
    /// Weight of the collapse regularisation.
    pub collapse: f64,
    /// Weight of the orthogonality; 0 disables it.
    pub ortho: f64,
}

impl Default for DmonConfig {
    fn default() -> Self {
        Self {
            modularity: 1.0,
            collapse: 1.0,
            ortho: 0.0,
        }
    }
}

impl Checked for DmonConfig {
    fn check(&self) -> Result<(), PoolError> {
        PoolError::check_finite(&[
            ("pooler.dmon.modularity", self.modularity),
            ("pooler.dmon.collapse", self.collapse),
            ("pooler.dmon.ortho", self.ortho),
        ])
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained to maximise
/// modularity and to avoid collapsed clusters.
#[derive(Module, Debug)]
pub struct Dmon {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: DmonConfig,
}

impl Dmon {
    /// Computes the losses of given assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K]
    #[must_use]
    pub fn losses(&self, level: &Level, assignments: &Tensor<2>, coarse: &Tensor<3>) -> Losses {
        let modularity = modularity_loss(level, assignments, coarse.clone());
        let collapse = collapse_loss(level, assignments);
        let mut terms = vec![
            ("modularity", modularity * self.config.modularity),
            ("collapse", collapse * self.config.collapse),
        ];
        if self.config.ortho != 0.0 {
            let ortho = orthogonality_loss(level, assignments);
            terms.push(("ortho", ortho * self.config.ortho));
        }
        Losses::new(terms)
    }
}

impl Pool for Dmon {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        softmax_selection(&self.affine, level, |assignments, coarse| {
            self.losses(level, assignments, coarse)
        })
    }

    fn nodes_after(&self, _: f64) -> f64 {
        clusters_of(&self.affine)
    }
}

impl Registered for Dmon {
    const TRAITS: PoolTraits = PoolTraits {
        name: "dmon",
        title: "DMoN",
        summary: "DMoN: soft clusters of high modularity, their number fixed",
        losses: &["modularity", "collapse", "ortho"],
        ..SOFTMAX
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            affine: softmax_map(config, site, init),
            config: config.rivals.dmon,
        })
    }
}
