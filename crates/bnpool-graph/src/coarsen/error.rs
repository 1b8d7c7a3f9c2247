//! Errors of coarsening.

use thiserror::Error;

use crate::csr::Csr;
use crate::error::GraphError;

/// Error of a coarsening. Nodes and entries are numbered from zero.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CoarsenError {
    /// A node in a supernode that does not exist.
    #[error(
        "node {node} is in supernode {supernode}, but there are only {supernodes}, counted from 0"
    )]
    SupernodeOutOfRange {
        /// The node.
        node: usize,
        /// Its supernode.
        supernode: u32,
        /// Number of supernodes.
        supernodes: usize,
    },

    /// A supernode without nodes.
    #[error("supernode {supernode} has no nodes: number the supernodes without gaps")]
    EmptySupernode {
        /// The supernode.
        supernode: usize,
    },

    /// The size of an input does not match the graph.
    #[error("{found} {what} for {expected} {owners}: there must be one for each")]
    CountMismatch {
        /// The counted items, such as `scores`.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number expected.
        expected: usize,
        /// Their owners, such as `nodes`.
        owners: &'static str,
    },

    /// A score that cannot be ranked, or a mode that is not a number.
    #[error("{what} {value} at position {position} is not finite: nothing can be ranked by it")]
    NonFinite {
        /// Kind of value, such as `score`.
        what: &'static str,
        /// Position.
        position: usize,
        /// The value.
        value: f64,
    },

    /// A negative weight.
    #[error(
        "weight {weight} at row {row}, column {column} is negative: {method} needs weights of at least 0; drop or shift the negative ones"
    )]
    NegativeWeight {
        /// The method that needs non-negative weights.
        method: &'static str,
        /// Row of the entry.
        row: u32,
        /// Column of the entry.
        column: u32,
        /// The weight.
        weight: f32,
    },

    /// A setting below its lower bound.
    #[error("{name} = {value} is too small: it must be at least {least}")]
    TooSmall {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: usize,
        /// Lower bound.
        least: usize,
    },

    /// A setting above its upper bound.
    #[error("{name} = {value} is too large: it must be at most {most}")]
    TooLarge {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: usize,
        /// Upper bound.
        most: usize,
    },

    /// An invalid bound.
    #[error("eps = {eps} is no bound: it must be finite and at least 0")]
    Eps {
        /// The bound.
        eps: f32,
    },

    /// The graph or the pooled graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// Checks that an adjacency matrix is square.
pub(super) fn check_square(adjacency: &Csr) -> Result<(), CoarsenError> {
    if adjacency.is_square() {
        return Ok(());
    }
    Err(GraphError::NotSquare {
        rows: adjacency.rows(),
        columns_count: adjacency.columns_count(),
    }
    .into())
}

/// Checks that weights are not negative.
pub(super) fn check_weights(adjacency: &Csr, method: &'static str) -> Result<(), CoarsenError> {
    if adjacency.weights().is_none() {
        return Ok(());
    }
    match adjacency.iter().find(|entry| entry.2 < 0.0) {
        None => Ok(()),
        Some((row, column, weight)) => Err(CoarsenError::NegativeWeight {
            method,
            row,
            column,
            weight,
        }),
    }
}

/// Checks that there is one of `what` for each of `owners`.
pub(super) fn check_count(
    what: &'static str,
    found: usize,
    expected: usize,
    owners: &'static str,
) -> Result<(), CoarsenError> {
    if found == expected {
        return Ok(());
    }
    Err(CoarsenError::CountMismatch {
        what,
        found,
        expected,
        owners,
    })
}

/// Checks that a number is at least `least`.
pub(super) fn check_least(
    name: &'static str,
    value: usize,
    least: usize,
) -> Result<(), CoarsenError> {
    if value >= least {
        return Ok(());
    }
    Err(CoarsenError::TooSmall { name, value, least })
}

/// Checks that a number is at most `most`.
pub(super) fn check_most(
    name: &'static str,
    value: usize,
    most: usize,
) -> Result<(), CoarsenError> {
    if value <= most {
        return Ok(());
    }
    Err(CoarsenError::TooLarge { name, value, most })
}
