//! Structural entropy pooling: a coding tree of low entropy.
//!
//! The structural entropy of a tree over the nodes of a graph is −Σ (g/V) log₂(v
//! / v') over all tree nodes except the root: v is the volume (sum of degrees)
//! of the nodes below, g the weight of the edges that leave them, v' the volume
//! of the parent and V that of the graph. It is the code length of a step of a
//! random walk, in bits. Each connected component has its own tree.
//!
//! [`merge`] builds a binary tree from the leaves up, [`compress`] removes inner
//! nodes until no path is too long, and [`levels`] extracts the supernodes.

mod compress;
mod merge;
mod tree;

use super::assigned::Assigned;
use super::error::{CoarsenError, check_weights};
use super::prepare::undirected;
use crate::csr::Csr;
use bnpool_math::kernel;
use merge::Merger;
use tree::Levels;

/// Largest height of a tree: each level stores a number per node.
const TALLEST: usize = 64;

/// Builds a coding tree of the given height greedily. Returns its levels, finest first.
///
/// Level 0 assigns the nodes of the graph to supernodes, level 1 assigns these to the next
/// ones, and so on up to the children of the roots. A tree of height h has h − 1 levels.
///
/// In each connected component, the two adjacent groups whose union lowers the
/// structural entropy most (or raises it least) are merged until one is left. Then
/// inner nodes are removed, those that raise the entropy least first, until no leaf
/// is deeper than `height`. A leaf at a smaller depth gets a chain of its own
/// supernodes, so that it has one in every level; so does a node without edges.
///
/// Entropies that differ by less than 2⁻⁴⁰ bits count as equal. Ties between
/// merges are broken by the smaller number of the older group, then by that of
/// the other one. Nodes keep their numbers; groups are numbered after them in
/// the order of creation. Ties between removals go to the oldest group. The
/// numbering of the nodes matters only if there are ties.
///
/// Supernodes are numbered by component (in the order of their smallest nodes),
/// inside a component by creation, with the chains of single nodes at the end.
///
/// Self-loops and edges of weight zero are ignored; a directed edge counts in
/// both directions.
///
/// # Errors
///
/// Returns an error if the matrix is not square, a weight is negative, or
/// `height` is not in 2..=64.
///
/// # Complexity
///
/// O(E log E) time for groups with few neighbours. A merge visits all neighbours
/// of the new group, and a removal visits a path of the tree, so the worst case,
/// such as a star, is O(N²). O(N + E) memory.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::coding_tree;
///
/// // Two triangles, joined by a light edge.
/// let triangles = [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)].map(|(u, v)| (u, v, 1.0));
/// let edges = triangles.into_iter().chain([(2, 3, 0.1)]);
/// let graph = Csr::from_weighted_edges(6, edges.flat_map(|(u, v, w)| [(u, v, w), (v, u, w)]))?;
/// let levels = coding_tree(&graph, 2)?;
/// assert_eq!(levels[0].clusters(), [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn coding_tree(adjacency: &Csr, height: usize) -> Result<Vec<Assigned>, CoarsenError> {
    if !(2..=TALLEST).contains(&height) {
        return Err(CoarsenError::OutOfRange {
            name: "height",
            value: height as f64,
            bound: "at least 2 and at most 64",
        });
    }
    check_weights(adjacency, "the structural entropy")?;
    let graph = undirected(adjacency)?;
    let components =
        kernel::connected_components(graph.view(), |u, v, weight| u != v && weight > 0.0);
    let components = Assigned::trusted(components.of_node, components.count);
    let (offsets, nodes) = components.members();
    let mut merger = Merger::new(graph.rows());
    let mut levels = Levels::new(graph.rows(), height);
    for bounds in offsets.windows(2) {
        let members = &nodes[bounds[0]..bounds[1]];
        if let [single] = members {
            levels.add_single(*single);
            continue;
        }
        let mut tree = merger.binary_tree(&graph, members);
        compress::to_height(&mut tree, height);
        levels.add(members, &tree);
    }
    Ok(levels.finish())
}

/// Rounds an entropy to a multiple of 2⁻⁴⁰, so that comparisons do not depend
/// on rounding errors.
fn rounded(bits: f64) -> i64 {
    (bits * (1_u64 << 40) as f64).round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_graphs() {
        let levels = |graph: &Csr, height| {
            let levels = coding_tree(graph, height).unwrap();
            assert_eq!(levels.len(), height - 1);
            levels
        };
        for height in 2..5 {
            let empty = Csr::from_edges(0, []).unwrap();
            assert_eq!(levels(&empty, height)[0].supernodes(), 0);
            let bare = Csr::from_edges(3, [(1, 1)]).unwrap();
            assert_eq!(levels(&bare, height)[height - 2], Assigned::identity(3));
            // Both ends are children of the root.
            let arrow = Csr::from_weighted_edges(3, [(0, 2, 3.0)]).unwrap();
            assert_eq!(levels(&arrow, height)[0].clusters(), [0, 2, 1]);
            let complete = (0..7).flat_map(|u| (0..7).map(move |v| (u, v)));
            let complete = Csr::from_edges(7, complete).unwrap();
            assert!(levels(&complete, height)[0].supernodes() < 7);
        }
        let edge = Csr::from_weighted_edges(2, [(0, 1, -1.0)]).unwrap();
        assert!(coding_tree(&edge, 2).is_err());
        assert!(coding_tree(&Csr::from_edges(2, []).unwrap(), 1).is_err());
        assert!(coding_tree(&Csr::from_positions(2, 3, []).unwrap(), 2).is_err());
    }
}
