//! A tree over the nodes of one component.

use crate::coarsen::assigned::Assigned;

/// No parent: the root, or a node that is not in the tree (any more).
pub(super) const NONE: u32 = u32::MAX;

/// A tree whose leaves 0..n are the nodes of a component. Inner nodes are
/// numbered n, n + 1, … in the order of creation; the last one is the root.
#[derive(Debug)]
pub(super) struct Tree {
    /// Number of leaves.
    pub(super) leaves: usize,
    /// Parent of each node.
    pub(super) parent: Vec<u32>,
    /// Children of each inner node, indexed by number − n. May contain removed
    /// nodes, whose parent differs.
    pub(super) children: Vec<Vec<u32>>,
    /// Volume of each node.
    pub(super) volume: Vec<f64>,
    /// Weight of the edges between the children, counting both directions once.
    pub(super) cut: Vec<f64>,
    /// Length of the longest path down to a leaf.
    pub(super) height: Vec<u32>,
}

impl Tree {
    /// The root.
    pub(super) fn root(&self) -> u32 {
        self.parent.len() as u32 - 1
    }

    /// Returns whether a node is a leaf.
    pub(super) fn is_leaf(&self, node: u32) -> bool {
        (node as usize) < self.leaves
    }

    /// Current children of an inner node.
    pub(super) fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.children[node as usize - self.leaves]
            .iter()
            .copied()
            .filter(move |&child| self.parent[child as usize] == node)
    }

    /// Number of steps up to the root.
    pub(super) fn depth(&self, node: u32) -> u32 {
        let (mut above, mut depth) = (self.parent[node as usize], 0);
        while above != NONE {
            above = self.parent[above as usize];
            depth += 1;
        }
        depth
    }
}

/// Supernodes of all levels, filled component by component.
#[derive(Debug)]
pub(super) struct Levels {
    /// Supernode of each node of the graph, per level, finest first.
    of_node: Vec<Vec<u32>>,
    /// Number of supernodes of each level so far.
    counts: Vec<u32>,
}

impl Levels {
    pub(super) fn new(nodes: usize, height: usize) -> Self {
        Self {
            of_node: vec![vec![0; nodes]; height - 1],
            counts: vec![0; height - 1],
        }
    }

    /// Adds a node without edges, which is a supernode in every level.
    pub(super) fn add_single(&mut self, node: u32) {
        for (of_node, count) in self.of_node.iter_mut().zip(&mut self.counts) {
            of_node[node as usize] = *count;
            *count += 1;
        }
    }

    /// Adds the supernodes of a component. In a tree of height h, those of level
    /// l are its nodes at depth h − 1 − l; a leaf at that depth or above is its
    /// own supernode.
    pub(super) fn add(&mut self, members: &[u32], tree: &Tree) {
        let height = self.counts.len() + 1;
        // Ancestors of each leaf, starting with the child of the root.
        let mut ancestors = vec![NONE; members.len() * (height - 1)];
        for (leaf, row) in ancestors.chunks_exact_mut(height - 1).enumerate() {
            let mut above = tree.parent[leaf];
            for depth in (0..tree.depth(leaf as u32) as usize - 1).rev() {
                row[depth] = above;
                above = tree.parent[above as usize];
            }
        }
        let names = tree.parent.len() + members.len();
        for level in 0..height - 1 {
            let depth = height - 2 - level;
            // The supernode of a leaf itself is numbered after those of all
            // inner nodes.
            let name = |leaf: usize| match ancestors[leaf * (height - 1) + depth] {
                NONE => tree.parent.len() + leaf,
                ancestor => ancestor as usize,
            };
            let mut numbers = vec![NONE; names];
            for leaf in 0..members.len() {
                numbers[name(leaf)] = 0;
            }
            for number in numbers.iter_mut().filter(|number| **number == 0) {
                *number = self.counts[level];
                self.counts[level] += 1;
            }
            for (leaf, &u) in members.iter().enumerate() {
                self.of_node[level][u as usize] = numbers[name(leaf)];
            }
        }
    }

    /// Returns each level as an assignment of the supernodes of the level
    /// below.
    pub(super) fn finish(self) -> Vec<Assigned> {
        let mut levels = Vec::with_capacity(self.counts.len());
        for (level, &count) in self.counts.iter().enumerate() {
            let own = &self.of_node[level];
            let clusters = match level.checked_sub(1) {
                None => own.clone(),
                Some(finer) => {
                    let mut clusters = vec![0; self.counts[finer] as usize];
                    for (&child, &parent) in self.of_node[finer].iter().zip(own) {
                        clusters[child as usize] = parent;
                    }
                    clusters
                }
            };
            levels.push(Assigned::trusted(clusters, count as usize));
        }
        levels
    }
}
