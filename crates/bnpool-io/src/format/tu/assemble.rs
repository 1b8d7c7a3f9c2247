//! From the files of a TU data set to its graphs.

use std::borrow::Cow;
use std::path::Path;

use bnpool_graph::{Csr, Graph, GraphError, Matrix, Target};

use super::columns::{Columns, Side};
use super::files::TuFiles;
use super::tables::{self, Table};
use super::{TuCoding, TuOptions, TuSet};
use crate::bytes::error::ReadError;
use crate::format::build::classes::number_classes;
use crate::format::build::edge_table::settle_directions;
use crate::format::folder::sum_up;
use crate::format::report::Note;

pub(super) fn assemble(mut files: TuFiles<'_>, options: &TuOptions) -> Result<TuSet, ReadError> {
    let limits = &options.limits;
    let targets = TargetFile::read(&mut files, options)?;
    let indicator = files.required("graph_indicator", limits)?;
    let (graph_of, graphs) = tables::graph_indicator(indicator, targets.graphs())?;
    let edges = tables::edges(files.required("A", limits)?, &graph_of)?;
    for (what, count) in [("nodes", graph_of.len()), ("edges", edges.len())] {
        GraphError::check_limit(what, count)
            .map_err(|error| ReadError::graph(files.path(), error))?;
    }

    let kept = kept_graphs(files.path(), options.keep.as_deref(), graphs)?;
    let (targets, classes) = targets.of(&kept);
    let nodes_of = Members::sort(graph_of.iter().copied(), graphs);
    let edges_of = Members::sort(edges.iter().map(|&(u, _)| graph_of[u as usize]), graphs);
    drop(graph_of);
    let places = nodes_of.places();
    let kept_nodes = kept.iter().flat_map(|&graph| nodes_of.of(graph));
    let nodes = places.len();
    let node_columns = Columns::read(&mut files, options, Side::Node, nodes, kept_nodes)?;
    let kept_edges = kept.iter().flat_map(|&graph| edges_of.of(graph));
    let edge_columns = Columns::read(&mut files, options, Side::Edge, edges.len(), kept_edges)?;

    let mut notes = Vec::new();
    let mut built = Vec::with_capacity(kept.len());
    for (&graph, target) in kept.iter().zip(targets) {
        let nodes = nodes_of.of(graph);
        node_columns.check_graph(nodes.len(), "nodes", limits)?;
        edge_columns.check_graph(edges_of.of(graph).len(), "edges", limits)?;
        let place = |node: u32| places[node as usize];
        let own_edges: Vec<_> = edges_of
            .of(graph)
            .map(|line| {
                let (u, v) = edges[line];
                (place(u), place(v), line as u32)
            })
            .collect();
        let graph = join(nodes.len(), own_edges, &edge_columns, &mut notes)
            .and_then(|(adjacency, edge_features)| {
                Graph::builder(adjacency)
                    .features(node_columns.features(nodes)?)
                    .edge_features(edge_features)
                    .target(target)
                    .build()
            })
            .map_err(|error| ReadError::graph(files.path(), error))?;
        built.push(settle_directions(graph, options.directed, &mut notes));
    }
    Ok(TuSet {
        name: files.name().to_owned(),
        graphs: built,
        classes,
        coding: TuCoding {
            node_attributes: node_columns.has_attributes(),
            drop_first_attribute: node_columns.drops_first(),
            node_labels: node_columns.label_ranges(),
            edge_attributes: edge_columns.has_attributes(),
            edge_labels: edge_columns.label_ranges(),
            text: Vec::new(),
        },
        notes: sum_up(&notes),
    })
}

/// The adjacency of the `(source, target, line)` edges of one graph, and their
/// features.
fn join(
    nodes: usize,
    mut edges: Vec<(u32, u32, u32)>,
    columns: &Columns,
    notes: &mut Vec<Note>,
) -> Result<(Csr, Option<Matrix>), GraphError> {
    let listed = edges.len();
    edges.retain(|(u, v, _)| u != v);
    let pairs = edges.iter().map(|&(u, v, _)| (u, v));
    let (adjacency, features) = if columns.any() {
        let (adjacency, origins) = Csr::from_edges_with_origins(nodes, pairs)?;
        let lines = origins.iter().map(|&origin| edges[origin].2 as usize);
        (adjacency, Some(columns.dense(lines)?))
    } else {
        (Csr::from_edges(nodes, pairs)?, None)
    };
    notes.push(Note::SelfLoops {
        count: listed - edges.len(),
        dropped: true,
    });
    notes.push(Note::DuplicatesMerged {
        dropped: edges.len() - adjacency.entries(),
        summed: false,
    });
    Ok((adjacency, features))
}

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

/// The targets of all graphs, as they stand in the files.
pub(super) enum TargetFile {
    Absent,
    Labels(Vec<String>),
    Values(Table<f32>),
}

impl TargetFile {
    pub(super) fn read(files: &mut TuFiles<'_>, options: &TuOptions) -> Result<Self, ReadError> {
        let limits = &options.limits;
        let values = |blocks| Ok(Self::Values(tables::target_values(blocks)?));
        let labels = |blocks| Ok(Self::Labels(tables::target_labels(blocks)?));
        if let Some(blocks) = files.read("graph_attributes", limits)? {
            return values(blocks);
        }
        match files.read("graph_labels", limits)? {
            Some(blocks) => labels(blocks),
            None => Ok(Self::Absent),
        }
    }

    /// Number of graphs, if there are targets.
    pub(super) fn graphs(&self) -> Option<usize> {
        match self {
            Self::Absent => None,
            Self::Labels(labels) => Some(labels.len()),
            Self::Values(table) => Some(table.values.len() / table.width.max(1)),
        }
    }

    /// The targets of the graphs that are kept, and the names of their classes.
    pub(super) fn of(&self, kept: &[usize]) -> (Vec<Option<Target>>, Option<Vec<String>>) {
        match self {
            Self::Absent => (vec![None; kept.len()], None),
            Self::Values(table) => {
                let values = |&graph: &usize| Some(Target::Values(table.row(graph).to_vec()));
                (kept.iter().map(values).collect(), None)
            }
            Self::Labels(labels) => {
                let labels = kept
                    .iter()
                    .map(|&graph| Cow::Borrowed(labels[graph].as_str()));
                let (classes, names) = number_classes(labels);
                let classes = classes.into_iter().map(|class| Some(Target::Class(class)));
                (classes.collect(), Some(names))
            }
        }
    }
}
