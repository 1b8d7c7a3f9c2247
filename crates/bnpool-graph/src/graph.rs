//! A graph with its attributes.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use crate::csr::Csr;
use crate::error::GraphError;
use crate::features::Features;
use crate::matrix::Matrix;
use crate::target::Target;

/// Label of a node of unknown class, in [`Graph::node_labels`].
pub const UNLABELLED: u32 = u32::MAX;

/// A graph: its adjacency and the attributes of its nodes, its edges and the
/// whole graph.
///
/// A graph may have no nodes. Its parts are always consistent; to change one, use
/// [`into_builder`](Self::into_builder). Parts are shared: cloning does not copy
/// them.
///
/// ```
/// use bnpool_graph::{Csr, Graph, Matrix, Target};
///
/// let edge = Csr::from_edges(2, [(0, 1), (1, 0)])?;
/// let graph = Graph::builder(edge)
///     .features(Matrix::from_rows([[1.0], [2.0]])?)
///     .target(Target::Class(1))
///     .build()?;
/// assert_eq!((graph.nodes(), graph.edges()), (2, 2));
/// # Ok::<(), bnpool_graph::GraphError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Graph {
    adjacency: Arc<Csr>,
    features: Arc<Features>,
    edge_features: Option<Arc<Matrix>>,
    target: Option<Target>,
    node_labels: Option<Arc<Vec<u32>>>,
    node_ids: Option<Arc<Vec<String>>>,
}

impl Graph {
    /// Starts building a graph with this adjacency, in which the entry at row
    /// `u` and column `v` is the edge from `u` to `v`.
    pub fn builder(adjacency: impl Into<Arc<Csr>>) -> GraphBuilder {
        GraphBuilder {
            graph: Self {
                adjacency: adjacency.into(),
                features: Arc::new(Features::absent(0)),
                edge_features: None,
                target: None,
                node_labels: None,
                node_ids: None,
            },
            has_features: false,
            distinct_ids: false,
        }
    }

    /// Turns the graph into a builder, to replace some of its parts.
    pub fn into_builder(self) -> GraphBuilder {
        GraphBuilder {
            graph: self,
            has_features: true,
            distinct_ids: true,
        }
    }

    /// Replaces the edges, without checks.
    pub(crate) fn rewired(&self, adjacency: Csr, edge_features: Option<Matrix>) -> Self {
        debug_assert_eq!(adjacency.rows(), self.nodes());
        Self {
            adjacency: Arc::new(adjacency),
            edge_features: edge_features.map(Arc::new),
            ..self.clone()
        }
    }

    /// Builds a graph from reordered parts, without checks.
    pub(crate) fn ordered(
        adjacency: Csr,
        features: Features,
        edge_features: Option<Matrix>,
        target: Option<Target>,
        node_labels: Option<Vec<u32>>,
        node_ids: Option<Vec<String>>,
    ) -> Self {
        debug_assert_eq!(features.rows(), adjacency.rows());
        Self {
            adjacency: Arc::new(adjacency),
            features: Arc::new(features),
            edge_features: edge_features.map(Arc::new),
            target,
            node_labels: node_labels.map(Arc::new),
            node_ids: node_ids.map(Arc::new),
        }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.adjacency.rows()
    }

    /// Number of edges, counted as directed entries of the adjacency: an
    /// undirected edge counts twice.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.adjacency.entries()
    }

    /// The adjacency matrix (A).
    #[must_use]
    pub fn adjacency(&self) -> &Csr {
        &self.adjacency
    }

    /// Shared handle to the adjacency matrix.
    #[must_use]
    pub fn shared_adjacency(&self) -> Arc<Csr> {
        Arc::clone(&self.adjacency)
    }

    /// The node features (X), of width 0 if there are none.
    #[must_use]
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The edge features: one row per entry of the adjacency, in its order.
    #[must_use]
    pub fn edge_features(&self) -> Option<&Matrix> {
        self.edge_features.as_deref()
    }

    /// The prediction target of the graph.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.target.as_ref()
    }

    /// Ground-truth class of each node, for evaluating communities;
    /// [`UNLABELLED`] for nodes of unknown class.
    #[must_use]
    pub fn node_labels(&self) -> Option<&[u32]> {
        self.node_labels.as_deref().map(Vec::as_slice)
    }

    /// Name of each node in the original data.
    #[must_use]
    pub fn node_ids(&self) -> Option<&[String]> {
        self.node_ids.as_deref().map(Vec::as_slice)
    }
}

/// The parts of a [`Graph`], before they are checked for consistency.
#[derive(Debug, Clone)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct GraphBuilder {
    graph: Graph,
    has_features: bool,
    /// Whether the node ids are known to be distinct.
    distinct_ids: bool,
}

impl GraphBuilder {
    /// Replaces the adjacency.
    pub fn adjacency(mut self, adjacency: impl Into<Arc<Csr>>) -> Self {
        self.graph.adjacency = adjacency.into();
        self
    }

    /// Sets the node features: one row per node, dense or sparse.
    pub fn features(mut self, features: impl Into<Features>) -> Self {
        self.graph.features = Arc::new(features.into());
        self.has_features = true;
        self
    }

    /// Sets the edge features: one row per entry of the adjacency, in its
    /// order. Accepts `None` to drop them.
    pub fn edge_features(mut self, edge_features: impl Into<Option<Matrix>>) -> Self {
        self.graph.edge_features = edge_features.into().map(Arc::new);
        self
    }

    /// Sets the target of the graph. Accepts `None` to drop it.
    pub fn target(mut self, target: impl Into<Option<Target>>) -> Self {
        self.graph.target = target.into();
        self
    }

    /// Sets the ground-truth class of each node, [`UNLABELLED`] if unknown.
    /// Accepts `None` to drop them.
    pub fn node_labels(mut self, node_labels: impl Into<Option<Vec<u32>>>) -> Self {
        self.graph.node_labels = node_labels.into().map(Arc::new);
        self
    }

    /// Sets the name of each node. Accepts `None` to drop them.
    pub fn node_ids(mut self, node_ids: impl Into<Option<Vec<String>>>) -> Self {
        self.graph.node_ids = node_ids.into().map(Arc::new);
        self.distinct_ids = false;
        self
    }

    /// Sets names that are known to be distinct, so that [`build`](Self::build)
    /// does not compare them.
    pub fn distinct_node_ids(mut self, node_ids: Option<Vec<String>>) -> Self {
        self.graph.node_ids = node_ids.map(Arc::new);
        self.distinct_ids = true;
        self
    }

    /// Checks that all parts are consistent and builds the graph.
    ///
    /// # Errors
    ///
    /// Returns an error if the adjacency is not square, the length of a part
    /// does not match the number of nodes or edges, two nodes share a name, or
    /// the target is empty or infinite.
    pub fn build(self) -> Result<Graph, GraphError> {
        let mut graph = self.graph;
        GraphError::check_square(&graph.adjacency)?;
        let (nodes, edges) = (graph.nodes(), graph.edges());
        if !self.has_features {
            graph.features = Arc::new(Features::absent(nodes));
        }
        GraphError::check_count("feature rows", graph.features.rows(), nodes, "nodes")?;
        if let Some(rows) = &graph.edge_features {
            GraphError::check_count("edge feature rows", rows.rows(), edges, "directed edges")?;
        }
        if let Some(target) = &graph.target {
            target.check()?;
        }
        if let Some(labels) = &graph.node_labels {
            GraphError::check_count("node labels", labels.len(), nodes, "nodes")?;
        }
        if let Some(ids) = &graph.node_ids {
            GraphError::check_count("node ids", ids.len(), nodes, "nodes")?;
            if !self.distinct_ids {
                check_unique(ids)?;
            }
            debug_assert_eq!(check_unique(ids), Ok(()));
        }
        Ok(graph)
    }
}

fn check_unique(ids: &[String]) -> Result<(), GraphError> {
    let mut seen = HashMap::with_capacity_and_hasher(ids.len(), RandomState::default());
    for (second, id) in ids.iter().enumerate() {
        if let Some(first) = seen.insert(id.as_str(), second) {
            return Err(GraphError::DuplicateNodeId {
                id: id.clone(),
                first,
                second,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge() -> GraphBuilder {
        Graph::builder(Csr::from_edges(2, [(0, 1), (1, 0)]).unwrap())
    }

    fn ids(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn keeps_what_it_is_given() {
        let graph = edge()
            .features(Matrix::zeros(2, 3))
            .edge_features(Matrix::zeros(2, 1))
            .target(Target::Values(vec![f32::NAN]))
            .node_labels(vec![0, 1])
            .node_ids(ids(&["a", "b"]))
            .build()
            .unwrap();
        assert_eq!((graph.nodes(), graph.edges()), (2, 2));
        assert_eq!(graph.features().width(), 3);
        assert_eq!(graph.edge_features(), Some(&Matrix::zeros(2, 1)));
        assert!(matches!(graph.target(), Some(Target::Values(_))));
        assert_eq!(graph.node_labels(), Some(&[0, 1][..]));
        assert_eq!(graph.node_ids().unwrap()[1], "b");
        let bare = graph.into_builder().target(None).build().unwrap();
        assert_eq!(bare.target(), None);
        assert_eq!(bare.features().width(), 3);
    }

    #[test]
    fn a_graph_may_be_empty_or_bare() {
        let empty = Graph::builder(Csr::from_edges(0, []).unwrap())
            .build()
            .unwrap();
        assert_eq!((empty.nodes(), empty.edges()), (0, 0));
        assert_eq!(edge().build().unwrap().features(), &Features::absent(2));
    }

    #[test]
    fn parts_must_fit() {
        let refused = [
            edge().features(Matrix::zeros(3, 1)),
            edge().edge_features(Matrix::zeros(1, 1)),
            edge().target(Target::Values(vec![])),
            edge().node_labels(vec![0]),
            edge().node_ids(ids(&["a"])),
            edge().adjacency(Csr::from_positions(2, 3, []).unwrap()),
        ];
        for builder in refused {
            assert!(builder.build().is_err());
        }
        let error = edge()
            .edge_features(Matrix::zeros(5, 1))
            .build()
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "5 edge feature rows for 2 directed edges: there must be one for each"
        );
        let error = edge().node_ids(ids(&["a", "a"])).build().unwrap_err();
        assert_eq!(
            error.to_string(),
            "nodes 0 and 1 are both called `a`: node ids must be unique"
        );
    }
}
