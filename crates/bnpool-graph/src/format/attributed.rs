//! Graphs whose files name nodes, edges and attributes (GML, GraphML).

use std::collections::HashMap;
use std::path::Path;

use super::attributes::NodeAttributes;
use super::edge_table::{EdgeTable, NodeIds};
use super::error::{ReadError, quote};
use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::text::parse_f32;
use crate::error::GraphError;
use crate::graph::Graph;
use crate::remedy::{Change, Remedy};

/// An edge between two named nodes.
#[derive(Debug, Clone)]
pub(crate) struct NamedEdge {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) weight: Option<String>,
    pub(crate) directed: bool,
    pub(crate) line: usize,
}

/// The edges by the places of their nodes, and their weights.
type EdgesAndWeights = (Vec<(u32, u32)>, Option<Vec<f32>>);

/// What such a file holds.
#[derive(Debug, Default)]
pub(crate) struct AttributedGraph {
    /// The nodes by the name that edges use, in the order of the file.
    pub(crate) names: Vec<String>,
    places: HashMap<String, u32>,
    pub(crate) edges: Vec<NamedEdge>,
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

    /// Builds the graph; `display` is the attribute that names nodes for people,
    /// used where it tells all nodes apart.
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
        let directed = self.edges.iter().any(|edge| edge.directed);
        let (edges, weights) = self.resolve(path, directed, options)?;
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

    /// The edges by the places of their nodes, and their weights where one has
    /// a weight.
    fn resolve(
        &self,
        path: &Path,
        directed: bool,
        options: &ReadOptions,
    ) -> Result<EdgesAndWeights, ReadError> {
        let weighted = self.edges.iter().any(|edge| edge.weight.is_some());
        if let Some(name) = options.weight_name()
            && !weighted
        {
            return Err(ReadError::in_file(
                path,
                format!("no edge has the attribute {}", quote(name.as_bytes())),
                Remedy::new("", &[Change::Weight, Change::NoWeights]),
            ));
        }
        let mut edges = Vec::with_capacity(self.edges.len());
        let mut weights = (weighted && options.reads_weights()).then(Vec::new);
        for edge in &self.edges {
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
            let (u, v) = (find(&edge.source)?, find(&edge.target)?);
            // In a directed graph an undirected edge is two.
            let mirrored = directed && !edge.directed && u != v;
            for ends in [(u, v), (v, u)].into_iter().take(1 + usize::from(mirrored)) {
                edges.push(ends);
                if let Some(weights) = &mut weights {
                    weights.push(weight(path, edge)?);
                }
            }
        }
        Ok((edges, weights))
    }
}

/// The weight of an edge: 1 where only others have one.
fn weight(path: &Path, edge: &NamedEdge) -> Result<f32, ReadError> {
    let Some(field) = &edge.weight else {
        return Ok(1.0);
    };
    match parse_f32(field.trim_ascii()) {
        Some(weight) if weight >= 0.0 && weight.is_finite() => Ok(weight),
        _ => Err(ReadError::at_line(
            path,
            edge.line,
            format!(
                "weight {} is not a finite number of at least 0",
                quote(field.as_bytes())
            ),
            ("mend the weight", Change::NoWeights),
        )),
    }
}
