//! Parts of an in-memory graph.

use std::sync::Arc;

use super::{Cuts, Part, PartError, PartSource};
use crate::graph::Graph;

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
