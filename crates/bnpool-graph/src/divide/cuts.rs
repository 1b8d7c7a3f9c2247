//! Divisions of the nodes of a graph into ranges.

use std::ops::Range;

/// Default number of nodes and entries per part.
pub const PART_WORK: usize = 1 << 19;

/// Bounds on the number of parts: several processes should have work, and each part
/// has overhead.
const FEWEST: usize = 4;
const MOST: usize = 1024;

/// Contiguous ranges of nodes, balanced by the number of nodes and entries.
///
/// The ranges depend only on the lengths of the rows. A range may be empty if one
/// row has more entries than a part should have.
///
/// ```
/// use bnpool_graph::divide::Cuts;
///
/// let cuts = Cuts::new(&[1; 100], 50);
/// assert_eq!((cuts.nodes(), cuts.parts()), (100, 4));
/// assert_eq!(cuts.range(1), 25..50);
/// assert_eq!(cuts.part_of(49), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cuts {
    /// First node of each part, and the end of the last.
    starts: Vec<usize>,
    /// Number of entries before each part, and the total.
    entries: Vec<usize>,
}

impl Cuts {
    /// Divides rows of these lengths into parts of about `work` nodes and
    /// entries: at least 4 parts (if there are that many nodes) and at most
    /// 1024.
    ///
    /// # Complexity
    ///
    /// O(N) time, O(parts) memory.
    #[must_use]
    pub fn new(lengths: &[u32], work: usize) -> Self {
        let entries = lengths.iter().map(|&length| length as usize).sum();
        let mut cutter = Cutter::new(lengths.len(), entries, work);
        lengths.iter().for_each(|&length| cutter.push(length));
        cutter.finish()
    }

    /// Number of parts, at least one.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.starts[self.parts()]
    }

    /// Nodes of a part.
    ///
    /// # Panics
    ///
    /// Panics if the part is out of range.
    #[must_use]
    pub fn range(&self, part: usize) -> Range<usize> {
        self.starts[part]..self.starts[part + 1]
    }

    /// Positions of the entries of a part among all entries.
    ///
    /// # Panics
    ///
    /// Panics if the part is out of range.
    #[must_use]
    pub fn entries(&self, part: usize) -> Range<usize> {
        self.entries[part]..self.entries[part + 1]
    }

    /// Part of a node.
    ///
    /// # Complexity
    ///
    /// Logarithmic in the number of parts.
    #[must_use]
    pub fn part_of(&self, node: usize) -> usize {
        self.starts.partition_point(|&start| start <= node) - 1
    }

    /// Parts owned by a rank of a job: a contiguous range, possibly empty if there
    /// are more ranks than parts.
    ///
    /// ```
    /// use bnpool_graph::divide::Cuts;
    ///
    /// let cuts = Cuts::new(&[1; 100], 50);
    /// assert_eq!(cuts.owned(1, 3), 1..2);
    /// ```
    #[must_use]
    pub fn owned(&self, rank: usize, ranks: usize) -> Range<usize> {
        rank * self.parts() / ranks..(rank + 1) * self.parts() / ranks
    }
}

/// Builds the cuts from the lengths of the rows, one at a time.
#[derive(Debug)]
pub struct Cutter {
    parts: usize,
    /// Total number of nodes and entries.
    total: usize,
    done: usize,
    nodes: usize,
    all: usize,
    cuts: Cuts,
}

impl Cutter {
    /// Starts the cuts of this many nodes and entries into parts of about
    /// `work` of both.
    #[must_use]
    pub fn new(nodes: usize, entries: usize, work: usize) -> Self {
        let total = nodes.saturating_add(entries);
        let parts = (total / work.max(1)).clamp(FEWEST, MOST).min(nodes.max(1));
        Self {
            parts,
            total,
            done: 0,
            nodes: 0,
            all: 0,
            cuts: Cuts {
                starts: Vec::with_capacity(parts + 1),
                entries: Vec::with_capacity(parts + 1),
            },
        }
    }

    /// Adds the next row.
    pub fn push(&mut self, length: u32) {
        // Part p begins at the first node with p equal shares before it.
        while self.cuts.starts.len() < self.parts
            && self.done as u128 * self.parts as u128
                >= self.cuts.starts.len() as u128 * self.total as u128
        {
            self.cut();
        }
        self.nodes += 1;
        self.all += length as usize;
        self.done += 1 + length as usize;
    }

    fn cut(&mut self) {
        self.cuts.starts.push(self.nodes);
        self.cuts.entries.push(self.all);
    }

    /// Returns the cuts, after the last row.
    #[must_use]
    pub fn finish(mut self) -> Cuts {
        while self.cuts.starts.len() <= self.parts {
            self.cut();
        }
        self.cuts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parts_cover_every_node_once_and_share_the_work(
            lengths in proptest::collection::vec(0_u32..40, 0..300),
            work in 1_usize..2000,
        ) {
            let cuts = Cuts::new(&lengths, work);
            let total = lengths.len() + lengths.iter().map(|&l| l as usize).sum::<usize>();
            let mut next = 0;
            for p in 0..cuts.parts() {
                let range = cuts.range(p);
                prop_assert_eq!(range.start, next);
                next = range.end;
                let entries: usize = lengths[range.clone()].iter().map(|&l| l as usize).sum();
                prop_assert_eq!(cuts.entries(p).len(), entries);
                // At most one row beyond its share.
                prop_assert!(range.len() + entries <= total / cuts.parts() + 42);
                for node in range {
                    prop_assert_eq!(cuts.part_of(node), p);
                }
            }
            prop_assert_eq!(next, lengths.len());
            for ranks in 1..6 {
                let owned = (0..ranks).flat_map(|rank| cuts.owned(rank, ranks));
                prop_assert!(owned.eq(0..cuts.parts()));
            }
        }
    }

    #[test]
    fn a_hub_leaves_parts_empty_and_no_node_is_lost() {
        let mut lengths = vec![0; 10];
        lengths[3] = 1000;
        let cuts = Cuts::new(&lengths, 100);
        assert_eq!(cuts.parts(), 10);
        assert!((0..10).any(|p| cuts.range(p).is_empty()));
        let found: usize = (0..10).map(|p| cuts.range(p).len()).sum();
        assert_eq!((found, cuts.nodes()), (10, 10));
        assert_eq!(cuts.part_of(9), 9);
        assert_eq!(Cuts::new(&[], 5).parts(), 1);
    }
}
