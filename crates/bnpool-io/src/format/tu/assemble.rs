//! From the files of a TU data set to its graphs.

use super::columns::{Columns, Side};
use super::files::TuFiles;
use super::members::{Members, kept_graphs};
use super::targets::TargetFile;
use super::{TuCoding, TuOptions, TuSet, tables};
use crate::bytes::error::ReadError;
use crate::format::build::edge_table::settle_directions;
use crate::format::report::Note;
use bnpool_graph::Csr;
use bnpool_graph::Graph;
use bnpool_graph::GraphError;
use bnpool_graph::Matrix;

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

    let mut repairs = Repairs::default();
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
        let graph = join(nodes.len(), own_edges, &edge_columns, &mut repairs)
            .and_then(|(adjacency, edge_features)| {
                Graph::builder(adjacency)
                    .features(node_columns.features(nodes, options.constant_feature)?)
                    .edge_features(edge_features)
                    .target(target)
                    .build()
            })
            .map_err(|error| ReadError::graph(files.path(), error))?;
        built.push(repairs.settle(graph, options.directed));
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
        notes: repairs.notes(),
    })
}

/// The adjacency of the `(source, target, line)` edges of one graph, and their
/// features.
fn join(
    nodes: usize,
    mut edges: Vec<(u32, u32, u32)>,
    columns: &Columns,
    repairs: &mut Repairs,
) -> Result<(Csr, Option<Matrix>), GraphError> {
    let listed = edges.len();
    edges.retain(|(u, v, _)| u != v);
    repairs.loops += listed - edges.len();
    let pairs = edges.iter().map(|&(u, v, _)| (u, v));
    if !columns.any() {
        let adjacency = Csr::from_edges(nodes, pairs)?;
        repairs.duplicates += edges.len() - adjacency.entries();
        return Ok((adjacency, None));
    }
    let (adjacency, origins) = Csr::from_edges_with_origins(nodes, pairs)?;
    repairs.duplicates += edges.len() - adjacency.entries();
    let lines = origins.iter().map(|&origin| edges[origin].2 as usize);
    Ok((adjacency, Some(columns.dense(lines)?)))
}

/// The repairs of all graphs together.
#[derive(Default)]
struct Repairs {
    loops: usize,
    duplicates: usize,
    edges_back: usize,
    directed: bool,
}

impl Repairs {
    fn settle(&mut self, graph: Graph, directed: bool) -> Graph {
        let mut notes = Vec::new();
        let graph = settle_directions(graph, directed, &mut notes);
        for note in notes {
            match note {
                Note::Symmetrised { added } => self.edges_back += added,
                Note::DirectionsKept => self.directed = true,
                _ => {}
            }
        }
        graph
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = Vec::new();
        if self.loops > 0 {
            notes.push(Note::SelfLoops {
                count: self.loops,
                dropped: true,
            });
        }
        if self.duplicates > 0 {
            notes.push(Note::DuplicatesMerged {
                dropped: self.duplicates,
                summed: false,
            });
        }
        if self.edges_back > 0 {
            notes.push(Note::Symmetrised {
                added: self.edges_back,
            });
        }
        if self.directed {
            notes.push(Note::DirectionsKept);
        }
        notes
    }
}
