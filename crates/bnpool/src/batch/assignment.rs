//! Assignments of nodes to single supernodes.

use bnpool_graph::{Csr, GraphError};
use std::sync::Arc;

/// Assigns each node of a batch to one supernode. Stored as two sparse
/// matrices: one sums over members, the other copies back to them.
#[derive(Debug, Clone)]
pub struct Assignment {
    clusters: Arc<[u32]>,
    offsets: Arc<[usize]>,
    owners: Arc<Csr>,
    members: Arc<Csr>,
}

impl Assignment {
    /// Assigns each node u to supernode `clusters[u]`; graph b owns the
    /// supernodes `offsets[b]..offsets[b + 1]`.
    ///
    /// # Errors
    ///
    /// Returns an error if a supernode is out of range.
    ///
    /// # Complexity
    ///
    /// O(nodes + supernodes).
    pub fn new(clusters: Vec<u32>, offsets: Vec<usize>) -> Result<Self, GraphError> {
        let (nodes, supernodes) = (clusters.len(), offsets.last().copied().unwrap_or(0));
        let rows = (0..=nodes).collect();
        let owners = Csr::new(nodes, supernodes, rows, clusters.clone(), None)?;
        Ok(Self {
            members: Arc::new(owners.transpose().clone()),
            owners: Arc::new(owners),
            clusters: clusters.into(),
            offsets: offsets.into(),
        })
    }

    /// Supernode of each node.
    #[must_use]
    pub fn clusters(&self) -> &[u32] {
        &self.clusters
    }

    /// Number of supernodes.
    #[must_use]
    pub fn supernodes(&self) -> usize {
        self.members.rows()
    }

    /// Graph b owns the supernodes `offsets[b]..offsets[b + 1]`.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// [nodes, supernodes]: 1 in the column of the node's supernode.
    #[must_use]
    pub fn owners(&self) -> &Arc<Csr> {
        &self.owners
    }

    /// The transpose of [`Assignment::owners`].
    #[must_use]
    pub fn members(&self) -> &Arc<Csr> {
        &self.members
    }
}
