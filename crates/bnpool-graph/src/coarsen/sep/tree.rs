//! A tree over the nodes of one component.

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
