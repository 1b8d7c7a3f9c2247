//! Agglomeration: merges groups in pairs, from the leaves up.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::rounded;
use super::tree::{NONE, Tree};
use crate::csr::Csr;

/// A candidate merge: the change of the entropy, the older group and the
/// younger group. The younger group owns the candidate.
type Candidate = Reverse<(i64, u32, u32)>;

/// Builds trees and keeps its buffers between components.
#[derive(Debug)]
pub(super) struct Merger {
    /// Index of each node of the graph within its component.
    place: Vec<u32>,
    candidates: BinaryHeap<Candidate>,
}

/// The groups of one component.
struct Groups {
    tree: Tree,
    /// Weight of the edges that leave each group.
    leaving: Vec<f64>,
    /// log₂ of the volume of each group.
    log_volume: Vec<f64>,
    /// Neighbours at creation of the group, with the weight of the edges to
    /// them.
    neighbours: Vec<Vec<(u32, f64)>>,
    /// Union–find parent: a group on the path to the current group; the group
    /// itself until it merges.
    within: Vec<u32>,
    /// Volume of the component and its log₂.
    total: (f64, f64),
}

impl Merger {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            place: vec![0; nodes],
            candidates: BinaryHeap::new(),
        }
    }

    /// Builds the binary tree of a connected component of at least two nodes.
    ///
    /// Each group keeps a single candidate, the best among its older neighbours. A
    /// neighbour that merges becomes part of a younger group, which searches for
    /// its own best merge. A candidate that has lost its partner is recomputed
    /// lazily when it is popped, as it can only have become worse.
    pub(super) fn binary_tree(&mut self, graph: &Csr, members: &[u32]) -> Tree {
        for (&u, place) in members.iter().zip(0..) {
            self.place[u as usize] = place;
        }
        let mut groups = Groups::leaves(graph, members, &self.place);
        self.candidates.clear();
        let leaves = 0..members.len() as u32;
        self.candidates
            .extend(leaves.filter_map(|group| groups.best(group)));
        // Sums of the weights to each neighbour; zero between merges.
        let mut sums = vec![0.0; 2 * members.len()];
        while let Some(Reverse((_, older, younger))) = self.candidates.pop() {
            if !groups.is_whole(younger) {
                continue;
            }
            let next = if groups.is_whole(older) {
                let born = groups.merge(older, younger, &mut sums);
                groups.best(born)
            } else {
                groups.best(younger)
            };
            self.candidates.extend(next);
        }
        groups.tree
    }
}

impl Groups {
    fn leaves(graph: &Csr, members: &[u32], place: &[u32]) -> Self {
        let n = members.len();
        let capacity = 2 * n - 1;
        let neighbours_of = |u: usize| -> Vec<(u32, f64)> {
            let entries = graph.row_range(u);
            let entries = entries.map(|e| (graph.columns()[e], f64::from(graph.weight(e))));
            let bonds = entries.filter(|&(v, weight)| v as usize != u && weight > 0.0);
            bonds.map(|(v, w)| (place[v as usize], w)).collect()
        };
        let mut neighbours = Vec::with_capacity(capacity);
        neighbours.extend(members.iter().map(|&u| neighbours_of(u as usize)));
        let mut volume = Vec::with_capacity(capacity);
        volume.extend(
            neighbours
                .iter()
                .map(|list| list.iter().map(|n| n.1).sum::<f64>()),
        );
        let total: f64 = volume.iter().sum();
        let mut log_volume = Vec::with_capacity(capacity);
        log_volume.extend(volume.iter().map(|v| v.log2()));
        let mut leaving = Vec::with_capacity(capacity);
        leaving.extend_from_slice(&volume);
        Self {
            tree: Tree {
                leaves: n,
                parent: vec![NONE; n],
                children: Vec::with_capacity(n - 1),
                volume,
                cut: vec![0.0; n],
                height: vec![0; n],
            },
            leaving,
            log_volume,
            neighbours,
            within: (0..n as u32).collect(),
            total: (total, total.log2()),
        }
    }

    /// Returns whether a group has not merged yet.
    fn is_whole(&self, group: u32) -> bool {
        self.within[group as usize] == group
    }

    /// Returns the group that currently contains a group.
    fn current(&mut self, group: u32) -> u32 {
        let mut at = group as usize;
        while self.within[at] as usize != at {
            self.within[at] = self.within[self.within[at] as usize];
            at = self.within[at] as usize;
        }
        at as u32
    }

    /// Returns the best merge of a group with an older one.
    fn best(&self, younger: u32) -> Option<Candidate> {
        self.neighbours[younger as usize]
            .iter()
            .filter(|&&(older, _)| older < younger && self.is_whole(older))
            .map(|&(older, cut)| (rounded(self.change(older, younger, cut)), older, younger))
            .min()
            .map(Reverse)
    }

    /// Change of the entropy of the tree by merging two groups.
    fn change(&self, a: u32, b: u32, cut: f64) -> f64 {
        let (a, b) = (a as usize, b as usize);
        let volume = &self.tree.volume;
        let together = (volume[a] + volume[b]).log2();
        let inside = |c: usize| (volume[c] - self.leaving[c]) * (together - self.log_volume[c]);
        (inside(a) + inside(b) - 2.0 * cut * (self.total.1 - together)) / self.total.0
    }

    /// Merges two groups. `sums` is zero before and after.
    fn merge(&mut self, a: u32, b: u32, sums: &mut [f64]) -> u32 {
        let born = self.tree.parent.len() as u32;
        for group in [a, b] {
            self.within[group as usize] = born;
            self.tree.parent[group as usize] = born;
        }
        self.within.push(born);
        let mut cut = 0.0;
        let mut list: Vec<(u32, f64)> = Vec::new();
        for group in [a, b] {
            for (other, weight) in std::mem::take(&mut self.neighbours[group as usize]) {
                let other = self.current(other);
                if other == born {
                    // Each edge is visited from both sides.
                    cut += 0.5 * weight;
                } else {
                    // Weights are positive, so zero marks a new neighbour.
                    if sums[other as usize] == 0.0 {
                        list.push((other, 0.0));
                    }
                    sums[other as usize] += weight;
                }
            }
        }
        for (other, weight) in &mut list {
            *weight = std::mem::take(&mut sums[*other as usize]);
        }
        let (a, b) = (a as usize, b as usize);
        let volume = self.tree.volume[a] + self.tree.volume[b];
        self.leaving
            .push(self.leaving[a] + self.leaving[b] - 2.0 * cut);
        self.log_volume.push(volume.log2());
        self.neighbours.push(list);
        let height = self.tree.height[a].max(self.tree.height[b]) + 1;
        self.tree.volume.push(volume);
        self.tree.cut.push(cut);
        self.tree.height.push(height);
        self.tree.parent.push(NONE);
        self.tree.children.push(vec![a as u32, b as u32]);
        born
    }
}
