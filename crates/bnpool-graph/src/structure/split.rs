//! Communities in one piece.

use bnpool_math::kernel;

use super::StructureError;
use super::error::check;
use crate::csr::Csr;

/// Makes a community of every connected piece of a community. New labels count
/// from 0 in the order of the smallest nodes.
///
/// # Errors
///
/// When the matrix is not square or there is not a label for every node.
///
/// # Complexity
///
/// O(N + E) time in practice, O(N) memory.
pub fn split_disconnected(adjacency: &Csr, labels: &[u32]) -> Result<Vec<u32>, StructureError> {
    check(adjacency, labels)?;
    Ok(kernel::connected_components(adjacency.view(), |u, v, _| labels[u] == labels[v]).of_node)
}
