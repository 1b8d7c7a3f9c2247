//! Assignments of nodes to single supernodes.

use super::error::CoarsenError;
use crate::error::GraphError;

/// A coarsening that assigns each node to exactly one supernode.
///
/// Supernodes are numbered 0, 1, 2, … and none is empty.
///
/// ```
/// use bnpool_graph::coarsen::Assigned;
///
/// let pairs = Assigned::new(vec![0, 1, 1, 0], 2)?;
/// assert_eq!((pairs.nodes(), pairs.supernodes()), (4, 2));
/// assert_eq!(pairs.members(), (vec![0, 2, 4], vec![0, 3, 1, 2]));
/// assert!(Assigned::new(vec![0, 2], 3).is_err());
/// # Ok::<(), bnpool_graph::coarsen::CoarsenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assigned {
    clusters: Vec<u32>,
    supernodes: usize,
}

impl Assigned {
    /// Assigns each node u to supernode `clusters[u]`.
    ///
    /// # Errors
    ///
    /// Returns an error if a node is in a supernode that does not exist, or a
    /// supernode is empty.
    ///
    /// # Complexity
    ///
    /// O(N) time, O(K) extra memory.
    pub fn new(clusters: Vec<u32>, supernodes: usize) -> Result<Self, CoarsenError> {
        // Checked before allocating: with more supernodes than nodes, one is
        // empty.
        let mut used = vec![false; supernodes.min(clusters.len() + 1)];
        for (node, &supernode) in clusters.iter().enumerate() {
            if supernode as usize >= supernodes {
                return Err(CoarsenError::SupernodeOutOfRange {
                    node,
                    supernode,
                    supernodes,
                });
            }
            if let Some(used) = used.get_mut(supernode as usize) {
                *used = true;
            }
        }
        match used.iter().position(|used| !used) {
            Some(supernode) => Err(CoarsenError::EmptySupernode { supernode }),
            None => Ok(Self {
                clusters,
                supernodes,
            }),
        }
    }

    /// Wraps the result of an algorithm of this crate, without checks.
    pub(super) fn trusted(clusters: Vec<u32>, supernodes: usize) -> Self {
        debug_assert!(Self::new(clusters.clone(), supernodes).is_ok());
        Self {
            clusters,
            supernodes,
        }
    }

    /// Renumbers arbitrary group names (below `names`) as supernodes, in the
    /// order of their smallest nodes.
    pub(super) fn by_smallest_node(mut groups: Vec<u32>, names: usize) -> Self {
        let mut numbers = vec![u32::MAX; names];
        let mut supernodes = 0;
        for group in &mut groups {
            let number = &mut numbers[*group as usize];
            if *number == u32::MAX {
                *number = supernodes;
                supernodes += 1;
            }
            *group = *number;
        }
        Self::trusted(groups, supernodes as usize)
    }

    /// Assigns each node to its own supernode.
    #[must_use]
    pub fn identity(nodes: usize) -> Self {
        Self::trusted((0..nodes as u32).collect(), nodes)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.clusters.len()
    }

    /// Number of supernodes.
    #[must_use]
    pub fn supernodes(&self) -> usize {
        self.supernodes
    }

    /// Supernode of each node.
    #[must_use]
    pub fn clusters(&self) -> &[u32] {
        &self.clusters
    }

    /// Returns the nodes of each supernode as `(offsets, nodes)`: supernode c
    /// contains `nodes[offsets[c]..offsets[c + 1]]`, in ascending order.
    ///
    /// # Complexity
    ///
    /// O(N) time and memory (a counting sort).
    #[must_use]
    pub fn members(&self) -> (Vec<usize>, Vec<u32>) {
        let mut offsets = vec![0_usize; self.supernodes + 1];
        for &c in &self.clusters {
            offsets[c as usize + 1] += 1;
        }
        for c in 0..self.supernodes {
            offsets[c + 1] += offsets[c];
        }
        let mut next = offsets.clone();
        let mut nodes = vec![0; self.clusters.len()];
        for (u, &c) in self.clusters.iter().enumerate() {
            nodes[next[c as usize]] = u as u32;
            next[c as usize] += 1;
        }
        (offsets, nodes)
    }

    /// Composes this assignment with one of its supernodes: maps the nodes of
    /// this level to the supernodes of the next.
    ///
    /// # Errors
    ///
    /// Returns an error if the number of nodes of `next` differs from the
    /// number of supernodes.
    ///
    /// # Complexity
    ///
    /// O(N) time and memory.
    ///
    /// ```
    /// use bnpool_graph::coarsen::Assigned;
    ///
    /// let fine = Assigned::new(vec![0, 0, 1, 2], 3)?;
    /// let coarse = Assigned::new(vec![1, 0, 0], 2)?;
    /// assert_eq!(fine.then(&coarse)?.clusters(), [1, 1, 0, 0]);
    /// # Ok::<(), bnpool_graph::coarsen::CoarsenError>(())
    /// ```
    pub fn then(&self, next: &Self) -> Result<Self, CoarsenError> {
        GraphError::check_count("nodes", next.nodes(), self.supernodes, "supernodes")?;
        let clusters = self.clusters.iter().map(|&c| next.clusters[c as usize]);
        Ok(Self::trusted(clusters.collect(), next.supernodes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        for (clusters, supernodes, part) in [
            (vec![0, 2], 2, "node 1"),
            (vec![0, 0], 2, "supernode 1 has no nodes"),
            (vec![0], 4_000_000_000_000, "supernode 1 has no"),
        ] {
            let error = Assigned::new(clusters, supernodes).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert!(Assigned::new(vec![], 0).is_ok());
        assert!(Assigned::new(vec![], 1).is_err());
    }
}
