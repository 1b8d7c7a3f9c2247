//! Connected components of a graph.

use bnpool_math::kernel::{self, Components};

use super::StructureError;
use super::error::check_square;
use crate::csr::Csr;

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
pub fn connected_components(adjacency: &Csr) -> Result<Components, StructureError> {
    check_square(adjacency)?;
    Ok(kernel::connected_components(adjacency.view(), |_, _, _| {
        true
    }))
}
