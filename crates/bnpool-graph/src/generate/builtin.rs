//! The paper's Community graph, built into the program.

use crate::csr::Csr;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::matrix::Matrix;

const EDGES: &str = include_str!("../../data/community_N400_Nc5_seed0_edges.csv");
const NODES: &str = include_str!("../../data/community_N400_Nc5_seed0_nodes.csv");

/// The Community graph of the paper: 400 nodes in 5 communities and 2952
/// undirected edges (5904 directed ones), with the two coordinates of each node
/// as features and its community as label.
///
/// Needs neither files nor network access.
///
/// # Errors
///
/// Returns an error if the built-in data is damaged, which does not happen in
/// an intact build.
///
/// ```
/// let graph = bnpool_graph::generate::builtin_community()?;
/// assert_eq!((graph.nodes(), graph.edges()), (400, 5904));
/// assert_eq!(graph.features().width(), 2);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
pub fn builtin_community() -> Result<Graph, GraphError> {
    // Invalid numbers become values that the checks below reject.
    let mut edges = Vec::with_capacity(5904);
    for line in EDGES.lines().skip(1) {
        let mut ends = line.split(',').map(|end| end.parse().unwrap_or(u32::MAX));
        let (u, v) = (
            ends.next().unwrap_or(u32::MAX),
            ends.next().unwrap_or(u32::MAX),
        );
        // The file lists both directions.
        edges.push((u, v));
    }
    let (mut coordinates, mut labels) = (Vec::new(), Vec::new());
    for line in NODES.lines().skip(1) {
        let mut cells = line.split(',');
        for _ in 0..2 {
            let cell = cells.next().unwrap_or_default();
            coordinates.push(cell.parse().unwrap_or(f32::NAN));
        }
        let label = cells.next().unwrap_or_default();
        labels.push(label.parse().unwrap_or(u32::MAX));
    }
    let nodes = labels.len();
    Graph::builder(Csr::from_edges(nodes, edges)?)
        .features(Matrix::new(nodes, 2, coordinates)?)
        .node_labels(labels)
        .build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn has_the_published_counts() {
        let graph = builtin_community().unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (400, 5904));
        let labels = graph.node_labels().unwrap();
        assert!(labels.is_sorted());
        assert_eq!((labels[0], labels[399]), (0, 4));
        let adjacency = graph.adjacency();
        assert!(adjacency.is_symmetric());
        assert!((0..400).all(|u| adjacency.find(u, u).is_none()));
    }
}
