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

    /// A setting out of range.
    #[error("{name} = {value} is out of range: it must be {bound}")]
    OutOfRange {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its bound.
        bound: &'static str,
    },

    /// The graph or the pooled graph is invalid.
    #[error(transparent)]
    Graph(#[from] GraphError),
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

/// Checks that a setting is at least 1.
pub(super) fn check_positive(name: &'static str, value: usize) -> Result<(), CoarsenError> {
    if value >= 1 {
        return Ok(());
    }
    Err(CoarsenError::OutOfRange {
        name,
        value: value as f64,
        bound: "at least 1",
    })
}
