//! The rows of one part.

use std::ops::Range;
use std::sync::Arc;

use bnpool_math::stream::scatter;

use super::{Cuts, PartError, PartSource};
use crate::csr::Csr;
use crate::graph::Graph;

/// The rows of a contiguous range of nodes. Rows are numbered from 0 within the
/// part; columns are nodes of the whole graph.
#[derive(Debug, Clone)]
pub struct Part {
    range: Range<usize>,
    rows: Arc<Csr>,
    /// Row of the first node: 0 unless the rows are those of the whole graph.
    first: usize,
}

impl Part {
    /// Refers to rows of an in-memory graph.
    pub(super) fn shared(adjacency: Arc<Csr>, range: Range<usize>) -> Self {
        Self {
            first: range.start,
            range,
            rows: adjacency,
        }
    }

    /// Wraps the rows of a range of nodes; columns are nodes of the whole graph.
    #[must_use]
    pub fn own(rows: Csr, range: Range<usize>) -> Self {
        debug_assert_eq!(rows.rows(), range.len());
        Self {
            range,
            rows: Arc::new(rows),
            first: 0,
        }
    }

    /// Nodes of the part.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.range.len()
    }

    /// Returns whether the part has no nodes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.range.is_empty()
    }

    /// Number of entries.
    #[must_use]
    pub fn entries(&self) -> usize {
        self.rows.offsets()[self.first + self.len()] - self.rows.offsets()[self.first]
    }

    /// Columns of row `i` of the part, which belongs to node `range().start + i`,
    /// in ascending order.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn row(&self, i: usize) -> &[u32] {
        debug_assert!(i < self.len(), "a row of the part");
        self.rows.row(self.first + i)
    }

    /// Weights parallel to [`row`](Self::row); `None` means all ones.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn row_weights(&self, i: usize) -> Option<&[f32]> {
        debug_assert!(i < self.len(), "a row of the part");
        self.rows.row_weights(self.first + i)
    }

    /// Number of entries of row `i`.
    ///
    /// # Panics
    ///
    /// Panics if there is no such row.
    #[inline]
    #[must_use]
    pub fn degree(&self, i: usize) -> usize {
        self.rows.degree(self.first + i)
    }

    /// Hash of the asymmetry of these rows. Its (wrapping) sum over all parts is 0
    /// for a symmetric matrix, and for others only with probability 2⁻⁶⁴: entries
    /// above the diagonal contribute their hash, those below it the negative hash
    /// of their mirror image. Parts can thus be processed one at a time.
    ///
    /// # Complexity
    ///
    /// Linear in the entries.
    ///
    /// ```
    /// use bnpool_graph::divide::{Held, PartSource};
    /// use bnpool_graph::{Csr, Graph};
    ///
    /// let sum = |edges: &[(u32, u32)]| {
    ///     let adjacency = Csr::from_edges(4, edges.iter().copied())?;
    ///     let source = Held::new(Graph::builder(adjacency).build()?, 1);
    ///     let parts = 0..source.cuts().parts();
    ///     let each = parts.map(|p| source.part(p).map(|part| part.asymmetry()));
    ///     each.sum::<Result<std::num::Wrapping<u64>, _>>().map_err(Box::<dyn std::error::Error>::from)
    /// };
    /// assert_eq!(sum(&[(0, 3), (3, 0), (1, 1)])?.0, 0);
    /// assert_ne!(sum(&[(0, 3), (2, 0)])?.0, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn asymmetry(&self) -> std::num::Wrapping<u64> {
        let mut sum = std::num::Wrapping(0);
        for (i, u) in self.range.clone().enumerate() {
            let weights = self.row_weights(i);
            for (k, &v) in self.row(i).iter().enumerate() {
                // A zero may have either sign.
                let bits = weights.map_or(0, |w| (w[k] + 0.0).to_bits());
                match u.cmp(&(v as usize)) {
                    std::cmp::Ordering::Less => sum += hash(u as u64, u64::from(v), bits),
                    std::cmp::Ordering::Greater => sum -= hash(u64::from(v), u as u64, bits),
                    std::cmp::Ordering::Equal => {}
                }
            }
        }
        sum
    }
}

/// Hash of the position and weight of an entry.
fn hash(row: u64, column: u64, weight: u32) -> u64 {
    scatter(scatter(row << 32 | column) ^ u64::from(weight))
}

/// An in-memory graph as a source of parts. Parts share its arrays.
#[derive(Debug, Clone)]
pub struct Held {
    graph: Graph,
    cuts: Cuts,
}

impl Held {
    /// Divides a graph into parts of about `work` nodes and entries (usually
    /// [`PART_WORK`](super::PART_WORK)).
    ///
    /// # Complexity
    ///
    /// O(N) time; the graph is not copied.
    #[must_use]
    pub fn new(graph: Graph, work: usize) -> Self {
        let adjacency = graph.adjacency();
        let lengths: Vec<u32> = (0..graph.nodes())
            .map(|u| adjacency.degree(u) as u32)
            .collect();
        Self {
            cuts: Cuts::new(&lengths, work),
            graph,
        }
    }

    /// The whole graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }
}

impl PartSource for Held {
    fn entries(&self) -> usize {
        self.graph.edges()
    }

    fn is_weighted(&self) -> bool {
        self.graph.adjacency().weights().is_some()
    }

    fn cuts(&self) -> &Cuts {
        &self.cuts
    }

    fn part(&self, part: usize) -> Result<Arc<Part>, PartError> {
        let rows = self.graph.shared_adjacency();
        Ok(Arc::new(Part::shared(rows, self.cuts.range(part))))
    }

    fn node_labels(&self, part: usize) -> Result<Option<Vec<u32>>, PartError> {
        let range = self.cuts.range(part);
        Ok(self.graph.node_labels().map(|all| all[range].to_vec()))
    }

    fn node_ids(&self, part: usize) -> Result<Option<Vec<String>>, PartError> {
        let range = self.cuts.range(part);
        Ok(self.graph.node_ids().map(|all| all[range].to_vec()))
    }
}
