//! The nodes and edges of each graph.

use std::path::Path;

use crate::bytes::error::ReadError;

/// Nodes or edges sorted by their graph, in the order of the file inside each.
pub(super) struct Members {
    offsets: Vec<usize>,
    /// `None` if they are sorted in the file, as they usually are.
    sorted: Option<Vec<u32>>,
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
        if graph_of.clone().is_sorted() {
            return Self {
                offsets,
                sorted: None,
            };
        }
        let mut next = offsets.clone();
        let mut sorted = vec![0; offsets[graphs]];
        for (member, graph) in (0_u32..).zip(graph_of) {
            let slot = &mut next[graph as usize];
            sorted[*slot] = member;
            *slot += 1;
        }
        Self {
            offsets,
            sorted: Some(sorted),
        }
    }

    /// The members of a graph, rising.
    pub(super) fn of(&self, graph: usize) -> impl ExactSizeIterator<Item = usize> + Clone + '_ {
        let range = self.offsets[graph]..self.offsets[graph + 1];
        range.map(|place| match &self.sorted {
            Some(sorted) => sorted[place] as usize,
            None => place,
        })
    }

    /// For every member its place inside its graph.
    pub(super) fn places(&self) -> Vec<u32> {
        let mut places = vec![0; self.offsets.last().copied().unwrap_or(0)];
        for graph in 0..self.offsets.len() - 1 {
            for (member, place) in self.of(graph).zip(0_u32..) {
                places[member] = place;
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
