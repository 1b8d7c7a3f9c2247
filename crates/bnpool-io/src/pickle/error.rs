//! Everything that can be wrong with a pickle.

use thiserror::Error;

/// The reason and place of the refusal of a pickle.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem} (at byte {offset} of the pickle)")]
pub struct PickleError {
    /// Where, counted in bytes from the start of the pickle.
    pub offset: usize,
    /// The problem.
    pub problem: PickleProblem,
}

/// A problem of a pickle.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PickleProblem {
    /// The pickle ends in the middle of something.
    #[error("the pickle is cut off")]
    Truncated,

    /// An instruction that plain data do not need.
    #[error("the opcode {name} (0x{code:02x}) is not allowed")]
    Opcode {
        /// Its name in Python's documentation.
        name: &'static str,
        /// Its byte.
        code: u8,
    },

    /// A class or function that is not on the list of harmless ones.
    #[error("the global `{name}` is not allowed: a pickle may hold only plain data and arrays")]
    Global {
        /// Module and name.
        name: String,
    },

    /// An instruction that finds something else than it needs.
    #[error("{0}")]
    Malformed(&'static str),

    /// Data of a kind that is not read, such as arrays of text.
    #[error("{what} `{name}` is not supported")]
    Unsupported {
        /// Its kind.
        what: &'static str,
        /// Its name.
        name: String,
    },

    /// More data asked for than the pickle can hold.
    #[error("{what} asks for more data than the pickle holds")]
    TooLarge {
        /// The part that asks.
        what: &'static str,
    },
}

impl PickleError {
    pub(super) fn new(offset: usize, problem: PickleProblem) -> Self {
        Self { offset, problem }
    }

    pub(super) fn malformed(offset: usize, what: &'static str) -> Self {
        Self::new(offset, PickleProblem::Malformed(what))
    }
}
