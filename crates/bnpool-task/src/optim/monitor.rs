//! Monitoring of a value: best epoch and early stopping.

use serde::{Deserialize, Serialize};

/// Direction of improvement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Lower is better, as for losses.
    Lower,
    /// Higher is better, as for accuracies.
    Higher,
}

impl Direction {
    /// Returns whether `value` improves on `best` by more than `margin`.
    #[must_use]
    pub fn improves(self, value: f64, best: f64, margin: f64) -> bool {
        match self {
            Self::Lower => value < best - margin,
            Self::Higher => value > best + margin,
        }
    }
}

/// Stops if the best value has not improved for too many epochs.
///
/// ```
/// use bnpool_task::optim::{Direction, EarlyStop};
///
/// let mut stop = EarlyStop::new(Direction::Lower);
/// assert!(stop.observe(0, 1.0));
/// assert!(!stop.observe(1, 1.5));
/// assert_eq!(stop.best(), Some((0, 1.0)));
/// assert!(!stop.is_over(1, 2) && stop.is_over(2, 2));
/// // Among equals a second number decides.
/// assert!(stop.observe_with_tie(2, 0.5, 0.9));
/// assert!(stop.observe_with_tie(3, 0.5, 0.7));
/// assert!(!stop.observe_with_tie(4, 0.5, 0.7));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EarlyStop {
    direction: Direction,
    best: Option<(usize, f64)>,
    /// Second value at the best epoch, which breaks ties.
    tie: f64,
}

/// Minimum improvement of the second value in a tie, so that a value that
/// slowly converges to a bound does not prolong the training.
const TIE_MARGIN: f64 = 1e-3;

impl EarlyStop {
    /// Creates the state before the first epoch.
    #[must_use]
    pub fn new(direction: Direction) -> Self {
        Self {
            direction,
            best: None,
            tie: 0.0,
        }
    }

    /// Adds the value of an epoch. Returns whether it is strictly better than
    /// all previous ones.
    pub fn observe(&mut self, epoch: usize, value: f64) -> bool {
        self.observe_with_tie(epoch, value, 0.0)
    }

    /// Like [`EarlyStop::observe`], but ties are broken by a sufficiently lower
    /// `tie`.
    pub fn observe_with_tie(&mut self, epoch: usize, value: f64, tie: f64) -> bool {
        let better = self.best.is_none_or(|(_, best)| {
            let wins = value == best && tie < self.tie - TIE_MARGIN;
            wins || self.direction.improves(value, best, 0.0)
        });
        if better {
            self.best = Some((epoch, value));
            self.tie = tie;
        }
        better
    }

    /// Returns the best epoch and its value.
    #[must_use]
    pub fn best(&self) -> Option<(usize, f64)> {
        self.best
    }

    /// Returns the number of epochs since the best one.
    #[must_use]
    pub fn waited(&self, epoch: usize) -> usize {
        self.best.map_or(0, |(best, _)| epoch.saturating_sub(best))
    }

    /// Returns whether `patience` epochs have not improved on the best.
    #[must_use]
    pub fn is_over(&self, epoch: usize, patience: usize) -> bool {
        self.waited(epoch) >= patience
    }
}
