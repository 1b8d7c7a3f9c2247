//! What does not fit together.

use thiserror::Error;

use crate::csr::Csr;

/// Why a graph and its communities were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StructureError {
    /// A matrix that is not an adjacency.
    #[error(
        "a matrix of {rows} rows and {columns} columns is no adjacency: there must be one of each for a node"
    )]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },

    /// Labels of other nodes.
    #[error("{labels} labels for {nodes} nodes: there must be one for each")]
    LabelCount {
        /// Number of labels.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },
}

/// An adjacency matrix is square.
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

/// An adjacency matrix, and a label for every node.
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
