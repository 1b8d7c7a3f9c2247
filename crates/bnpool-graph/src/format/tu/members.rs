//! What belongs to which graph.

use crate::format::error::ReadError;
use std::path::Path;

/// Nodes or edges sorted by their graph, in the order of the file inside each.
pub(super) struct Members {
    offsets: Vec<usize>,
    sorted: Vec<u32>,
}

impl Members {
    pub(super) fn sort(graph_of: impl Iterator<Item = u32> + Clone, graphs: usize) -> Self {
        let mut offsets = vec![0; graphs + 1];
        for graph in graph_of.clone() {
            offsets[graph as usize + 1] += 1;
        }
        for graph in 0..graphs {
            offsets[graph + 1] += offsets[graph];
        }
        let mut next = offsets.clone();
        let mut sorted = vec![0; offsets[graphs]];
        for (member, graph) in (0_u32..).zip(graph_of) {
            let slot = &mut next[graph as usize];
            sorted[*slot] = member;
            *slot += 1;
        }
        Self { offsets, sorted }
    }

    pub(super) fn of(&self, graph: usize) -> &[u32] {
        &self.sorted[self.offsets[graph]..self.offsets[graph + 1]]
    }

    /// For every member its place inside its graph.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.sorted.len()];
        for graph in 0..self.offsets.len() - 1 {
            for (&member, place) in self.of(graph).iter().zip(0_u32..) {
                places[member as usize] = place;
            }
        }
        places
    }
}

/// The graphs to take, counted from 0, in the order of the file; `keep` counts
/// from 1.
pub(super) fn kept_graphs(
    path: &Path,
    keep: Option<&[usize]>,
    graphs: usize,
) -> Result<Vec<usize>, ReadError> {
    let Some(keep) = keep else {
        return Ok((0..graphs).collect());
    };
    let mut kept = vec![false; graphs];
    for &graph in keep {
        match graph.checked_sub(1).and_then(|place| kept.get_mut(place)) {
            Some(slot) => *slot = true,
            None => {
                return Err(ReadError::in_file(
                    path,
                    format!(
                        "graph {graph} of those to keep is out of range: there are {graphs} graphs, counted from 1"
                    ),
                    "check that the list belongs to this data set",
                ));
            }
        }
    }
    Ok((0..graphs).filter(|&graph| kept[graph]).collect())
}
