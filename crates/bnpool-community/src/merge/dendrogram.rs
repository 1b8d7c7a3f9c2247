//! A path of merges.

use crate::Partition;

/// Groups merged two by two, with Σ at every step.
#[derive(Debug, Clone, PartialEq)]
pub struct Dendrogram {
    labels: Vec<u32>,
    groups: usize,
    /// Kept and dissolved group of every merge.
    merges: Vec<(u32, u32)>,
    /// Σ before the first merge and after each.
    totals: Vec<f64>,
    /// Merges of groups that share an edge; those of unconnected groups follow.
    adjacent: usize,
}

impl Dendrogram {
    pub(super) fn new(labels: Vec<u32>, groups: usize, total: f64) -> Self {
        Self {
            labels,
            groups,
            merges: Vec::new(),
            totals: vec![total],
            adjacent: 0,
        }
    }

    pub(super) fn push(&mut self, kept: u32, gone: u32, total: f64, adjacent: bool) {
        self.merges.push((kept, gone));
        self.totals.push(total);
        if adjacent {
            self.adjacent = self.merges.len();
        }
    }

    /// Goes on with the merges of groups that are left, which have these names here.
    pub(super) fn append(&mut self, names: &[u32], merges: &Self) {
        for (i, &(kept, gone)) in merges.merges.iter().enumerate() {
            let names = (names[kept as usize], names[gone as usize]);
            self.push(names.0, names.1, merges.totals[i + 1], i < merges.adjacent);
        }
    }

    /// The same with `extra` more nats at every step.
    pub(crate) fn with_extra(mut self, extra: f64) -> Self {
        self.totals.iter_mut().for_each(|total| *total += extra);
        self
    }

    /// The same merges for other nodes, whose groups at the start are these.
    pub(crate) fn with_labels(&self, labels: Vec<u32>) -> Self {
        Self {
            labels,
            ..self.clone()
        }
    }

    /// Number of groups at the start: the finest division.
    #[must_use]
    pub fn finest(&self) -> usize {
        self.groups
    }

    /// Number of groups at the end.
    #[must_use]
    pub fn coarsest(&self) -> usize {
        self.groups - self.merges.len()
    }

    /// Fewest groups that were reached by merging groups with an edge between
    /// them: for communities, the number of connected components.
    #[must_use]
    pub fn coarsest_adjacent(&self) -> usize {
        self.groups - self.adjacent
    }

    /// Groups of the finest division that every merge joined: the first keeps
    /// its number for later merges, the second is dissolved.
    #[must_use]
    pub fn merges(&self) -> &[(u32, u32)] {
        &self.merges
    }

    /// Group of every node in the finest division, as the merges number them.
    #[must_use]
    pub fn labels(&self) -> &[u32] {
        &self.labels
    }

    /// Σ of the division into `groups` groups, if the path has one.
    #[must_use]
    pub fn total(&self, groups: usize) -> Option<f64> {
        let merges = self.groups.checked_sub(groups)?;
        self.totals.get(merges).copied()
    }

    /// The number of groups with the lowest Σ, the fewest of equals, among
    /// divisions into at least `fewest` groups; the finest if all have fewer.
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

    /// The division into `groups` groups, if the path has one.
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

    /// The group that every group of the finest division is part of when `groups`
    /// groups are left, as the merges number them; `None` if the path has no such
    /// division.
    #[must_use]
    pub fn names(&self, groups: usize) -> Option<Vec<u32>> {
        let merges = self.groups.checked_sub(groups)?;
        let mut names: Vec<u32> = (0..self.groups as u32).collect();
        // Backwards, so that the group that was kept has its final name.
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
