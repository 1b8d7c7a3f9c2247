//! Detection of values that are not finite, before they spread.

use crate::run::NamedTensor;
use thiserror::Error;

/// A tensor with a value that is NaN or infinite.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{tensor} is not finite")]
pub struct NotFinite {
    /// Description, such as `the gradient of pool.block_matrix`.
    pub tensor: String,
}

/// Checks arrays for NaN and infinity.
///
/// # Errors
///
/// Returns an error that names the first such array.
pub fn check_finite(tensors: &[NamedTensor]) -> Result<(), NotFinite> {
    match tensors.iter().find(|tensor| !all_finite(&tensor.values)) {
        Some(tensor) => Err(NotFinite {
            tensor: format!("the parameter {}", tensor.name),
        }),
        None => Ok(()),
    }
}

/// Returns whether all values are finite.
pub(crate) fn all_finite(values: &[f32]) -> bool {
    values.iter().all(|x| x.is_finite())
}
