//! Schedule of the weight γ of the divergence.

use bnpool::pool::kl_weight;

/// Returns γ of an epoch, counted from 0: half a cosine from 0 to 1 over
/// `length` epochs, then 1. A length of 0 means 1 from the start.
///
/// ```
/// use bnpool_task::optim::cosine_annealing;
///
/// assert_eq!(cosine_annealing(0, 100), 0.0);
/// assert!((cosine_annealing(50, 100) - 0.5).abs() < 1e-12);
/// assert_eq!(cosine_annealing(100, 100), 1.0);
/// ```
#[must_use]
pub fn cosine_annealing(epoch: usize, length: usize) -> f64 {
    kl_weight(warm_up(epoch, length))
}

/// Returns the progress from 0 to 1 of a warm-up over `length` epochs, in an
/// epoch counted from 0.
#[must_use]
pub fn warm_up(epoch: usize, length: usize) -> f64 {
    if epoch >= length {
        1.0
    } else {
        epoch as f64 / length as f64
    }
}
