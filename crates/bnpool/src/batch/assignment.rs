//! Every node in one supernode.

use bnpool_graph::{Csr, GraphError};
use std::sync::Arc;

/// Which supernode every node of a batch belongs to. It is kept as the two
/// sparse matrices that sum over members and hand back to them.
#[derive(Debug, Clone)]
pub struct Assignment {
    clusters: Arc<[u32]>,
    offsets: Arc<[usize]>,
    owners: Arc<Csr>,
    members: Arc<Csr>,
}

impl Assignment {
    /// Node u belongs to supernode `clusters[u]`, and graph b owns the supernodes
    /// `offsets[b]..offsets[b + 1]`.
    ///
    /// # Errors
    ///
    /// When a supernode is out of range.
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

    /// Supernode of every node.
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

    /// [nodes, supernodes]: one in the column of the own supernode.
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
