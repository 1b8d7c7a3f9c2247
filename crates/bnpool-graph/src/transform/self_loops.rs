//! Self-loops.

use super::{NEW_ENTRY, Rewired};
use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;

/// Removes all self-loops, with their edge features.
///
/// # Complexity
///
/// Time and memory linear in nodes, edges and features.
///
/// ```
/// use bnpool_graph::{Csr, Graph, transform::remove_self_loops};
///
/// let graph = Graph::builder(Csr::from_edges(2, [(0, 0), (0, 1)])?).build()?;
/// assert_eq!(remove_self_loops(&graph).adjacency().columns(), [1]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[must_use]
pub fn remove_self_loops(graph: &Graph) -> Graph {
    let old = graph.adjacency();
    let mut offsets = Vec::with_capacity(old.offsets().len());
    let mut origins = Vec::with_capacity(old.entries());
    offsets.push(0);
    for u in 0..old.rows() {
        origins.extend(old.row_range(u).filter(|&e| old.columns()[e] as usize != u));
        offsets.push(origins.len());
    }
    let columns = origins.iter().map(|&e| old.columns()[e]).collect();
    let weights = old
        .weights()
        .map(|weights| origins.iter().map(|&e| weights[e]).collect());
    let adjacency = Csr::trusted(old.columns_count(), offsets, columns, weights);
    Rewired { adjacency, origins }.apply(graph)
}

/// Adds a self-loop of this weight to each node without one. New self-loops
/// have edge features of zero.
///
/// An unweighted graph stays unweighted if `weight` is 1 or no self-loop is
/// missing.
///
/// # Errors
///
/// Returns an error if `weight` is not finite.
///
/// # Complexity
///
/// Time and memory linear in nodes, edges and features.
pub fn add_self_loops(graph: &Graph, weight: f32) -> Result<Graph, GraphError> {
    if !weight.is_finite() {
        return Err(GraphError::LoopWeight { weight });
    }
    Ok(with_diagonal(graph.adjacency(), weight).apply(graph))
}

/// Completes the diagonal of a square matrix; existing entries are kept.
pub(super) fn with_diagonal(old: &Csr, weight: f32) -> Rewired {
    // An upper bound: existing self-loops leave some of it unused.
    let entries = old.entries() + old.rows();
    let mut offsets = Vec::with_capacity(old.offsets().len());
    let mut columns = Vec::with_capacity(entries);
    let mut origins = Vec::with_capacity(entries);
    offsets.push(0);
    for u in 0..old.rows() {
        let (row, range) = (old.row(u), old.row_range(u));
        let below = row.partition_point(|&v| (v as usize) < u);
        columns.extend_from_slice(&row[..below]);
        origins.extend(range.start..range.start + below);
        if row.get(below) != Some(&(u as u32)) {
            columns.push(u as u32);
            origins.push(NEW_ENTRY);
        }
        columns.extend_from_slice(&row[below..]);
        origins.extend(range.start + below..range.end);
        offsets.push(columns.len());
    }
    let weight_of = |&origin: &usize| match origin {
        NEW_ENTRY => weight,
        entry => old.weight(entry),
    };
    let added = columns.len() > old.entries();
    let weighted = old.weights().is_some() || (added && weight != 1.0);
    let weights = weighted.then(|| origins.iter().map(weight_of).collect());
    Rewired {
        adjacency: Csr::trusted(old.columns_count(), offsets, columns, weights),
        origins,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Matrix;

    /// Self-loops at nodes 0 and 2, but not at node 1.
    fn graph() -> Graph {
        let edges = [
            (0, 0, 5.0),
            (0, 1, 2.0),
            (1, 2, 3.0),
            (2, 0, 4.0),
            (2, 2, 6.0),
        ];
        Graph::builder(Csr::from_weighted_edges(3, edges).unwrap())
            .edge_features(Matrix::from_rows([[1.0], [2.0], [3.0], [4.0], [5.0]]).unwrap())
            .node_labels(vec![7, 8, 9])
            .build()
            .unwrap()
    }

    #[test]
    fn removes_loops_and_their_features() {
        let graph = remove_self_loops(&graph());
        let entries: Vec<_> = graph.adjacency().iter().collect();
        assert_eq!(entries, [(0, 1, 2.0), (1, 2, 3.0), (2, 0, 4.0)]);
        assert_eq!(graph.edge_features().unwrap().as_slice(), [2.0, 3.0, 4.0]);
        assert_eq!(graph.node_labels(), Some(&[7, 8, 9][..]));
    }

    #[test]
    fn adds_only_missing_loops() {
        let graph = add_self_loops(&graph(), 1.0).unwrap();
        assert_eq!(graph.adjacency().columns(), [0, 1, 1, 2, 0, 2]);
        assert_eq!(
            graph.adjacency().weights(),
            Some(&[5.0, 2.0, 1.0, 3.0, 4.0, 6.0][..])
        );
        assert_eq!(
            graph.edge_features().unwrap().as_slice(),
            [1.0, 2.0, 0.0, 3.0, 4.0, 5.0]
        );
    }

    #[test]
    fn weights_appear_only_where_needed() {
        let bare = Graph::builder(Csr::from_edges(2, [(0, 1)]).unwrap())
            .build()
            .unwrap();
        let ones = add_self_loops(&bare, 1.0).unwrap();
        assert_eq!(ones.adjacency().weights(), None);
        assert_eq!(ones.adjacency().columns(), [0, 1, 1]);
        let halves = add_self_loops(&bare, 0.5).unwrap();
        assert_eq!(halves.adjacency().weights(), Some(&[0.5, 1.0, 0.5][..]));
        assert!(add_self_loops(&bare, f32::NAN).is_err());
    }
}
