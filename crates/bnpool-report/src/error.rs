//! What can be wrong with the input of a report.

use thiserror::Error;

/// Why a report could not be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// A part of the input is not as long as another demands.
    #[error("the report got {found} {what}, but needs {expected}")]
    Length {
        /// The part.
        what: &'static str,
        /// Its length.
        found: usize,
        /// What fits.
        expected: usize,
    },
    /// An index names something that does not exist.
    #[error("{what} {index} of the report does not exist: there are {count}")]
    Index {
        /// What is named.
        what: &'static str,
        /// The index, from 0.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// A picture could not be drawn or encoded.
    #[error("the picture `{name}` could not be drawn: {reason}")]
    Picture {
        /// Name of the picture.
        name: String,
        /// What the renderer said.
        reason: String,
    },
}
