//! Partitions of the nodes of a graph.

use crate::CommunityError;
use bnpool_graph::structure::rank_by_size;
use serde::{Deserialize, Serialize};

/// A partition of nodes into non-empty groups, numbered by descending size:
/// group 0 is the largest; ties are broken by the smallest node.
///
/// Two partitions are equal if they group the nodes in the same way, regardless
/// of the original labels.
///
/// ```
/// use bnpool_community::Partition;
///
/// let partition = Partition::new(&[7, 4, 4, 9]);
/// assert_eq!(partition.labels(), [1, 0, 0, 2]);
/// assert_eq!(partition.sizes(), [2, 1, 1]);
/// assert_eq!(partition, Partition::new(&[1, 0, 0, 5]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partition {
    labels: Vec<u32>,
    sizes: Vec<usize>,
}

impl Partition {
    /// Builds a partition from arbitrary labels.
    ///
    /// # Complexity
    ///
    /// O(N log N) time, O(N) memory.
    #[must_use]
    pub fn new(labels: &[u32]) -> Self {
        let labels = rank_by_size(labels);
        let groups = labels.iter().max().map_or(0, |&g| g as usize + 1);
        let mut sizes = vec![0; groups];
        for &label in &labels {
            sizes[label as usize] += 1;
        }
        Self { labels, sizes }
    }

    /// The partition of all nodes into one group.
    #[must_use]
    pub fn trivial(nodes: usize) -> Self {
        Self::new(&vec![0; nodes])
    }

    /// Group of each node, below [`groups`](Self::groups).
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// [`labels`](Self::labels) without a copy.
    #[must_use]
    pub fn into_labels(self) -> Vec<u32> {
        self.labels
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.sizes.len()
    }

    /// Number of nodes of each group, in non-increasing order.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// Checks the number of nodes.
    pub(crate) fn check(&self, nodes: usize) -> Result<(), CommunityError> {
        if self.nodes() == nodes {
            Ok(())
        } else {
            Err(CommunityError::LabelCount {
                labels: self.nodes(),
                nodes,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_divisions_are_borne() {
        assert_eq!(Partition::new(&[]).groups(), 0);
        assert_eq!(Partition::trivial(3).sizes(), [3]);
        let apart = Partition::new(&[u32::MAX, 0, 5]);
        assert_eq!(apart.labels(), [0, 1, 2]);
        assert!(apart.check(3).is_ok());
        assert!(apart.check(4).is_err());
    }
}
