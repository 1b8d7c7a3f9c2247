//! Where a training stands.

use crate::optim::{EarlyStop, Plateau};
use serde::{Deserialize, Serialize};

/// Everything but the arrays of a checkpoint.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusterState {
    /// The start under way, from 0.
    pub(super) start: usize,
    /// Its finished epochs.
    pub(super) epoch: usize,
    /// Finished epochs of all starts: the lines of the history.
    pub(super) total_epochs: usize,
    pub(super) adam_steps: u64,
    pub(super) plateau: Plateau,
    pub(super) stop: EarlyStop,
    /// The loss and the clusters that a still training is held against, and since
    /// which epoch.
    pub(super) reference: Option<(f64, usize, usize)>,
    /// The best finished start: its number, score, epochs and best epoch.
    pub(super) winner: Option<Finished>,
}

impl ClusterState {
    /// Finished epochs of all starts.
    #[must_use]
    pub fn epochs(&self) -> usize {
        self.total_epochs
    }
}

/// A start that has come to its end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Finished {
    pub(super) start: usize,
    pub(super) score: f64,
    pub(super) best_epoch: usize,
}
