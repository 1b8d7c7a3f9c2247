//! Reordering of nodes.

use crate::csr::Csr;
use crate::features::Features;
use crate::graph::Graph;
use crate::matrix::Matrix;

/// An order of the nodes of a graph: position i holds node `order[i]`.
///
/// ```
/// use bnpool_graph::{Csr, Graph, structure::NodeOrder};
///
/// let path = Graph::builder(Csr::from_edges(3, [(0, 1), (1, 2)])?).build()?;
/// let order = NodeOrder::new(vec![2, 0, 1]).expect("every node once");
/// assert_eq!(order.apply(&path).adjacency(), &Csr::from_edges(3, [(1, 2), (2, 0)])?);
/// assert_eq!(order.restore(&["c", "a", "b"], 1), ["a", "b", "c"]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeOrder {
    /// Node at each position.
    nodes: Vec<u32>,
    /// Position of each node.
    places: Vec<u32>,
}

impl NodeOrder {
    /// Builds an order from the listed nodes; `None` unless they are a
    /// permutation of 0, 1, 2, …
    #[must_use]
    pub fn new(nodes: Vec<u32>) -> Option<Self> {
        let mut places = vec![u32::MAX; nodes.len()];
        for (place, &node) in nodes.iter().enumerate() {
            match places.get_mut(node as usize) {
                Some(slot) if *slot == u32::MAX => *slot = place as u32,
                _ => return None,
            }
        }
        Some(Self { nodes, places })
    }

    /// The nodes in their order.
    #[must_use]
    pub fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Reorders the nodes of a graph. All attributes of nodes and edges move
    /// with them.
    ///
    /// # Complexity
    ///
    /// O(E log d) time for degrees of d, and the memory of a second graph.
    ///
    /// # Panics
    ///
    /// Panics if the graph has a different number of nodes.
    #[must_use]
    pub fn apply(&self, graph: &Graph) -> Graph {
        assert_eq!(graph.nodes(), self.nodes.len(), "a place for every node");
        let (adjacency, origins) = self.adjacency(graph.adjacency());
        let edge_features = graph.edge_features().map(|old| rows_of(old, &origins));
        let nodes = || self.nodes.iter().map(|&u| u as usize);
        let features = match graph.features() {
            Features::Dense(old) => rows_of(old, &nodes().collect::<Vec<_>>()).into(),
            Features::Sparse(old) => Features::Sparse(self.rows(old)),
        };
        let labels = graph
            .node_labels()
            .map(|labels| nodes().map(|u| labels[u]).collect());
        let ids = graph
            .node_ids()
            .map(|ids| nodes().map(|u| ids[u].clone()).collect());
        Graph::ordered(
            adjacency,
            features,
            edge_features,
            graph.target().cloned(),
            labels,
            ids,
        )
    }

    /// Maps values of the nodes in this order, `width` each, back to the
    /// original numbering.
    ///
    /// # Panics
    ///
    /// Panics if there are not `width` values per node.
    #[must_use]
    pub fn restore<T: Clone>(&self, values: &[T], width: usize) -> Vec<T> {
        assert_eq!(
            values.len(),
            self.places.len() * width,
            "values of every node"
        );
        let rows = self.places.iter().map(|&place| place as usize * width);
        rows.flat_map(|start| values[start..start + width].iter().cloned())
            .collect()
    }

    /// Reorders rows and columns; also returns the old position of each entry.
    fn adjacency(&self, old: &Csr) -> (Csr, Vec<usize>) {
        let mut offsets = Vec::with_capacity(old.offsets().len());
        let mut origins: Vec<usize> = Vec::with_capacity(old.entries());
        offsets.push(0);
        for &u in &self.nodes {
            let start = origins.len();
            origins.extend(old.row_range(u as usize));
            origins[start..]
                .sort_unstable_by_key(|&entry| self.places[old.columns()[entry] as usize]);
            offsets.push(origins.len());
        }
        let columns = origins
            .iter()
            .map(|&entry| self.places[old.columns()[entry] as usize])
            .collect();
        let weights = old
            .weights()
            .map(|weights| origins.iter().map(|&entry| weights[entry]).collect());
        let adjacency = Csr::trusted(old.columns_count(), offsets, columns, weights)
            .assume_symmetric(old.is_symmetric());
        (adjacency, origins)
    }

    /// Reorders the rows of sparse features.
    fn rows(&self, old: &Csr) -> Csr {
        let mut offsets = Vec::with_capacity(old.offsets().len());
        let mut columns = Vec::with_capacity(old.entries());
        let mut weights = old.weights().map(|w| Vec::with_capacity(w.len()));
        offsets.push(0);
        for &u in &self.nodes {
            columns.extend_from_slice(old.row(u as usize));
            if let (Some(weights), Some(row)) = (&mut weights, old.row_weights(u as usize)) {
                weights.extend_from_slice(row);
            }
            offsets.push(columns.len());
        }
        Csr::trusted(old.columns_count(), offsets, columns, weights)
    }
}

fn rows_of(old: &Matrix, rows: &[usize]) -> Matrix {
    let mut values = Vec::with_capacity(rows.len() * old.columns());
    for &row in rows {
        values.extend_from_slice(old.row(row));
    }
    Matrix::trusted(rows.len(), old.columns(), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_permutations_are_orders() {
        assert!(NodeOrder::new(vec![1, 0]).is_some());
        assert!(NodeOrder::new(vec![]).is_some());
        assert!(NodeOrder::new(vec![0, 0]).is_none());
        assert!(NodeOrder::new(vec![0, 2]).is_none());
    }

    #[test]
    fn everything_moves_with_its_node() {
        let edges = [(0, 1, 1.0), (1, 2, 2.0), (2, 0, 3.0)];
        let graph = Graph::builder(Csr::from_weighted_edges(3, edges).unwrap())
            .features(Matrix::from_rows([[0.0], [10.0], [20.0]]).unwrap())
            .edge_features(Matrix::from_rows([[1.0], [2.0], [3.0]]).unwrap())
            .node_labels(vec![0, 1, 2])
            .node_ids(["a", "b", "c"].map(str::to_owned).to_vec())
            .build()
            .unwrap();
        let order = NodeOrder::new(vec![2, 0, 1]).unwrap();
        let moved = order.apply(&graph);
        let entries: Vec<_> = moved.adjacency().iter().collect();
        assert_eq!(entries, [(0, 1, 3.0), (1, 2, 1.0), (2, 0, 2.0)]);
        assert_eq!(moved.edge_features().unwrap().as_slice(), [3.0, 1.0, 2.0]);
        assert_eq!(moved.features().to_dense().as_slice(), [20.0, 0.0, 10.0]);
        assert_eq!(moved.node_labels().unwrap(), [2, 0, 1]);
        assert_eq!(moved.node_ids().unwrap(), ["c", "a", "b"]);
        let back = order.restore(moved.node_labels().unwrap(), 1);
        assert_eq!(back, [0, 1, 2]);
        let sparse = Csr::from_positions(3, 2, [(0, 1), (2, 0)]).unwrap();
        let graph = graph.into_builder().features(sparse).build().unwrap();
        assert_eq!(
            order.apply(&graph).features().to_dense().as_slice(),
            [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
        );
    }
}
