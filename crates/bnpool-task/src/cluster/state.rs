//! State of a training.

use crate::optim::{EarlyStop, Plateau};
use serde::{Deserialize, Serialize};

/// State of a checkpoint, without arrays.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClusterState {
    /// Current start, from 0.
    pub(super) start: usize,
    /// Number of finished epochs of the current start.
    pub(super) epoch: usize,
    /// Number of finished epochs of all starts, which are the lines of the
    /// history.
    pub(super) total_epochs: usize,
    pub(super) adam_steps: u64,
    pub(super) plateau: Plateau,
    pub(super) stop: EarlyStop,
    /// Reference for detecting a stalled training: loss, number of clusters, and
    /// the epoch since which both are unchanged.
    pub(super) reference: Option<(f64, usize, usize)>,
    /// Best finished start: its number, score, epochs and best epoch.
    pub(super) winner: Option<Finished>,
}

impl ClusterState {
    /// Returns the number of finished epochs of all starts.
    #[must_use]
    pub fn epochs(&self) -> usize {
        self.total_epochs
    }
}

/// A finished start.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Finished {
    pub(super) start: usize,
    pub(super) score: f64,
    pub(super) best_epoch: usize,
}
