//! Connected components.

use super::SparseRows;

/// Partition of the nodes into connected components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Components {
    /// Component of each node, numbered from 0 in the order of the smallest
    /// nodes.
    pub of_node: Vec<u32>,
    /// Number of components.
    pub count: usize,
}

/// Returns the components of the graph whose edges are the entries for which
/// `joins(u, v, weight)` is true, ignoring their direction.
///
/// # Complexity
///
/// Linear in N + E except for the paths to roots, whose mean length is at most
/// logarithmic (and about one in practice); O(N) memory.
///
/// ```
/// use bnpool_math::kernel::{SparseRows, connected_components};
///
/// // 0 → 2, and 1 alone.
/// let rows = SparseRows { offsets: &[0, 1, 1, 1], columns: &[2], weights: None, columns_count: 3 };
/// let components = connected_components(rows, |_, _, _| true);
/// assert_eq!(components.of_node, [0, 1, 0]);
/// ```
///
/// # Panics
///
/// Panics if the matrix is not square.
#[must_use]
pub fn connected_components(
    rows: SparseRows<'_>,
    mut joins: impl FnMut(usize, usize, f32) -> bool,
) -> Components {
    let nodes = rows.rows();
    assert_eq!(nodes, rows.columns_count, "an adjacency is square");
    let mut forest = Forest::new(nodes);
    for u in 0..nodes {
        for (v, weight) in rows.row_entries(u) {
            if joins(u, v, weight) {
                forest.join(u, v);
            }
        }
    }
    forest.into_components()
}

/// Union–find: connected components, built edge by edge.
///
/// ```
/// use bnpool_math::kernel::Forest;
///
/// let mut forest = Forest::new(4);
/// assert!(forest.join(1, 3) && !forest.join(3, 1));
/// assert_eq!(forest.into_components().of_node, [0, 1, 2, 1]);
/// ```
#[derive(Debug, Clone)]
pub struct Forest {
    /// Parents. A parent is never larger than its node, so the root of a
    /// component is its smallest node.
    parents: Vec<u32>,
}

impl Forest {
    /// A forest in which each node is its own component.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self {
            parents: (0..nodes as u32).collect(),
        }
    }

    /// Joins the components of two nodes; returns whether they were different.
    ///
    /// # Panics
    ///
    /// Panics if a node is out of range.
    #[inline]
    pub fn join(&mut self, u: usize, v: usize) -> bool {
        let (a, b) = (self.root(u), self.root(v));
        self.parents[a.max(b)] = a.min(b) as u32;
        a != b
    }

    /// Returns the smallest node of the component, halving the path on the way.
    fn root(&mut self, mut u: usize) -> usize {
        let parents = &mut self.parents;
        while parents[u] as usize != u {
            let grandparent = parents[parents[u] as usize];
            parents[u] = grandparent;
            u = grandparent as usize;
        }
        u
    }

    /// Numbers the components.
    #[must_use]
    pub fn into_components(self) -> Components {
        let mut parents = self.parents;
        let mut count = 0;
        for u in 0..parents.len() {
            // The parent comes earlier and has its final number already.
            let parent = parents[u] as usize;
            parents[u] = if parent == u {
                count += 1;
                count - 1
            } else {
                parents[parent]
            };
        }
        Components {
            of_node: parents,
            count: count as usize,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, Stream};

    #[test]
    fn same_component_is_the_same_as_reachable() {
        let mut draws = Stream::new(0, Purpose::Other(0), 0).draws(0);
        for _ in 0..50 {
            let nodes = 1 + draws.below(30) as usize;
            let (mut offsets, mut columns) = (vec![0], Vec::new());
            let mut reach = vec![false; nodes * nodes];
            for u in 0..nodes {
                reach[u * nodes + u] = true;
                for v in 0..nodes {
                    if draws.uniform() < 0.7 / nodes as f64 {
                        columns.push(v as u32);
                        (reach[u * nodes + v], reach[v * nodes + u]) = (true, true);
                    }
                }
                offsets.push(columns.len());
            }
            for w in 0..nodes {
                for u in 0..nodes {
                    for v in 0..nodes {
                        reach[u * nodes + v] |= reach[u * nodes + w] && reach[w * nodes + v];
                    }
                }
            }
            let rows = SparseRows {
                offsets: &offsets,
                columns: &columns,
                weights: None,
                columns_count: nodes,
            };
            let components = connected_components(rows, |_, _, _| true);
            let mut seen = 0;
            for u in 0..nodes {
                for v in 0..nodes {
                    let same = components.of_node[u] == components.of_node[v];
                    assert_eq!(same, reach[u * nodes + v], "{u} and {v}");
                }
                assert!(components.of_node[u] <= seen, "in the order of first nodes");
                seen = seen.max(components.of_node[u] + 1);
            }
            assert_eq!(components.count, seen as usize);
            let apart = connected_components(rows, |_, _, _| false);
            assert_eq!(apart.count, nodes);
        }
    }
}
