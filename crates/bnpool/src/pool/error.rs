//! What can be wrong with a pooler's configuration.

use thiserror::Error;

/// Why a pooler could not be made.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum PoolError {
    /// A hyper-parameter out of its range.
    #[error("{name} = {value} is out of range: it must be {bound}")]
    OutOfRange {
        /// Name of the hyper-parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What is allowed.
        bound: &'static str,
    },
}
