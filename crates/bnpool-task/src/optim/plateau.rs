//! Learning rate that decreases if progress stalls.

use super::Direction;
use serde::{Deserialize, Serialize};

/// Settings of the schedule, which is PyTorch's `ReduceLROnPlateau` with an
/// absolute threshold and no cooldown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlateauConfig {
    /// Factor of the rate; 1 keeps the rate.
    pub factor: f64,
    /// Number of epochs without an improvement before the rate is reduced.
    pub patience: usize,
    /// Minimum improvement.
    pub threshold: f64,
    /// Minimum rate.
    pub min_rate: f64,
}

impl PlateauConfig {
    /// Creates a schedule that multiplies the rate by `factor` after `patience`
    /// epochs, with the threshold and the minimum rate of the authors' code.
    #[must_use]
    pub fn new(factor: f64, patience: usize) -> Self {
        Self {
            factor,
            patience,
            threshold: 1e-4,
            min_rate: 1e-6,
        }
    }
}

/// The current rate, and the number of epochs without progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plateau {
    direction: Direction,
    rate: f64,
    best: Option<f64>,
    bad_epochs: usize,
}

/// Smaller changes of the rate are skipped, as in PyTorch.
const SMALLEST_CHANGE: f64 = 1e-8;

impl Plateau {
    /// Starts at `rate`.
    #[must_use]
    pub fn new(direction: Direction, rate: f64) -> Self {
        Self {
            direction,
            rate,
            best: None,
            bad_epochs: 0,
        }
    }

    /// Returns the current learning rate.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Adds the value of an epoch, and returns the rate of the next one.
    ///
    /// ```
    /// use bnpool_task::optim::{Direction, Plateau, PlateauConfig};
    ///
    /// let config = PlateauConfig { factor: 0.5, patience: 1, threshold: 0.0, min_rate: 0.0 };
    /// let mut plateau = Plateau::new(Direction::Lower, 1.0);
    /// let rates = [3.0, 3.0, 3.0, 3.0].map(|loss| plateau.observe(loss, &config));
    /// assert_eq!(rates, [1.0, 1.0, 0.5, 0.5]);
    /// ```
    pub fn observe(&mut self, value: f64, config: &PlateauConfig) -> f64 {
        let better = self
            .best
            .is_none_or(|best| self.direction.improves(value, best, config.threshold));
        if better {
            self.best = Some(value);
            self.bad_epochs = 0;
        } else {
            self.bad_epochs += 1;
        }
        if self.bad_epochs > config.patience {
            self.bad_epochs = 0;
            let rate = (self.rate * config.factor).max(config.min_rate);
            if self.rate - rate > SMALLEST_CHANGE {
                self.rate = rate;
            }
        }
        self.rate
    }
}
