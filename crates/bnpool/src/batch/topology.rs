//! The structure a pooler works on.

use crate::ops::Segments;
use bnpool_graph::{Batch, Csr, Graph, GraphError, transform};
use std::sync::{Arc, OnceLock};

/// One graph, or many side by side, as poolers see them.
#[derive(Debug, Clone)]
pub struct Topology {
    /// Which rows belong to which graph.
    pub segments: Segments,
    /// A for CON: with its weights, and transformed where message passing is.
    pub adjacency: Arc<Csr>,
    /// Targets of the reconstruction loss: the graph as it was observed.
    pub targets: Arc<Csr>,
    /// Â of graph convolutions, computed when it is first asked for.
    normalised: Arc<OnceLock<Arc<Csr>>>,
}

impl Topology {
    /// The structure of one graph: its adjacency with weights for CON, without
    /// weights as the target of the reconstruction.
    #[must_use]
    pub fn of_graph(graph: &Graph) -> Self {
        Self::new(Segments::single(graph.nodes()), graph.shared_adjacency())
    }

    /// The structure of a batch.
    #[must_use]
    pub fn of_batch(batch: &Batch) -> Self {
        Self::new(Segments::of(batch), batch.shared_adjacency())
    }

    /// Graphs with this adjacency, block by block; without its weights it is
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

    /// Â = D^−½ (A + I) D^−½ of the adjacency, as graph convolutions need it. It
    /// is computed once and kept.
    ///
    /// # Errors
    ///
    /// When the weights overflow.
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
        Self {
            adjacency,
            normalised: Arc::default(),
            ..self
        }
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

    /// The graphs of the kept nodes: node `kept[i]` becomes node i, and graph b
    /// owns the rows `offsets[b]..offsets[b + 1]`. Also which entries of the
    /// adjacency remain, for what belongs to edges.
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

    /// Directed entries of the targets of every graph.
    pub(crate) fn edges(&self) -> impl Iterator<Item = usize> + '_ {
        let offsets = self.targets.offsets();
        self.segments
            .ranges()
            .map(|r| offsets[r.end] - offsets[r.start])
    }
}

/// The rows and columns of `kept`, in that order, and which entries remain.
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
