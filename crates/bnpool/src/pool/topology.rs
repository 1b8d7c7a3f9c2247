//! The structure a pooler works on.

use crate::ops::Segments;
use bnpool_graph::{Batch, Csr, Graph};
use std::sync::Arc;

/// One graph, or many side by side, as poolers see them.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Which rows belong to which graph.
    pub segments: Segments,
    /// A for CON: with its weights, and transformed where message passing is.
    pub adjacency: Arc<Csr>,
    /// Targets of the reconstruction loss: the graph as it was observed.
    pub targets: Arc<Csr>,
}

impl Topology {
    /// The structure of one graph: its adjacency with weights for CON, without
    /// weights as the target of the reconstruction.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Self {
        Self::new(Segments::single(graph.nodes()), graph.adjacency())
    }

    /// The structure of a batch.
    #[must_use]
    pub fn of_batch(batch: &Batch) -> Self {
        Self::new(Segments::of(batch), batch.adjacency())
    }

    fn new(segments: Segments, adjacency: &Csr) -> Self {
        let weighted = Arc::new(adjacency.clone());
        let targets = match adjacency.weights() {
            None => weighted.clone(),
            Some(_) => Arc::new(adjacency.without_weights()),
        };
        Self {
            segments,
            adjacency: weighted,
            targets,
        }
    }

    /// The same graphs with another matrix for CON, such as I − δL.
    ///
    /// # Panics
    ///
    /// When the matrix is not of the same size.
    #[must_use]
    pub fn with_adjacency(self, adjacency: Arc<Csr>) -> Self {
        assert_eq!(
            adjacency.rows(),
            self.targets.rows(),
            "a row for every node"
        );
        Self { adjacency, ..self }
    }

    /// The same graphs with other targets, such as a weighted matrix.
    ///
    /// # Panics
    ///
    /// When the matrix is not of the same size.
    #[must_use]
    pub fn with_targets(self, targets: Arc<Csr>) -> Self {
        assert_eq!(
            targets.rows(),
            self.adjacency.rows(),
            "a row for every node"
        );
        Self { targets, ..self }
    }

    /// Directed entries of the targets of every graph.
    pub(crate) fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        let offsets = self.targets.offsets();
        self.segments
            .ranges()
            .map(|r| offsets[r.end] - offsets[r.start])
    }
}
