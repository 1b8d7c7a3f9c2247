//! Lines of the history.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A finished epoch, which is a line of the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Epoch {
    /// Number of its start, from 1.
    pub start: usize,
    /// Number of the epoch within its start, from 1.
    pub epoch: usize,
    /// The auxiliary losses: `loss_rec` (L_rec), `loss_kl` (γ L_π) and `loss_k`
    /// (L_K) of BN-Pool, or those of another pooler.
    #[serde(flatten)]
    pub losses: BTreeMap<String, f64>,
    /// Value of γ.
    pub gamma: f64,
    /// Number of non-empty clusters of the sample, with some membership above
    /// 1/C.
    pub clusters: usize,
    /// Learning rate.
    pub learning_rate: f64,
    /// Global norm of the gradients, before clipping.
    pub gradient_norm: f64,
}

impl Epoch {
    /// Returns L_aux.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.losses.values().sum()
    }

    /// Returns the loss with a name such as `loss_rec`.
    #[must_use]
    pub fn loss(&self, name: &str) -> Option<f64> {
        self.losses.get(name).copied()
    }
}
