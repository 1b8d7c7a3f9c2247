//! MinCut pooling (Bianchi, Grattarola and Alippi, 2020).

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::loss::{cut_loss, orthogonality_loss};
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
pub struct MinCutConfig {
    /// Weight of the cut.
    pub cut: f64,
    /// Weight of the orthogonality.
    pub ortho: f64,
}

impl Default for MinCutConfig {
    fn default() -> Self {
        Self {
            cut: 1.0,
            ortho: 0.5,
        }
    }
}

impl Checked for MinCutConfig {
    fn check(&self) -> Result<(), PoolError> {
        PoolError::check_finite(&[
            ("pooler.mincut.cut", self.cut),
            ("pooler.mincut.ortho", self.ortho),
        ])
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained to cut few
/// edges and to have separate clusters of equal size.
#[derive(Module, Debug)]
pub struct MinCut {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: MinCutConfig,
}

impl MinCut {
    /// Computes the losses of given assignments.
    ///
    /// # Shapes
    ///
    /// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K]
    #[must_use]
    pub fn losses(&self, level: &Level, assignments: &Tensor<2>, coarse: &Tensor<3>) -> Losses {
        let cut = cut_loss(level, assignments, coarse.clone());
        let ortho = orthogonality_loss(level, assignments);
        Losses::new([
            ("cut", cut * self.config.cut),
            ("ortho", ortho * self.config.ortho),
        ])
    }
}

impl Pool for MinCut {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        softmax_selection(&self.affine, level, |assignments, coarse| {
            self.losses(level, assignments, coarse)
        })
    }

    fn nodes_after(&self, _: f64) -> f64 {
        clusters_of(&self.affine)
    }
}

impl Registered for MinCut {
    const TRAITS: PoolTraits = PoolTraits {
        name: "mincut",
        title: "MinCut",
        summary: "MinCut: soft clusters that cut few edges, their number fixed",
        losses: &["cut", "ortho"],
        ..SOFTMAX
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            affine: softmax_map(config, site, init),
            config: config.rivals.mincut,
        })
    }
}
