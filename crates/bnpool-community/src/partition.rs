//! Divisions of the nodes of a graph into groups.

use crate::CommunityError;
use bnpool_graph::structure::rank_by_size;

/// A division of nodes into groups that are not empty, numbered by falling
/// size: group 0 is the largest, of equals the one with the smallest node.
///
/// Two divisions are equal when they put the same nodes together, whatever the
/// labels they were made from.
///
/// ```
/// use bnpool_community::Partition;
///
/// let division = Partition::new(&[7, 4, 4, 9]);
/// assert_eq!(division.labels(), [1, 0, 0, 2]);
/// assert_eq!(division.sizes(), [2, 1, 1]);
/// assert_eq!(division, Partition::new(&[1, 0, 0, 5]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partition {
    labels: Vec<u32>,
    sizes: Vec<usize>,
}

impl Partition {
    /// The division that labels make; any numbers will do.
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

    /// All nodes in one group.
    #[must_use]
    pub fn trivial(nodes: usize) -> Self {
        Self::new(&vec![0; nodes])
    }

    /// Group of every node, below [`groups`](Self::groups).
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// The same without a copy.
    #[must_use]
    pub fn into_labels(self) -> Vec<u32> {
        self.labels
    }

    /// Number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.sizes.len()
    }

    /// Nodes in each group; never rising.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.labels.len()
    }

    /// Refuses a division of other nodes.
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
