//! A learning rate that falls when progress stalls.

use super::Direction;
use serde::{Deserialize, Serialize};

/// When and how the rate falls; PyTorch's `ReduceLROnPlateau` with an absolute
/// threshold and no cooldown.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PlateauConfig {
    /// Factor of the rate; 1 keeps it as it is.
    pub factor: f64,
    /// Epochs without improvement before the rate drops.
    pub patience: usize,
    /// An improvement must exceed this.
    pub threshold: f64,
    /// The rate does not fall below this.
    pub min_rate: f64,
}

impl PlateauConfig {
    /// A rate that falls by `factor` after `patience` epochs, with the threshold
    /// and the smallest rate of the authors' code.
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

/// The rate, and how long it has waited for progress.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plateau {
    direction: Direction,
    rate: f64,
    best: Option<f64>,
    bad_epochs: usize,
}

/// Changes of the rate below this are not made, as in PyTorch.
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

    /// The learning rate now.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Takes the value of an epoch and gives the rate of the next.
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
