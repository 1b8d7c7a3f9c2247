//! Batches of graphs.

mod stack;

use std::sync::Arc;

use crate::csr::Csr;
use crate::error::GraphError;
use crate::features::Features;
use crate::graph::Graph;
use crate::matrix::Matrix;
use crate::target::Targets;

/// A ragged batch of graphs, without padding: graph `b` owns the nodes
/// `offsets[b]..offsets[b + 1]` of one block-diagonal adjacency and of the
/// stacked features. A graph without nodes owns an empty range.
///
/// ```
/// use bnpool_graph::{Batch, Csr, Graph};
///
/// let edge = Graph::builder(Csr::from_edges(2, [(0, 1), (1, 0)])?).build()?;
/// let batch = Batch::new(&[&edge, &edge])?;
/// assert_eq!(batch.offsets(), [0, 2, 4]);
/// assert_eq!(batch.adjacency().row(3), [2]);
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    offsets: Vec<usize>,
    adjacency: Arc<Csr>,
    features: Features,
    edge_features: Option<Matrix>,
    targets: Option<Targets>,
}

impl Batch {
    /// Builds a batch of graphs, in the given order.
    ///
    /// Features stay sparse if those of all graphs are, and become dense
    /// otherwise. The adjacency is weighted if that of any graph is; edges of the
    /// other graphs then have weight 1. Edge features and targets are kept if all
    /// graphs have them (a graph without edges then needs edge features with 0
    /// rows and the common width). Node labels and ids are not part of the batch.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no graphs, more than `u32::MAX` graphs or
    /// nodes, or features or targets of different widths or kinds, or if only
    /// some graphs have edge features or a target.
    ///
    /// # Complexity
    ///
    /// Time and memory linear in the total number of nodes, edges and features;
    /// every array is allocated once.
    pub fn new(graphs: &[&Graph]) -> Result<Self, GraphError> {
        if graphs.is_empty() {
            return Err(GraphError::EmptyBatch);
        }
        let offsets = stack::node_offsets(graphs)?;
        let targets: Vec<_> = graphs.iter().map(|graph| graph.target()).collect();
        let targets = Targets::collect(&targets)?;
        let features = stack::features(graphs)?;
        let edge_features = stack::edge_features(graphs)?;
        let adjacencies: Vec<_> = graphs.iter().map(|graph| graph.adjacency()).collect();
        Ok(Self {
            adjacency: Arc::new(stack::block_diagonal(&adjacencies)),
            offsets,
            features,
            edge_features,
            targets,
        })
    }

    /// Number of graphs.
    #[must_use]
    pub fn graphs(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Total number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.adjacency.rows()
    }

    /// Total number of directed edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.adjacency.entries()
    }

    /// First node of each graph, and the end of the last: `graphs + 1` values.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The block-diagonal adjacency of all graphs.
    #[must_use]
    pub fn adjacency(&self) -> &Csr {
        &self.adjacency
    }

    /// Shared handle to [`adjacency`](Self::adjacency).
    #[must_use]
    pub fn shared_adjacency(&self) -> Arc<Csr> {
        Arc::clone(&self.adjacency)
    }

    /// The node features of all graphs.
    #[must_use]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The edge features of all graphs: one row per entry of the adjacency.
    #[must_use]
    pub fn edge_features(&self) -> Option<&Matrix> {
        self.edge_features.as_ref()
    }

    /// The targets of all graphs.
    #[must_use]
    pub fn targets(&self) -> Option<&Targets> {
        self.targets.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::GraphBuilder;
    use crate::target::Target;

    fn edge() -> GraphBuilder {
        Graph::builder(Csr::from_edges(2, [(0, 1), (1, 0)]).unwrap())
    }

    fn arrow() -> GraphBuilder {
        Graph::builder(Csr::from_weighted_edges(2, [(1, 0, 0.5)]).unwrap())
    }

    fn empty() -> GraphBuilder {
        Graph::builder(Csr::from_edges(0, []).unwrap())
    }

    fn batch(builders: [GraphBuilder; 2]) -> Result<Batch, GraphError> {
        let [first, second] = builders.map(|builder| builder.build().unwrap());
        Batch::new(&[&first, &second])
    }

    #[test]
    fn shifts_every_graph() {
        let batch = batch([edge(), arrow()]).unwrap();
        assert_eq!((batch.graphs(), batch.nodes(), batch.edges()), (2, 4, 3));
        assert_eq!(batch.adjacency().offsets(), [0, 1, 2, 2, 3]);
        assert_eq!(batch.adjacency().columns(), [1, 0, 2]);
        assert_eq!(batch.adjacency().weights(), Some(&[1.0, 1.0, 0.5][..]));
        assert!(!batch.adjacency().is_symmetric());
    }

    #[test]
    fn symmetry_and_missing_weights_survive() {
        let batch = batch([edge(), edge()]).unwrap();
        assert!(batch.adjacency().is_symmetric());
        assert_eq!(batch.adjacency().weights(), None);
    }

    #[test]
    fn graphs_without_nodes_own_nothing() {
        let (edge, empty) = (edge().build().unwrap(), empty().build().unwrap());
        let batch = Batch::new(&[&empty, &edge, &empty]).unwrap();
        assert_eq!(batch.offsets(), [0, 0, 2, 2]);
        assert_eq!(Batch::new(&[&empty]).unwrap().nodes(), 0);
    }

    #[test]
    fn sparse_features_stay_sparse_unless_mixed() {
        let sparse = || edge().features(Csr::from_positions(2, 3, [(0, 2), (1, 0)]).unwrap());
        let dense = || edge().features(Matrix::zeros(2, 3));
        let both = batch([sparse(), sparse()]).unwrap();
        let Features::Sparse(matrix) = both.features() else {
            panic!("sparse features became dense");
        };
        assert_eq!(matrix.columns(), [2, 0, 2, 0]);
        assert_eq!((matrix.rows(), matrix.columns_count()), (4, 3));
        let mixed = batch([dense(), sparse()]).unwrap();
        let Features::Dense(matrix) = mixed.features() else {
            panic!("mixed features must be dense");
        };
        assert_eq!(matrix.row(2), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn edge_features_and_targets_are_collected() {
        let edge = edge()
            .edge_features(Matrix::from_rows([[1.0], [2.0]]).unwrap())
            .target(Target::Class(4));
        let arrow = arrow()
            .edge_features(Matrix::from_rows([[3.0]]).unwrap())
            .target(Target::Class(2));
        let batch = batch([edge, arrow]).unwrap();
        assert_eq!(batch.edge_features().unwrap().as_slice(), [1.0, 2.0, 3.0]);
        assert_eq!(batch.targets(), Some(&Targets::Classes(vec![4, 2])));
    }

    #[test]
    fn names_graphs_that_do_not_fit() {
        assert_eq!(Batch::new(&[]), Err(GraphError::EmptyBatch));
        let narrow = || edge().features(Matrix::zeros(2, 3));
        let error = batch([narrow(), edge()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "graph 0 has 3 node features, but graph 1 has 0: all graphs of a batch need the same number"
        );
        let with = |width| edge().edge_features(Matrix::zeros(2, width));
        assert!(matches!(
            batch([with(1), edge()]),
            Err(GraphError::PartlyMissing {
                with: 0,
                without: 1,
                ..
            })
        ));
        assert!(matches!(
            batch([edge(), with(1)]),
            Err(GraphError::PartlyMissing {
                with: 1,
                without: 0,
                ..
            })
        ));
        assert!(matches!(
            batch([with(1), with(2)]),
            Err(GraphError::WidthMismatch {
                first_width: 1,
                width: 2,
                ..
            })
        ));
    }
}
