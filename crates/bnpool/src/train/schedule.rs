//! The weight γ of the divergence over the epochs.

use std::f64::consts::PI;

/// γ of an epoch counted from 0: half a cosine from 0 to 1 over `length`
/// epochs, then 1; a length of 0 means 1 from the start.
///
/// ```
/// use bnpool::train::cosine_annealing;
///
/// assert_eq!(cosine_annealing(0, 100), 0.0);
/// assert!((cosine_annealing(50, 100) - 0.5).abs() < 1e-12);
/// assert_eq!(cosine_annealing(100, 100), 1.0);
/// ```
#[must_use]
pub fn cosine_annealing(epoch: usize, length: usize) -> f64 {
    if epoch >= length {
        return 1.0;
    }
    0.5 * (1.0 - (PI * epoch as f64 / length as f64).cos())
}
