//! Errors of functions on communities.

use thiserror::Error;

use crate::csr::Csr;

/// Error of a graph and its communities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StructureError {
    /// A matrix that is not square.
    #[error(
        "a matrix of {rows} rows and {columns} columns is no adjacency: there must be one of each for a node"
    )]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },

    /// The number of labels is not the number of nodes.
    #[error("{labels} labels for {nodes} nodes: there must be one for each")]
    LabelCount {
        /// Number of labels.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },
}

/// Checks that an adjacency matrix is square.
pub(super) fn check_square(adjacency: &Csr) -> Result<(), StructureError> {
    if adjacency.is_square() {
        Ok(())
    } else {
        Err(StructureError::NotSquare {
            rows: adjacency.rows(),
            columns: adjacency.columns_count(),
        })
    }
}

/// Checks an adjacency matrix, and that there is one label per node.
pub(super) fn check(adjacency: &Csr, labels: &[u32]) -> Result<(), StructureError> {
    check_square(adjacency)?;
    if labels.len() == adjacency.rows() {
        Ok(())
    } else {
        Err(StructureError::LabelCount {
            labels: labels.len(),
            nodes: adjacency.rows(),
        })
    }
}
