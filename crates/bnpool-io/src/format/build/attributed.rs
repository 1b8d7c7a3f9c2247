//! Graphs whose files name nodes, edges and attributes (GML, GraphML, GEXF,
//! Pajek, node-link JSON, DOT).

use std::collections::HashMap;
use std::path::Path;

use bnpool_math::memory::bytes_of;

use crate::bytes::intake::Intake;
use crate::bytes::source::Source;

use super::attributes::NodeAttributes;
use super::edge_table::{EdgeTable, NodeIds};
use crate::bytes::error::{ReadError, quote};
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::text::NumberStyle;
use crate::remedy::{Change, Remedy};
use bnpool_graph::Graph;
use bnpool_graph::GraphError;

/// The text of a file whose names and attributes become texts of their own, which
/// take `growth` bytes for each of its bytes.
pub(crate) fn text_of(intake: Intake, growth: usize) -> Result<Source, ReadError> {
    let limits = *intake.limits();
    let source = intake.into_text()?;
    let bytes = bytes_of::<u8>(&[source.bytes().len(), growth]);
    let what = "its nodes, edges and attributes";
    limits.check_memory(source.path(), what, bytes)?;
    Ok(source)
}

/// An edge between two named nodes.
#[derive(Debug, Clone)]
pub(crate) struct NamedEdge {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) weight: Option<String>,
    pub(crate) directed: bool,
    pub(crate) line: usize,
}

/// An edge between two nodes that are known already.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedEdge {
    pub(crate) ends: (u32, u32),
    pub(crate) weight: Option<f32>,
    pub(crate) directed: bool,
}

/// The edges by the places of their nodes, and their weights.
type EdgesAndWeights = (Vec<(u32, u32)>, Option<Vec<f32>>);

/// The content of such a file.
#[derive(Debug, Default)]
pub(crate) struct AttributedGraph {
    /// The nodes by the name that edges use, in the order of the file.
    pub(crate) names: Vec<String>,
    places: HashMap<String, u32>,
    /// Edges whose nodes may follow later in the file.
    pub(crate) edges: Vec<NamedEdge>,
    /// Edges whose nodes were known when they were read.
    pub(crate) placed: Vec<PlacedEdge>,
    pub(crate) attributes: NodeAttributes,
}

impl AttributedGraph {
    /// Adds a node and returns its place.
    pub(crate) fn add_node(
        &mut self,
        path: &Path,
        line: usize,
        name: String,
    ) -> Result<u32, ReadError> {
        GraphError::check_limit("nodes", self.names.len() + 1)
            .map_err(|error| ReadError::graph(path, error))?;
        let place = self.names.len() as u32;
        if self.places.insert(name.clone(), place).is_some() {
            return Err(ReadError::at_line(
                path,
                line,
                format!("there is a second node {}", quote(name.as_bytes())),
                "give every node an id of its own",
            ));
        }
        self.names.push(name);
        Ok(place)
    }

    /// The place of the node that edges call by this name.
    pub(crate) fn place(&self, name: &str) -> Option<u32> {
        self.places.get(name).copied()
    }

    /// Builds the graph; `display` is the attribute that names nodes for people,
    /// used if it tells all nodes apart.
    pub(crate) fn into_graph(
        mut self,
        path: &Path,
        display: Option<&str>,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) -> Result<Graph, ReadError> {
        let nodes = self.names.len();
        if nodes == 0 {
            return Err(ReadError::in_file(
                path,
                "there is no node in the file",
                "check that it is the right file, and not cut off",
            ));
        }
        self.resolve(path, options.reads_weights())?;
        let directed = self.placed.iter().any(|edge| edge.directed);
        let (edges, weights) = self.take_edges(path, directed, options)?;
        // An attribute that is asked for does not name the nodes.
        let asked = |name: &str| {
            options.label_attribute.as_deref() == Some(name)
                || options.node_attributes.iter().any(|asked| asked == name)
        };
        let display = display.filter(|&display| !asked(display));
        let names = display.and_then(|display| self.attributes.take_names(display, nodes));
        let (features, labels) = self.attributes.into_parts(path, nodes, options, report)?;

        let in_order = self
            .names
            .iter()
            .enumerate()
            .all(|(node, name)| *name == node.to_string());
        let ids = match names {
            Some(names) => NodeIds::Names(names),
            None if in_order => NodeIds::Range(nodes),
            None => NodeIds::Names(self.names),
        };
        let table = EdgeTable {
            ids,
            edges,
            weights,
        };
        // Undirected edges go both ways whatever the options say.
        let both_ways = ReadOptions {
            directed: options.directed && directed,
            ..options.clone()
        };
        let graph = table.into_graph(path, &both_ways, &mut report.notes)?;
        if !directed {
            report
                .notes
                .retain(|note| !matches!(note, Note::Symmetrised { .. }));
        }
        let mut builder = graph.into_builder().node_labels(labels);
        if let Some(features) = features {
            builder = builder.features(features);
        }
        builder
            .build()
            .map_err(|error| ReadError::graph(path, error))
    }

    /// Finds the nodes of the edges that name them.
    fn resolve(&mut self, path: &Path, reads_weights: bool) -> Result<(), ReadError> {
        self.placed.reserve_exact(self.edges.len());
        for edge in std::mem::take(&mut self.edges) {
            let find = |name: &String| {
                self.places.get(name).copied().ok_or_else(|| {
                    ReadError::at_line(
                        path,
                        edge.line,
                        format!("no node is called {}", quote(name.as_bytes())),
                        "declare both nodes of the edge",
                    )
                })
            };
            self.placed.push(PlacedEdge {
                ends: (find(&edge.source)?, find(&edge.target)?),
                weight: edge
                    .weight
                    .filter(|_| reads_weights)
                    .map(|field| weight(path, edge.line, &field))
                    .transpose()?,
                directed: edge.directed,
            });
        }
        Ok(())
    }

    /// The edges by the places of their nodes, and their weights where one has
    /// a weight; an edge without one has the weight 1 then.
    fn take_edges(
        &mut self,
        path: &Path,
        directed: bool,
        options: &ReadOptions,
    ) -> Result<EdgesAndWeights, ReadError> {
        let weighted = self.placed.iter().any(|edge| edge.weight.is_some());
        if let Some(name) = options.weight_name()
            && !weighted
        {
            return Err(ReadError::in_file(
                path,
                format!("no edge has the attribute {}", quote(name.as_bytes())),
                Remedy::new("", &[Change::Weight, Change::NoWeights]),
            ));
        }
        let mut edges = Vec::with_capacity(self.placed.len());
        let mut weights = (weighted && options.reads_weights()).then(Vec::new);
        for edge in std::mem::take(&mut self.placed) {
            let (u, v) = edge.ends;
            // In a directed graph an undirected edge is two.
            let mirrored = directed && options.directed && !edge.directed && u != v;
            for ends in [(u, v), (v, u)].into_iter().take(1 + usize::from(mirrored)) {
                edges.push(ends);
                if let Some(weights) = &mut weights {
                    weights.push(edge.weight.unwrap_or(1.0));
                }
            }
        }
        Ok((edges, weights))
    }
}

/// The weight in a field.
pub(crate) fn weight(path: &Path, line: usize, field: &str) -> Result<f32, ReadError> {
    NumberStyle::Point
        .weight(field.trim_ascii())
        .map_err(|problem| {
            ReadError::at_line(
                path,
                line,
                format!("weight {} {problem}", quote(field.as_bytes())),
                ("correct the weight", Change::NoWeights),
            )
        })
}
