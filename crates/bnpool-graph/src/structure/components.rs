//! Connected components of a graph.

use bnpool_math::kernel::{self, Components};

use super::numbering::check;
use crate::csr::Csr;
use crate::error::GraphError;

/// Computes the connected components, numbered in the order of their smallest
/// nodes; directed edges count in both directions.
///
/// # Errors
///
/// Returns an error if the matrix is not square.
///
/// # Complexity
///
/// O(N + E) time in practice, O(N) memory.
///
/// ```
/// use bnpool_graph::{Csr, structure};
///
/// let graph = Csr::from_edges(4, [(3, 0), (1, 2)])?;
/// let components = structure::connected_components(&graph)?;
/// assert_eq!(components.count, 2);
/// assert_eq!(components.of_node, [0, 1, 1, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn connected_components(adjacency: &Csr) -> Result<Components, GraphError> {
    GraphError::check_square(adjacency)?;
    Ok(kernel::connected_components(adjacency.view(), |_, _, _| {
        true
    }))
}

/// Splits communities that are not connected into their components. New labels
/// are numbered from 0 in the order of the smallest nodes.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of labels is not
/// the number of nodes.
///
/// # Complexity
///
/// O(N + E) time in practice, O(N) memory.
pub fn split_disconnected(adjacency: &Csr, labels: &[u32]) -> Result<Vec<u32>, GraphError> {
    check(adjacency, labels)?;
    Ok(kernel::connected_components(adjacency.view(), |u, v, _| labels[u] == labels[v]).of_node)
}
