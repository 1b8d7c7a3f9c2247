//! Errors of reports.

use thiserror::Error;

/// Error of a report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The length of a part of the input does not match another part.
    #[error("the report got {found} {what}, but needs {expected}")]
    Length {
        /// The part.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Expected length.
        expected: usize,
    },
    /// An index is out of range.
    #[error("{what} {index} of the report does not exist: there are {count}")]
    Index {
        /// The indexed items.
        what: &'static str,
        /// The index, from 0.
        index: usize,
        /// Number of items.
        count: usize,
    },
    /// A picture cannot be drawn or encoded.
    #[error("the picture `{name}` could not be drawn: {reason}")]
    Picture {
        /// Name of the picture.
        name: String,
        /// Message of the renderer.
        reason: String,
    },
}

impl ReportError {
    /// Checks the length of a part of the input.
    pub(crate) fn check_length(
        what: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::Length {
            what,
            found,
            expected,
        })
    }

    /// Checks that all indices are below `count`.
    pub(crate) fn check_indices(
        what: &'static str,
        indices: &[usize],
        count: usize,
    ) -> Result<(), Self> {
        match indices.iter().copied().find(|&index| index >= count) {
            Some(index) => Err(Self::Index { what, index, count }),
            None => Ok(()),
        }
    }
}
