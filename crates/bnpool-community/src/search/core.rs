//! Graphs of which hardly a node has edges.

use super::{Candidate, Evidence};
use crate::{Links, Partition};

/// Nodes without edges are left out if they are more than all but one of so many.
/// Every start and every model walks over all nodes many times, and a file can
/// announce millions of them in a line.
const FEW: usize = 16;

/// The nodes with edges, where they are few.
pub(super) struct Core {
    /// The graph of these nodes alone.
    pub(super) links: Links,
    /// Their numbers in the whole graph.
    nodes: Vec<u32>,
    /// Nodes of the whole graph.
    all: usize,
}

impl Core {
    /// The core of a graph, if it is worth the trouble.
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

    /// A division of all nodes, restricted to these.
    pub(super) fn restrict(&self, division: &Partition) -> Partition {
        let labels = division.labels();
        let own: Vec<u32> = self.nodes.iter().map(|&u| labels[u as usize]).collect();
        Partition::new(&own)
    }

    /// What was found, for all nodes: those without edges are in the largest group.
    pub(super) fn extend(&self, found: Evidence) -> Evidence {
        Evidence {
            division: self.all_nodes(&found.division),
            best: self.candidate(&found.best),
            candidates: found.candidates.iter().map(|c| self.candidate(c)).collect(),
            isolated: self.all - self.nodes.len(),
            ..found
        }
    }

    fn candidate(&self, found: &Candidate) -> Candidate {
        let largest = found.division.labels().iter().position(|&g| g == 0);
        let finest = found.path.labels();
        let other = largest.map_or(0, |u| finest[u]);
        Candidate {
            division: self.all_nodes(&found.division),
            path: found.path.with_labels(self.labels(finest, other)),
            ..found.clone()
        }
    }

    fn all_nodes(&self, division: &Partition) -> Partition {
        // Group 0 is the largest.
        Partition::new(&self.labels(division.labels(), 0))
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
