//! Graphs in which very few nodes have edges.

use super::{Candidate, Evidence};
use crate::{Links, Partition};

/// Nodes without edges are left out if fewer than one in this many nodes has
/// edges. Every start and every model iterates over all nodes many times, and a
/// file can declare millions of nodes in one line.
const FEW: usize = 16;

/// The nodes with edges, if these are few.
pub(super) struct Core {
    /// The graph of these nodes.
    pub(super) links: Links,
    /// Node numbers in the whole graph.
    nodes: Vec<u32>,
    /// Number of nodes of the whole graph.
    all: usize,
}

impl Core {
    /// Returns the core of a graph, or `None` if most nodes have edges.
    pub(super) fn new(links: &Links) -> Option<Self> {
        let all = links.nodes();
        let nodes = (0..all).filter(|&u| links.degree(u) > 0);
        let nodes: Vec<u32> = nodes.map(|u| u as u32).collect();
        (nodes.len() < all / FEW).then(|| Self {
            links: links.only(&nodes),
            nodes,
            all,
        })
    }

    /// Restricts a partition of all nodes to the core.
    pub(super) fn restrict(&self, partition: &Partition) -> Partition {
        let labels = partition.labels();
        let own: Vec<u32> = self.nodes.iter().map(|&u| labels[u as usize]).collect();
        Partition::new(&own)
    }

    /// Extends the result to all nodes: those without edges are put into the
    /// largest group.
    pub(super) fn extend(&self, found: Evidence) -> Evidence {
        Evidence {
            partition: self.all_nodes(&found.partition),
            best: self.candidate(&found.best),
            candidates: found.candidates.iter().map(|c| self.candidate(c)).collect(),
            isolated: self.all - self.nodes.len(),
            ..found
        }
    }

    fn candidate(&self, found: &Candidate) -> Candidate {
        let largest = found.partition.labels().iter().position(|&g| g == 0);
        let finest = found.path.labels();
        let other = largest.map_or(0, |u| finest[u]);
        Candidate {
            partition: self.all_nodes(&found.partition),
            path: found.path.with_labels(self.labels(finest, other)),
            ..found.clone()
        }
    }

    fn all_nodes(&self, partition: &Partition) -> Partition {
        // Group 0 is the largest.
        Partition::new(&self.labels(partition.labels(), 0))
    }

    /// Labels of all nodes; `other` is that of those without edges.
    fn labels(&self, own: &[u32], other: u32) -> Vec<u32> {
        let mut labels = vec![other; self.all];
        for (&u, &label) in self.nodes.iter().zip(own) {
            labels[u as usize] = label;
        }
        labels
    }
}
