//! A list of edges, on the way from a file to a graph.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use bnpool_math::memory::bytes_of;

use super::join::{Counting, join};
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use crate::format::options::{ReadOptions, Weights};
use crate::format::report::Note;
use bnpool_graph::transform;
use bnpool_graph::{Graph, GraphError};

/// The names of the nodes in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NodeIds {
    /// The numbers from 0 on.
    Range(usize),
    /// Whole numbers, rising.
    Numbers(Vec<u64>),
    /// Anything else, all different: of an edge list in the order of the bytes,
    /// so that the order of the lines does not matter, and of files that list
    /// their nodes in the order of the list.
    Names(Vec<String>),
}

impl Default for NodeIds {
    fn default() -> Self {
        Self::Range(0)
    }
}

impl NodeIds {
    /// The ids of nodes with these names. Whole numbers are put in rising order,
    /// and anything else in the order of its bytes; the edges are renumbered to
    /// fit.
    pub(crate) fn of_names(names: Vec<String>, edges: &mut [(u32, u32)]) -> Self {
        match rising_numbers(&names, edges) {
            Some(numbers) if numbers.iter().copied().eq(0..numbers.len() as u64) => {
                Self::Range(numbers.len())
            }
            Some(numbers) => Self::Numbers(numbers),
            None => Self::Names(sorted_names(names, edges)),
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Range(nodes) => *nodes,
            Self::Numbers(numbers) => numbers.len(),
            Self::Names(names) => names.len(),
        }
    }

    /// The ids for a [`Graph`], which needs none if they are the numbers
    /// from 0 on.
    fn into_names(self) -> Option<Vec<String>> {
        match self {
            Self::Range(_) => None,
            Self::Numbers(numbers) => Some(numbers.iter().map(u64::to_string).collect()),
            Self::Names(names) => Some(names),
        }
    }
}

/// The nodes of a file that only its edges name, in the order of appearance.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) list: Vec<String>,
    places: HashMap<String, u32>,
}

impl Names {
    /// The place of a node, which may be new.
    pub(crate) fn place(&mut self, name: &str) -> Result<u32, GraphError> {
        if let Some(&place) = self.places.get(name) {
            return Ok(place);
        }
        GraphError::check_limit("nodes", self.list.len() + 1)?;
        let place = self.list.len() as u32;
        self.places.insert(name.to_owned(), place);
        self.list.push(name.to_owned());
        Ok(place)
    }
}

/// The edges of a file, as the positions of their nodes among the ids.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct EdgeTable {
    pub(crate) ids: NodeIds,
    pub(crate) edges: Vec<(u32, u32)>,
    pub(crate) weights: Option<Vec<f32>>,
}

impl EdgeTable {
    /// Makes room for nodes without edges, if the ids are numbers among the
    /// first `rows` from 0 (or from 1), as the rows of a feature file are.
    pub(crate) fn extend_to_rows(&mut self, rows: usize, notes: &mut Vec<Note>) {
        let nodes = self.ids.len();
        let (first, last) = match &self.ids {
            NodeIds::Range(_) => (0, (nodes as u64).saturating_sub(1)),
            NodeIds::Numbers(numbers) => match (numbers.first(), numbers.last()) {
                (Some(&first), Some(&last)) => (first, last),
                _ => return,
            },
            NodeIds::Names(_) => return,
        };
        // Beyond 32 bits the node count is refused elsewhere.
        if rows <= nodes || u32::try_from(rows).is_err() {
            return;
        }
        let base = match last {
            last if last < rows as u64 => 0,
            last if last == rows as u64 && first > 0 => 1,
            _ => return,
        };
        if let NodeIds::Numbers(numbers) = &self.ids {
            let place = |node: u32| (numbers[node as usize] - base) as u32;
            for (source, target) in &mut self.edges {
                (*source, *target) = (place(*source), place(*target));
            }
        }
        self.ids = match base {
            0 => NodeIds::Range(rows),
            _ => NodeIds::Numbers((1..=rows as u64).collect()),
        };
        notes.retain(|note| base == 1 || !matches!(note, Note::NumberedNodes { .. }));
        notes.push(Note::IsolatedNodes {
            added: rows - nodes,
        });
    }

    /// Adds nodes without edges for ids that no edge names.
    pub(crate) fn extend_with_names(&mut self, more: &[String], notes: &mut Vec<Note>) {
        let before = self.ids.len();
        let mut names = match std::mem::take(&mut self.ids) {
            NodeIds::Range(nodes) => (0..nodes).map(|node| node.to_string()).collect(),
            NodeIds::Numbers(numbers) => numbers.iter().map(u64::to_string).collect(),
            NodeIds::Names(names) => names,
        };
        let mut known: HashSet<String> = names.iter().cloned().collect();
        for name in more {
            if known.insert(name.clone()) {
                names.push(name.clone());
            }
        }
        self.ids = NodeIds::of_names(names, &mut self.edges);
        if self.ids.len() > before {
            notes.push(Note::IsolatedNodes {
                added: self.ids.len() - before,
            });
        }
    }

    /// The graph of these edges: repeated ones merged, self-loops and
    /// directions treated as the options say.
    pub(crate) fn into_graph(
        mut self,
        path: &Path,
        options: &ReadOptions,
        notes: &mut Vec<Note>,
    ) -> Result<Graph, ReadError> {
        let loops = self.edges.iter().filter(|(u, v)| u == v).count();
        if loops > 0 {
            if options.drop_self_loops {
                self.drop_self_loops();
            }
            notes.push(Note::SelfLoops {
                count: loops,
                dropped: options.drop_self_loops,
            });
        }
        let weighted = self.weights.is_some();
        self.check_memory(path, &options.limits)?;
        let counting = match options.weights {
            Weights::Auto => Counting::IfDifferent,
            Weights::Count => Counting::Always,
            Weights::Ignore | Weights::Column(_) => Counting::Never,
        };
        let both_ways = !options.directed;
        let joined = join(
            self.ids.len(),
            self.edges,
            self.weights,
            both_ways,
            counting,
        )
        .map_err(|error| ReadError::graph(path, error))?;
        if joined.counted {
            notes.push(Note::RepeatsCounted {
                repeats: joined.duplicates,
                asked: options.weights == Weights::Count,
            });
        } else if joined.duplicates > 0 {
            notes.push(Note::DuplicatesMerged {
                dropped: joined.duplicates,
                summed: weighted,
            });
        }
        notes.push(if joined.added > 0 {
            Note::Symmetrised {
                added: joined.added,
            }
        } else if joined.adjacency.is_symmetric() {
            Note::AlreadySymmetric
        } else {
            Note::DirectionsKept
        });
        Graph::builder(joined.adjacency)
            .distinct_node_ids(self.ids.into_names())
            .build()
            .map_err(|error| ReadError::graph(path, error))
    }

    /// Refuses more nodes and edges than there is memory for. A file may announce
    /// nodes that take it no bytes.
    fn check_memory(&self, path: &Path, limits: &Limits) -> Result<(), ReadError> {
        let (nodes, edges) = (self.ids.len(), self.edges.len());
        let name = match self.ids {
            NodeIds::Range(_) | NodeIds::Names(_) => 0,
            // A short text on the heap.
            NodeIds::Numbers(_) => size_of::<String>() + 16,
        };
        // Twice, because a graph that is read is also used.
        let node = 2 * (size_of::<usize>() + name);
        // Both directions, with room to sort them.
        let edge = 2 * 2 * (size_of::<u32>() + size_of::<f32>());
        let bytes = bytes_of::<u8>(&[nodes, node]).saturating_add(bytes_of::<u8>(&[edges, edge]));
        let what = format!("a graph of {nodes} nodes and {edges} edges");
        limits.check_memory(path, &what, bytes)
    }

    fn drop_self_loops(&mut self) {
        if let Some(weights) = &mut self.weights {
            let mut edges = self.edges.iter();
            weights.retain(|_| edges.next().is_some_and(|(u, v)| u != v));
        }
        self.edges.retain(|(u, v)| u != v);
    }
}

/// The numbers, rising, if all names are whole numbers, with the edges
/// renumbered to fit.
fn rising_numbers(names: &[String], edges: &mut [(u32, u32)]) -> Option<Vec<u64>> {
    let canonical = |name: &str| -> Option<u64> {
        // `07` and `+7` are other names than `7`.
        if name.starts_with(['+', '0']) && name != "0" {
            return None;
        }
        name.parse().ok()
    };
    let mut numbers = names
        .iter()
        .zip(0_u32..)
        .map(|(name, node)| Some((canonical(name)?, node)))
        .collect::<Option<Vec<_>>>()?;
    numbers.sort_unstable();
    renumber(numbers.iter().map(|&(_, node)| node), edges);
    Some(numbers.into_iter().map(|(number, _)| number).collect())
}

/// The names in the order of their bytes, with the edges renumbered to fit.
fn sorted_names(names: Vec<String>, edges: &mut [(u32, u32)]) -> Vec<String> {
    let mut order: Vec<(String, u32)> = names.into_iter().zip(0..).collect();
    order.sort_unstable();
    renumber(order.iter().map(|&(_, node)| node), edges);
    order.into_iter().map(|(name, _)| name).collect()
}

/// Gives every node its place in the order.
fn renumber(order: impl ExactSizeIterator<Item = u32>, edges: &mut [(u32, u32)]) {
    let mut ranks = vec![0; order.len()];
    for (node, rank) in order.zip(0_u32..) {
        ranks[node as usize] = rank;
    }
    for (u, v) in edges {
        (*u, *v) = (ranks[*u as usize], ranks[*v as usize]);
    }
}

/// Adds the edges back, unless directions are to be kept.
pub(crate) fn settle_directions(graph: Graph, directed: bool, notes: &mut Vec<Note>) -> Graph {
    if graph.adjacency().is_symmetric() {
        notes.push(Note::AlreadySymmetric);
        return graph;
    }
    if directed {
        notes.push(Note::DirectionsKept);
        return graph;
    }
    let symmetric = transform::undirect(&graph);
    notes.push(Note::Symmetrised {
        added: symmetric.edges() - graph.edges(),
    });
    symmetric
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(ids: NodeIds, edges: &[(u32, u32)]) -> EdgeTable {
        EdgeTable {
            ids,
            edges: edges.to_vec(),
            weights: None,
        }
    }

    #[test]
    fn rows_make_room_for_lonely_nodes() {
        let mut notes = Vec::new();
        let mut from_zero = table(NodeIds::Numbers(vec![0, 3]), &[(0, 1)]);
        from_zero.extend_to_rows(5, &mut notes);
        assert_eq!(from_zero, table(NodeIds::Range(5), &[(0, 3)]));
        let mut from_one = table(NodeIds::Numbers(vec![1, 4]), &[(0, 1)]);
        from_one.extend_to_rows(4, &mut notes);
        assert_eq!(from_one.edges, [(0, 3)]);
        assert_eq!(from_one.ids, NodeIds::Numbers(vec![1, 2, 3, 4]));
        assert_eq!(notes, [3, 2].map(|added| Note::IsolatedNodes { added }));
        for (ids, rows) in [
            (NodeIds::Numbers(vec![0, 9]), 5),
            (NodeIds::Names(vec!["a".into()]), 5),
            (NodeIds::Range(5), 5),
        ] {
            let before = table(ids, &[]);
            let mut after = before.clone();
            after.extend_to_rows(rows, &mut notes);
            assert_eq!(after, before);
        }
    }

    #[test]
    fn loops_can_be_dropped_with_their_weights() {
        let mut both = table(NodeIds::Range(2), &[(0, 0), (0, 1), (1, 1)]);
        both.weights = Some(vec![1.0, 2.0, 3.0]);
        let options = ReadOptions {
            drop_self_loops: true,
            ..ReadOptions::default()
        };
        let mut notes = Vec::new();
        let graph = both
            .into_graph(Path::new("a"), &options, &mut notes)
            .unwrap();
        assert_eq!(graph.adjacency().weights(), Some(&[2.0, 2.0][..]));
        assert_eq!(
            notes,
            [
                Note::SelfLoops {
                    count: 2,
                    dropped: true
                },
                Note::Symmetrised { added: 1 }
            ]
        );
    }
}
