//! Preprocessing shared by several algorithms.

use std::borrow::Cow;

use super::error::CoarsenError;
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::structure::NodeOrder;
use crate::transform::undirect;

/// Returns the graph with its edges in both directions: itself if it is
/// symmetric, otherwise [`undirect`]ed.
pub(super) fn undirected(adjacency: &Csr) -> Result<Cow<'_, Csr>, CoarsenError> {
    GraphError::check_square(adjacency)?;
    if adjacency.is_symmetric() {
        return Ok(Cow::Borrowed(adjacency));
    }
    let graph = Graph::builder(adjacency.clone()).build()?;
    Ok(Cow::Owned(undirect(&graph).adjacency().clone()))
}

/// Canonical order of the nodes by edges and weights alone, so that random
/// draws do not depend on the numbering.
pub(super) fn canonical_order(adjacency: &Csr) -> Result<NodeOrder, CoarsenError> {
    let graph = Graph::builder(adjacency.clone()).build()?;
    Ok(NodeOrder::canonical(&graph))
}
