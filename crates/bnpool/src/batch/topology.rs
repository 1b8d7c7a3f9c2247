//! The graph structure that poolers work on.

use crate::ops::Segments;
use bnpool_graph::{Batch, Csr, Graph, GraphError, transform};
use std::sync::{Arc, OnceLock};

/// The structure of one or many graphs, as input of poolers.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Rows of each graph.
    pub segments: Segments,
    /// A for CON: weighted, and with the transform of message passing applied,
    /// if any.
    pub adjacency: Arc<Csr>,
    /// Targets of the reconstruction loss: the observed graph.
    pub targets: Arc<Csr>,
    /// Â of graph convolutions, computed on first use.
    normalised: Arc<OnceLock<Arc<Csr>>>,
}

impl Topology {
    /// The structure of one graph: its weighted adjacency for CON, and its
    /// binary adjacency as the target of the reconstruction.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Self {
        Self::new(Segments::single(graph.nodes()), graph.shared_adjacency())
    }

    /// The structure of a batch.
    #[must_use]
    pub fn of_batch(batch: &Batch) -> Self {
        Self::new(Segments::of(batch), batch.shared_adjacency())
    }

    /// Builds a structure from a block-diagonal adjacency; its binary form is
    /// the target of the reconstruction.
    #[must_use]
    pub fn new(segments: Segments, adjacency: Arc<Csr>) -> Self {
        let targets = match adjacency.weights() {
            None => adjacency.clone(),
            Some(_) => Arc::new(adjacency.without_weights()),
        };
        Self {
            segments,
            adjacency,
            targets,
            normalised: Arc::default(),
        }
    }

    /// Â = D^−½ (A + I) D^−½ for graph convolutions; computed once and cached.
    ///
    /// # Errors
    ///
    /// Returns an error if the weights overflow.
    ///
    /// # Complexity
    ///
    /// O(edges) at the first call.
    pub fn normalised(&self) -> Result<&Arc<Csr>, GraphError> {
        match self.normalised.get() {
            Some(known) => Ok(known),
            None => {
                let found = Arc::new(transform::normalise_gcn(&self.adjacency)?);
                Ok(self.normalised.get_or_init(|| found))
            }
        }
    }

    /// Replaces the matrix for CON, such as by I − δL.
    ///
    /// # Panics
    ///
    /// Panics if the matrix has a different size.
    #[must_use]
    pub fn with_adjacency(self, adjacency: Arc<Csr>) -> Self {
        assert_eq!(
            adjacency.rows(),
            self.targets.rows(),
            "a row for every node"
        );
        Self {
            adjacency,
            normalised: Arc::default(),
            ..self
        }
    }

    /// Replaces the targets, such as by a weighted matrix.
    ///
    /// # Panics
    ///
    /// Panics if the matrix has a different size.
    #[must_use]
    pub fn with_targets(self, targets: Arc<Csr>) -> Self {
        assert_eq!(
            targets.rows(),
            self.adjacency.rows(),
            "a row for every node"
        );
        Self { targets, ..self }
    }

    /// Restricts the graphs to the kept nodes: node `kept[i]` becomes node i,
    /// and graph b owns the rows `offsets[b]..offsets[b + 1]`. Also returns the
    /// remaining entries of the adjacency, to select edge features.
    pub(crate) fn induced(&self, kept: &[usize], offsets: Vec<usize>) -> (Self, Vec<usize>) {
        let (adjacency, entries) = induced(&self.adjacency, kept);
        let targets = if Arc::ptr_eq(&self.adjacency, &self.targets) {
            adjacency.clone()
        } else {
            induced(&self.targets, kept).0
        };
        let segments = Segments::from_offsets(offsets).with_keys(self.segments.keys());
        let topology = Self {
            segments,
            adjacency,
            targets,
            normalised: Arc::default(),
        };
        (topology, entries)
    }

    /// Number of directed entries of the targets of each graph.
    pub(crate) fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        let offsets = self.targets.offsets();
        self.segments
            .ranges()
            .map(|r| offsets[r.end] - offsets[r.start])
    }
}

/// Selects the rows and columns of `kept`, in that order; also returns the
/// remaining entries.
fn induced(matrix: &Csr, kept: &[usize]) -> (Arc<Csr>, Vec<usize>) {
    let mut place = vec![u32::MAX; matrix.rows()];
    for (i, &u) in kept.iter().enumerate() {
        place[u] = i as u32;
    }
    let mut offsets = vec![0];
    let mut entries: Vec<usize> = Vec::new();
    for &u in kept {
        let start = entries.len();
        let known = |&k: &usize| place[matrix.columns()[k] as usize] != u32::MAX;
        entries.extend(matrix.row_range(u).filter(known));
        entries[start..].sort_unstable_by_key(|&k| place[matrix.columns()[k] as usize]);
        offsets.push(entries.len());
    }
    let columns = entries
        .iter()
        .map(|&k| place[matrix.columns()[k] as usize])
        .collect();
    let weights = matrix
        .weights()
        .map(|w| entries.iter().map(|&k| w[k]).collect());
    let matrix = Csr::new(kept.len(), kept.len(), offsets, columns, weights)
        .expect("rows were sorted by their new columns");
    (Arc::new(matrix), entries)
}
