//! Noticing values that are not finite before they spoil the rest.

use crate::run::NamedTensor;
use thiserror::Error;

/// A tensor of a training with a value that is NaN or infinite.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{tensor} is not finite")]
pub struct NotFinite {
    /// What it is, such as `the gradient of pool.block_matrix`.
    pub tensor: String,
}

/// Refuses arrays that hold NaN or infinity.
///
/// # Errors
///
/// Naming the first such array.
pub fn check_finite(tensors: &[NamedTensor]) -> Result<(), NotFinite> {
    match tensors.iter().find(|tensor| !all_finite(&tensor.values)) {
        Some(tensor) => Err(NotFinite {
            tensor: format!("the parameter {}", tensor.name),
        }),
        None => Ok(()),
    }
}

/// Whether every value is finite.
pub(crate) fn all_finite(values: &[f32]) -> bool {
    values.iter().all(|x| x.is_finite())
}
