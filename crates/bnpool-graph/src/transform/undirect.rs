//! Conversion to undirected graphs.

use std::cmp::Ordering;

use super::Rewired;
use crate::csr::Csr;
use crate::graph::Graph;

/// Adds the reverse of every edge: the union of A and its transpose.
///
/// If both directions exist, both get the larger weight, so that listing edges
/// in one or both directions gives the same result. Existing edges keep their
/// edge features; new edges copy those of their reverse. The operation is
/// idempotent.
///
/// # Complexity
///
/// Time and memory linear in nodes, edges and features.
///
/// ```
/// use bnpool_graph::{Csr, Graph, transform::undirect};
///
/// let path = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 2)])?).build()?;
/// assert_eq!(undirect(&path).adjacency().columns(), [1, 0, 2, 1]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[must_use]
pub fn undirect(graph: &Graph) -> Graph {
    if graph.adjacency().is_symmetric() {
        return graph.clone();
    }
    union_with_transpose(graph.adjacency()).apply(graph)
}

fn union_with_transpose(old: &Csr) -> Rewired {
    // The transpose, with the position of each of its entries in A.
    let mut mirrored = vec![(0_u32, 0_usize); old.entries()];
    let mirrored_offsets = old.scatter_transposed(|slot, row, entry| mirrored[slot] = (row, entry));

    let capacity = 2 * old.entries();
    let mut offsets = Vec::with_capacity(old.offsets().len());
    let mut columns = Vec::with_capacity(capacity);
    let mut origins = Vec::with_capacity(capacity);
    let mut weights = old.weights().map(|_| Vec::with_capacity(capacity));
    offsets.push(0);
    for u in 0..old.rows() {
        let own = old.row_range(u).map(|entry| (old.columns()[entry], entry));
        let back = &mirrored[mirrored_offsets[u]..mirrored_offsets[u + 1]];
        merge_rows(own, back.iter().copied(), |column, origin, other| {
            columns.push(column);
            origins.push(origin);
            if let Some(weights) = &mut weights {
                weights.push(old.weight(origin).max(old.weight(other)));
            }
        });
        offsets.push(columns.len());
    }
    columns.shrink_to_fit();
    if let Some(weights) = &mut weights {
        weights.shrink_to_fit();
    }
    Rewired {
        adjacency: Csr::trusted(old.columns_count(), offsets, columns, weights)
            .assume_symmetric(true),
        origins,
    }
}

/// Merges two sorted rows of `(column, entry)`: calls `push` with each column,
/// the entry to take it from (preferring the first row) and the entry of the
/// other row, or the former again if the other row has none.
fn merge_rows(
    first: impl Iterator<Item = (u32, usize)>,
    second: impl Iterator<Item = (u32, usize)>,
    mut push: impl FnMut(u32, usize, usize),
) {
    let (mut first, mut second) = (first.peekable(), second.peekable());
    loop {
        let order = match (first.peek(), second.peek()) {
            (Some(a), Some(b)) => a.0.cmp(&b.0),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let taken = if order.is_le() { first.next() } else { None };
        let other = if order.is_ge() { second.next() } else { None };
        if let Some((column, entry)) = taken.or(other) {
            push(column, entry, other.map_or(entry, |pair| pair.1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    #[test]
    fn mirrors_weights_and_edge_features() {
        // 0 -> 1 and 1 -> 0 differ; 2 -> 0 has no reverse; 2 -> 2 is a
        // self-loop.
        let edges = [(0, 1, 1.0), (1, 0, 4.0), (2, 0, -2.0), (2, 2, 3.0)];
        let graph = Graph::builder(Csr::from_weighted_edges(3, edges).unwrap())
            .edge_features(Matrix::from_rows([[10.0], [20.0], [30.0], [40.0]]).unwrap())
            .build()
            .unwrap();
        let both = undirect(&graph);
        let entries: Vec<_> = both.adjacency().iter().collect();
        assert_eq!(
            entries,
            [
                (0, 1, 4.0),
                (0, 2, -2.0),
                (1, 0, 4.0),
                (2, 0, -2.0),
                (2, 2, 3.0)
            ]
        );
        assert_eq!(
            both.edge_features().unwrap().as_slice(),
            [10.0, 30.0, 20.0, 30.0, 40.0]
        );
        assert!(both.adjacency().is_symmetric());
        assert!(both.adjacency().without_weights().is_symmetric());
        assert_eq!(undirect(&both), both);
    }

    #[test]
    fn unweighted_graphs_stay_unweighted() {
        let arrow = Graph::builder(Csr::from_edges(2, [(1, 0)]).unwrap())
            .build()
            .unwrap();
        let both = undirect(&arrow);
        assert_eq!(
            both.adjacency(),
            &Csr::from_edges(2, [(0, 1), (1, 0)]).unwrap()
        );
        let empty = Graph::builder(Csr::from_edges(0, []).unwrap())
            .build()
            .unwrap();
        assert_eq!(undirect(&empty), empty);
    }
}
