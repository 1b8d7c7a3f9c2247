//! Connected communities.

use bnpool_math::kernel;

use super::StructureError;
use super::error::check;
use crate::csr::Csr;

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
pub fn split_disconnected(adjacency: &Csr, labels: &[u32]) -> Result<Vec<u32>, StructureError> {
    check(adjacency, labels)?;
    Ok(kernel::connected_components(adjacency.view(), |u, v, _| labels[u] == labels[v]).of_node)
}
