//! Assignment of the rows of a flat tensor to graphs.

use bnpool_graph::Batch;
use std::ops::Range;
use std::sync::Arc;

/// The rows of a batch of graphs: graph b owns the rows
/// `offsets[b]..offsets[b + 1]`. Each graph has a key, which makes its random
/// draws independent of the batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segments {
    offsets: Arc<[usize]>,
    keys: Arc<[u32]>,
}

impl Segments {
    /// One graph of `nodes` nodes, with key 0.
    #[must_use]
    pub fn single(nodes: usize) -> Self {
        Self {
            offsets: Arc::new([0, nodes]),
            keys: Arc::new([0]),
        }
    }

    /// The graphs of a batch, with keys 0, 1, 2, …
    #[must_use]
    pub fn of(batch: &Batch) -> Self {
        Self {
            offsets: batch.offsets().into(),
            keys: (0..batch.graphs() as u32).collect(),
        }
    }

    /// Graphs of `rows` nodes each, with keys 0, 1, 2, …
    #[must_use]
    pub fn uniform(graphs: usize, rows: usize) -> Self {
        Self::from_offsets((0..=graphs).map(|b| b * rows).collect())
    }

    /// Graph b owns the rows `offsets[b]..offsets[b + 1]`, with keys 0, 1, 2, …
    ///
    /// # Panics
    ///
    /// Panics if the offsets do not begin at 0, or decrease.
    #[must_use]
    pub fn from_offsets(offsets: Vec<usize>) -> Self {
        assert!(
            offsets.first() == Some(&0) && offsets.is_sorted(),
            "offsets begin at 0 and never fall"
        );
        Self {
            keys: (0..offsets.len() as u32 - 1).collect(),
            offsets: offsets.into(),
        }
    }

    /// Replaces the keys, such as by the indices of the graphs in their data
    /// set.
    ///
    /// # Panics
    ///
    /// Panics if the number of keys is not the number of graphs.
    #[must_use]
    pub fn with_keys(self, keys: impl Into<Arc<[u32]>>) -> Self {
        let keys = keys.into();
        assert_eq!(keys.len(), self.graphs(), "one key for every graph");
        Self { keys, ..self }
    }

    /// Number of graphs.
    #[must_use]
    pub fn graphs(&self) -> usize {
        self.keys.len()
    }

    /// Total number of rows.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.offsets[self.graphs()]
    }

    /// First row of each graph, followed by the number of rows.
    #[must_use]
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Keys of the graphs.
    #[must_use]
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// Rows of each graph.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        self.offsets.windows(2).map(|w| w[0]..w[1])
    }

    /// Panics if the number of rows of a tensor is not the number of nodes.
    #[track_caller]
    pub(crate) fn check(&self, rows: usize) {
        assert_eq!(rows, self.nodes(), "a row for every node of the batch");
    }
}
