//! Higher-order clustering and pooling (Duval and Malliaros, 2022).
//!
//! Both cuts use Sᵀ A S itself, as in the paper. torch-geometric-pool computes
//! the plain cut from the pooled adjacency after removing its diagonal, so its
//! numerator is always 0.

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::loss::{cut_loss, higher_order_cut_loss, orthogonality_loss, spread_loss};
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
pub struct HoscConfig {
    /// α: weight of the cut of triangles; that of edges is 1 − α.
    pub alpha: f64,
    /// μ: weight of the regularisation; 0 disables it.
    pub mu: f64,
    /// Whether clusters are regularised by their spread, as in the paper of the
    /// method, rather than by MinCut's orthogonality.
    pub spread: bool,
}

impl Default for HoscConfig {
    fn default() -> Self {
        Self {
            alpha: 0.5,
            mu: 0.1,
            spread: false,
        }
    }
}

impl Checked for HoscConfig {
    fn check(&self) -> Result<(), PoolError> {
        PoolError::check_finite(&[("pooler.hosc.mu", self.mu)])?;
        if (0.0..=1.0).contains(&self.alpha) {
            return Ok(());
        }
        Err(PoolError::OutOfRange {
            name: "pooler.hosc.alpha",
            value: self.alpha,
            bound: "between 0 and 1",
        })
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained to cut few
/// triangles and few edges.
#[derive(Module, Debug)]
pub struct Hosc {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: HoscConfig,
}

impl Hosc {
    /// Computes the losses of given assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K]
    #[must_use]
    pub fn losses(&self, level: &Level, assignments: &Tensor<2>, coarse: &Tensor<3>) -> Losses {
        let HoscConfig { alpha, mu, spread } = self.config;
        let [_, clusters] = assignments.dims();
        let plain = (alpha < 1.0).then(|| cut_loss(level, assignments, coarse.clone()));
        let higher = (alpha > 0.0).then(|| higher_order_cut_loss(level, assignments));
        let cut = match (plain, higher) {
            (Some(plain), Some(higher)) => plain * (1.0 - alpha) + higher * alpha,
            (Some(cut), None) | (None, Some(cut)) => cut,
            (None, None) => unreachable!("alpha is below 1 or above 0"),
        };
        let mut terms = vec![("hosc", cut * (1.0 / clusters as f64))];
        if mu != 0.0 {
            let apart = if spread {
                spread_loss(level, assignments)
            } else {
                orthogonality_loss(level, assignments)
            };
            terms.push(("ortho", apart * mu));
        }
        Losses::new(terms)
    }
}

impl Pool for Hosc {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        softmax_selection(&self.affine, level, |assignments, coarse| {
            self.losses(level, assignments, coarse)
        })
    }

    fn nodes_after(&self, _: f64) -> f64 {
        clusters_of(&self.affine)
    }
}

impl Registered for Hosc {
    const TRAITS: PoolTraits = PoolTraits {
        name: "hosc",
        title: "HoscPool",
        summary: "HoscPool: soft clusters that cut few triangles, their number fixed",
        losses: &["hosc", "ortho"],
        ..SOFTMAX
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            affine: softmax_map(config, site, init),
            config: config.rivals.hosc,
        })
    }
}
