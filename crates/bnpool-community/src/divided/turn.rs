//! Turns of nodes.

use bnpool_math::stream::scatter;

/// Number of turns per sweep: one in this many nodes may move at the same time.
/// A power of two.
pub(super) const TURNS: u64 = 8;

/// The nodes of one turn.
#[derive(Clone, Copy)]
pub(super) struct Turn {
    key: u64,
    turn: u64,
}

impl Turn {
    /// The turns of a sweep over all nodes. Each node is in exactly one of
    /// them.
    pub(super) fn sweep(seed: u64, sweep: usize) -> impl Iterator<Item = Self> {
        let key = scatter(seed ^ scatter(sweep as u64));
        (0..TURNS).map(move |turn| Self { key, turn })
    }

    /// Returns whether a node may move.
    #[inline]
    pub(super) fn has(self, node: usize) -> bool {
        scatter(self.key ^ node as u64) % TURNS == self.turn
    }
}

/// A set of nodes.
pub(super) struct NodeSet(Vec<u64>);

impl NodeSet {
    pub(super) fn new(nodes: usize) -> Self {
        Self(vec![0; nodes.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, node: usize) {
        self.0[node / 64] |= 1 << (node % 64);
    }

    #[inline]
    pub(super) fn has(&self, node: usize) -> bool {
        self.0[node / 64] >> (node % 64) & 1 == 1
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }
}

/// Nodes to be visited: those with moves in their neighbourhood in this sweep or
/// the previous one. Initially all nodes.
pub(super) struct Fresh {
    now: NodeSet,
    before: NodeSet,
    everybody: bool,
}

impl Fresh {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            now: NodeSet::new(nodes),
            before: NodeSet::new(nodes),
            everybody: true,
        }
    }

    /// Records that a node has moved.
    pub(super) fn moved(&mut self, node: usize) {
        self.now.insert(node);
    }

    /// Starts the next sweep.
    pub(super) fn next(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.everybody = false;
    }

    /// Returns whether a node or one of its neighbours has moved.
    #[inline]
    pub(super) fn has(&self, node: usize, neighbours: &[u32]) -> bool {
        let moved = |u: usize| self.now.has(u) || self.before.has(u);
        self.everybody || moved(node) || neighbours.iter().any(|&v| moved(v as usize))
    }
}

/// Counts the occurrences of each label: pairs by ascending label.
pub(super) fn tally(labels: &mut Vec<u32>, counts: &mut Vec<(u32, u32)>) {
    labels.sort_unstable();
    counts.clear();
    for &label in labels.iter() {
        match counts.last_mut() {
            Some(last) if last.0 == label => last.1 += 1,
            _ => counts.push((label, 1)),
        }
    }
    labels.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_has_one_turn_in_a_sweep() {
        for sweep in 0..3 {
            let turns: Vec<Turn> = Turn::sweep(7, sweep).collect();
            let mut sizes = vec![0; turns.len()];
            for node in 0..8000 {
                let own: Vec<usize> = (0..turns.len()).filter(|&t| turns[t].has(node)).collect();
                assert_eq!(own.len(), 1);
                sizes[own[0]] += 1;
            }
            assert!(sizes.iter().all(|&n| (850..1150).contains(&n)), "{sizes:?}");
        }
    }

    #[test]
    fn labels_are_counted() {
        let (mut labels, mut counts) = (vec![5, 2, 5, 9, 5], Vec::new());
        tally(&mut labels, &mut counts);
        assert_eq!(counts, [(2, 1), (5, 3), (9, 1)]);
    }
}
