//! Why a graph was not coarsened.

use thiserror::Error;

use crate::csr::Csr;
use crate::error::GraphError;

/// Why a coarsening was refused. Nodes and entries are counted from zero.
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
        /// Where it is said to be.
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

    /// Something that does not fit the graph.
    #[error("{found} {what} for {expected} {owners}: there must be one for each")]
    CountMismatch {
        /// What was counted, such as `scores`.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many the graph needs.
        expected: usize,
        /// What needs them, such as `nodes`.
        owners: &'static str,
    },

    /// A score that cannot be ranked, or a mode that is not a number.
    #[error("{what} {value} at position {position} is not finite: nothing can be ranked by it")]
    NonFinite {
        /// What it is, such as `score`.
        what: &'static str,
        /// Where it stands.
        position: usize,
        /// The value.
        value: f64,
    },

    /// A weight that is no strength of a bond.
    #[error(
        "weight {weight} at row {row}, column {column} is negative: {method} needs weights of at least 0; drop or shift the negative ones"
    )]
    NegativeWeight {
        /// What was asked for.
        method: &'static str,
        /// Row of the entry.
        row: u32,
        /// Column of the entry.
        column: u32,
        /// The weight.
        weight: f32,
    },

    /// A number that must be larger.
    #[error("{name} = {value} is too small: it must be at least {least}")]
    TooSmall {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The least that makes sense.
        least: usize,
    },

    /// A number that must be smaller.
    #[error("{name} = {value} is too large: it must be at most {most}")]
    TooLarge {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The most that makes sense.
        most: usize,
    },

    /// A bound that is not one.
    #[error("eps = {eps} is no bound: it must be finite and at least 0")]
    Eps {
        /// The bound.
        eps: f32,
    },

    /// The graph or the pooled graph cannot be.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// An adjacency matrix is square.
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

/// Weights that say how strongly nodes are bound are not negative.
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

/// There must be one of `what` for each of `owners`.
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

/// A number that must not be smaller than `least`.
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

/// A number that must not be larger than `most`.
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
