//! Dendrograms.

use crate::Partition;
use serde::{Deserialize, Serialize};

/// A sequence of pairwise merges, with Σ at each step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dendrogram {
    labels: Vec<u32>,
    groups: usize,
    /// Kept and dissolved group of each merge.
    merges: Vec<(u32, u32)>,
    /// Σ before the first merge and after each.
    totals: Vec<f64>,
    /// Number of merges of groups that share an edge; merges of disconnected
    /// groups follow.
    adjacent: usize,
}

impl Dendrogram {
    pub(crate) fn new(labels: Vec<u32>, groups: usize, total: f64) -> Self {
        Self {
            labels,
            groups,
            merges: Vec::new(),
            totals: vec![total],
            adjacent: 0,
        }
    }

    pub(crate) fn push(&mut self, kept: u32, gone: u32, total: f64, adjacent: bool) {
        self.merges.push((kept, gone));
        self.totals.push(total);
        if adjacent {
            self.adjacent = self.merges.len();
        }
    }

    /// Appends merges of the remaining groups, which have these names in this
    /// dendrogram.
    pub(crate) fn append(&mut self, names: &[u32], merges: &Self) {
        for (i, &(kept, gone)) in merges.merges.iter().enumerate() {
            let names = (names[kept as usize], names[gone as usize]);
            self.push(names.0, names.1, merges.totals[i + 1], i < merges.adjacent);
        }
    }

    /// Adds `extra` nats to Σ at each step.
    pub(crate) fn with_extra(mut self, extra: f64) -> Self {
        self.totals.iter_mut().for_each(|total| *total += extra);
        self
    }

    /// Number of groups of the finest partition.
    #[must_use]
    pub fn finest(&self) -> usize {
        self.groups
    }

    /// Number of groups of the coarsest partition.
    #[must_use]
    pub fn coarsest(&self) -> usize {
        self.groups - self.merges.len()
    }

    /// Smallest number of groups reached by merging adjacent groups only; for
    /// communities, the number of connected components.
    #[must_use]
    pub fn coarsest_adjacent(&self) -> usize {
        self.groups - self.adjacent
    }

    /// Pairs of merged groups, as numbered in the finest partition: the first
    /// keeps its number for later merges, the second is dissolved.
    #[must_use]
    pub fn merges(&self) -> &[(u32, u32)] {
        &self.merges
    }

    /// Group of each node in the finest partition, with the numbers used by the
    /// merges.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Σ of the partition into `groups` groups, if there is one.
    #[must_use]
    pub fn total(&self, groups: usize) -> Option<f64> {
        let merges = self.groups.checked_sub(groups)?;
        self.totals.get(merges).copied()
    }

    /// Number of groups with the lowest Σ (the smallest number in case of
    /// ties), among partitions into at least `fewest` groups; that of the
    /// finest partition if all have fewer.
    #[must_use]
    pub fn best(&self, fewest: usize) -> usize {
        let merges = self.groups.saturating_sub(fewest).min(self.merges.len());
        let mut best = 0;
        for i in 1..=merges {
            if self.totals[i] <= self.totals[best] {
                best = i;
            }
        }
        self.groups - best
    }

    /// Returns the partition into `groups` groups, if there is one.
    ///
    /// # Complexity
    ///
    /// O(N log N).
    #[must_use]
    pub fn cut(&self, groups: usize) -> Option<Partition> {
        let names = self.names(groups)?;
        let labels: Vec<u32> = self.labels.iter().map(|&g| names[g as usize]).collect();
        Some(Partition::new(&labels))
    }

    /// Returns, for each group of the finest partition, the group that contains
    /// it when `groups` groups are left, with the numbers used by the merges;
    /// `None` if there is no such partition.
    #[must_use]
    pub fn names(&self, groups: usize) -> Option<Vec<u32>> {
        let merges = self.groups.checked_sub(groups)?;
        let mut names: Vec<u32> = (0..self.groups as u32).collect();
        // In reverse, so that the kept group already has its final name.
        for &(kept, gone) in self.merges.get(..merges)?.iter().rev() {
            names[gone as usize] = names[kept as usize];
        }
        Some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_follow_the_merges() {
        let mut path = Dendrogram::new(vec![0, 1, 2, 3], 4, 9.0);
        path.push(0, 1, 5.0, true);
        path.push(2, 0, 4.0, true);
        path.push(3, 2, 6.0, false);
        assert_eq!((path.finest(), path.coarsest()), (4, 1));
        assert_eq!(path.coarsest_adjacent(), 2);
        assert_eq!((path.best(1), path.best(3), path.best(9)), (2, 3, 4));
        assert_eq!(path.cut(3).unwrap().labels(), [0, 0, 1, 2]);
        assert_eq!(path.cut(2).unwrap().labels(), [0, 0, 0, 1]);
        assert_eq!(path.cut(1).unwrap().groups(), 1);
        assert!(path.cut(5).is_none() && path.cut(0).is_none());
        assert_eq!(path.total(2), Some(4.0));
    }
}
