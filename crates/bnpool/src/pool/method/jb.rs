//! Just Balance (Bianchi, 2022).

use crate::batch::Level;
use crate::nn::Initialiser;
use crate::pool::loss::balance_loss;
use crate::pool::registry::{Checked, Registered};
use crate::pool::select::{SOFTMAX, clusters_of, softmax_assignments, softmax_map};
use crate::pool::{Losses, Pass, Pool, PoolError, PoolSite, PoolTraits, PoolerConfig, Selection};
use burn::module::Module;
use burn::nn::Linear;
use serde::{Deserialize, Serialize};

/// Weight of the loss, and the filter of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct JustBalanceConfig {
    /// Weight of the balance.
    pub balance: f64,
    /// δ of the transform A → I − δL, which smooths the features. It is used
    /// unless `model.delta` sets another one.
    pub delta: f64,
}

impl Default for JustBalanceConfig {
    fn default() -> Self {
        Self {
            balance: 1.0,
            delta: 0.85,
        }
    }
}

impl Checked for JustBalanceConfig {
    fn check(&self) -> Result<(), PoolError> {
        PoolError::check_finite(&[("pooler.jb.balance", self.balance)])?;
        if (0.0..=1.0).contains(&self.delta) {
            return Ok(());
        }
        Err(PoolError::OutOfRange {
            name: "pooler.jb.delta",
            value: self.delta,
            bound: "between 0 (off) and 1",
        })
    }
}

/// S = softmax(X W + b) for a fixed number of clusters, trained only to have
/// clusters of equal size. Message passing on I − δL makes neighbours similar,
/// so they end up in the same cluster.
#[derive(Module, Debug)]
pub struct JustBalance {
    /// Node features → clusters, before the softmax.
    pub affine: Linear,
    #[module(skip)]
    config: JustBalanceConfig,
}

impl Pool for JustBalance {
    fn select(&self, level: &Level, _: &Pass) -> Selection {
        let assignments = softmax_assignments(&self.affine, level.x());
        let balance = balance_loss(level, &assignments) * self.config.balance;
        Selection::soft(assignments, Losses::new([("balance", balance)]))
    }

    fn nodes_after(&self, _: f64) -> f64 {
        clusters_of(&self.affine)
    }
}

impl Registered for JustBalance {
    const TRAITS: PoolTraits = PoolTraits {
        name: "jb",
        title: "Just Balance",
        summary: "Just Balance: soft clusters of equal size, their number fixed",
        losses: &["balance"],
        ..SOFTMAX
    };

    fn make(
        config: &PoolerConfig,
        site: &PoolSite,
        init: &mut Initialiser,
    ) -> Result<Self, PoolError> {
        Ok(Self {
            affine: softmax_map(config, site, init),
            config: config.rivals.jb,
        })
    }

    fn delta(config: &PoolerConfig) -> f64 {
        config.rivals.jb.delta
    }
}
