//! Pajek networks (`.net`).
//!
//! `*Vertices n` announces the nodes, which are numbered from 1; a line of it
//! may give a node a label and coordinates. `*Edges` and `*Arcs` list
//! undirected and directed edges, a line each, with a weight as the third
//! number; `*Edgeslist` and `*Arcslist` a node and its neighbours; `*Matrix` the
//! rows of an adjacency matrix. Nodes are called by their labels if all nodes
//! have one and no two the same, else by their numbers. The coordinates are the
//! node attributes `x`, `y` and `z`. What follows `*Partition`, `*Vector` and
//! the like is ignored.

use std::borrow::Cow;
use std::path::Path;

use bnpool_math::memory::bytes_of;

use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::format::build::attributed::{AttributedGraph, PlacedEdge, text_of, weight};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::start::after_comments;
use crate::format::table::{Holds, Read, Traits};
use crate::format::text::sample::bad_quote;
use crate::format::text::{DataLines, Delimiter, parse_f32, parse_u32, split_fields};
use bnpool_graph::Graph;
use bnpool_graph::GraphError;

const LABEL: &str = "label";
const COORDINATES: [&str; 3] = ["x", "y", "z"];

/// The bytes of a node while the file is read: its number as a text, twice, and
/// its place.
const NODE_BYTES: usize = 128;

pub(crate) const FORMAT: Traits = Traits {
    endings: &["net", "paj"],
    starts: |start| {
        let text = after_comments(start.text(), b"%");
        text.starts_with(b"*vertices") || text.starts_with(b"*network")
    },
    holds: Holds {
        named_weights: false,
        ..Holds::ATTRIBUTES
    },
    ..Traits::of("pajek", "Pajek", Read::One(read))
};

/// Reads the network of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 8)?;
    let path = source.path();
    let mut network = Network {
        path,
        options,
        nodes: None,
        vertices: Vec::new(),
        edges: Vec::new(),
        rows: 0,
        section: Section::Start,
    };
    let mut fields = Vec::new();
    for (number, line) in DataLines::new(source.text()?) {
        if let Some(name) = line.strip_prefix('*') {
            network.start_section(number, name, source.bytes().len(), report)?;
            if network.section == Section::Ignored {
                break;
            }
            continue;
        }
        split_fields(line, Delimiter::Blank, &mut fields).map_err(|_| bad_quote(path, number))?;
        network.line(number, &fields)?;
    }
    network.into_graph(report).map(Content::Graph)
}

/// The section of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Section {
    /// Nothing yet.
    Start,
    Vertices,
    /// An edge a line, with its weight.
    Pairs {
        directed: bool,
    },
    /// A node and its neighbours a line.
    Lists {
        directed: bool,
    },
    Matrix,
    /// Another object of a Pajek project.
    Ignored,
}

/// A line of `*Vertices`.
struct Vertex {
    node: u32,
    line: usize,
    label: Option<String>,
    coordinates: Vec<String>,
}

/// The content that was read so far.
struct Network<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    nodes: Option<u32>,
    vertices: Vec<Vertex>,
    edges: Vec<PlacedEdge>,
    /// Rows of a matrix.
    rows: u32,
    section: Section,
}

impl Network<'_> {
    fn error(&self, line: usize, problem: impl Into<String>, remedy: &'static str) -> ReadError {
        ReadError::at_line(self.path, line, problem, remedy)
    }

    fn start_section(
        &mut self,
        line: usize,
        name: &str,
        bytes: usize,
        report: &mut ReadReport,
    ) -> Result<(), ReadError> {
        let mut words = name.split_ascii_whitespace();
        let word = words.next().unwrap_or_default().to_ascii_lowercase();
        let section = match word.as_str() {
            "network" if self.nodes.is_none() => return Ok(()),
            "vertices" if self.nodes.is_none() => {
                self.announce(line, words.next().unwrap_or_default(), bytes)?;
                Section::Vertices
            }
            "network" | "vertices" => {
                let problem = "there is a second network";
                return Err(self.error(line, problem, "keep one network a file"));
            }
            "edges" => Section::Pairs { directed: false },
            "arcs" => Section::Pairs { directed: true },
            "edgeslist" => Section::Lists { directed: false },
            "arcslist" => Section::Lists { directed: true },
            "matrix" => Section::Matrix,
            "partition" | "vector" | "permutation" | "cluster" | "hierarchy" => {
                report.notes.push(Note::Remark(format!(
                    "everything from `*{word}` on line {line} on is ignored"
                )));
                Section::Ignored
            }
            _ => {
                return Err(self.error(
                    line,
                    format!("there is no section {}", quote(word.as_bytes())),
                    "use *Vertices, *Edges, *Arcs, *Edgeslist, *Arcslist and *Matrix",
                ));
            }
        };
        if self.nodes.is_none() {
            return Err(self.error(
                line,
                format!("`*{word}` comes before `*Vertices`"),
                "start the file with `*Vertices n`",
            ));
        }
        self.section = section;
        Ok(())
    }

    /// The line `*Vertices n`.
    fn announce(&mut self, line: usize, count: &str, bytes: usize) -> Result<(), ReadError> {
        let Ok(nodes) = count.parse::<u64>() else {
            return Err(self.error(
                line,
                format!("{} is not a number of nodes", quote(count.as_bytes())),
                "write `*Vertices n`",
            ));
        };
        let limits = &self.options.limits;
        limits.check_announced(self.path, "nodes", nodes, bytes)?;
        let count = usize::try_from(nodes).unwrap_or(usize::MAX);
        GraphError::check_limit("nodes", count)
            .map_err(|error| ReadError::graph(self.path, error))?;
        let memory = bytes_of::<u8>(&[count, NODE_BYTES]);
        limits.check_memory(self.path, &format!("{nodes} nodes"), memory)?;
        // Nodes beyond 32 bits were refused.
        self.nodes = Some(count as u32);
        Ok(())
    }

    fn line(&mut self, line: usize, fields: &[Cow<'_, str>]) -> Result<(), ReadError> {
        match self.section {
            Section::Start => Err(self.error(
                line,
                "this is not a Pajek network",
                "start the file with `*Vertices n`",
            )),
            Section::Vertices => self.vertex(line, fields),
            Section::Pairs { directed } => {
                let [source, target, rest @ ..] = fields else {
                    let problem = "an edge needs two nodes";
                    return Err(self.error(line, problem, "give two numbers of nodes"));
                };
                let ends = (self.node(line, source)?, self.node(line, target)?);
                let weight = match rest.first() {
                    Some(field) if self.options.reads_weights() => {
                        Some(weight(self.path, line, field)?)
                    }
                    _ => None,
                };
                self.push(ends, weight, directed);
                Ok(())
            }
            Section::Lists { directed } => {
                let [source, targets @ ..] = fields else {
                    return Ok(());
                };
                let source = self.node(line, source)?;
                for target in targets {
                    let target = self.node(line, target)?;
                    self.push((source, target), None, directed);
                }
                Ok(())
            }
            Section::Matrix => self.row(line, fields),
            Section::Ignored => Ok(()),
        }
    }

    fn push(&mut self, ends: (u32, u32), weight: Option<f32>, directed: bool) {
        self.edges.push(PlacedEdge {
            ends,
            weight,
            directed,
        });
    }

    /// The place of a node that is called by its number.
    fn node(&self, line: usize, field: &str) -> Result<u32, ReadError> {
        let nodes = self.nodes.unwrap_or(0);
        match parse_u32(field.as_bytes()) {
            Some((number, length)) if length == field.len() && (1..=nodes).contains(&number) => {
                Ok(number - 1)
            }
            _ => Err(self.error(
                line,
                format!(
                    "{} is not a node from 1 to {nodes}",
                    quote(field.as_bytes())
                ),
                "check the number of nodes after `*Vertices`",
            )),
        }
    }

    fn vertex(&mut self, line: usize, fields: &[Cow<'_, str>]) -> Result<(), ReadError> {
        let [number, rest @ ..] = fields else {
            return Ok(());
        };
        let node = self.node(line, number)?;
        let coordinates = rest.iter().skip(1).take(COORDINATES.len());
        let coordinates = coordinates.take_while(|field| parse_f32(field).is_some());
        self.vertices.push(Vertex {
            node,
            line,
            label: rest.first().map(ToString::to_string),
            coordinates: coordinates.map(ToString::to_string).collect(),
        });
        Ok(())
    }

    fn row(&mut self, line: usize, fields: &[Cow<'_, str>]) -> Result<(), ReadError> {
        let nodes = self.nodes.unwrap_or(0);
        if fields.len() != nodes as usize || self.rows == nodes {
            return Err(self.error(
                line,
                format!(
                    "row {} of a matrix of {nodes} nodes has {} numbers",
                    self.rows + 1,
                    fields.len()
                ),
                "give a matrix as many rows and columns as there are nodes",
            ));
        }
        for (column, field) in (0..).zip(fields) {
            let weight = weight(self.path, line, field)?;
            if weight != 0.0 {
                let weight = self.options.reads_weights().then_some(weight);
                self.push((self.rows, column), weight, true);
            }
        }
        self.rows += 1;
        Ok(())
    }

    fn into_graph(mut self, report: &mut ReadReport) -> Result<Graph, ReadError> {
        let Some(nodes) = self.nodes else {
            return Err(ReadError::in_file(
                self.path,
                "there is no network in the file",
                "start the file with `*Vertices n`",
            ));
        };
        if self.section == Section::Matrix && self.rows != nodes {
            return Err(ReadError::in_file(
                self.path,
                format!("the matrix of {nodes} nodes has {} rows", self.rows),
                "the file is cut off or damaged: fetch or write it again",
            ));
        }
        let mut graph = AttributedGraph::default();
        for number in 1..=nodes {
            graph.add_node(self.path, 1, number.to_string())?;
        }
        self.vertices.sort_by_key(|vertex| vertex.node);
        for pair in self.vertices.windows(2) {
            if pair[0].node == pair[1].node {
                let problem = format!("there is a second node {}", pair[0].node + 1);
                let remedy = "give every node a number of its own";
                return Err(self.error(pair[1].line, problem, remedy));
            }
        }
        for vertex in self.vertices {
            let attributes = &mut graph.attributes;
            if let Some(label) = vertex.label {
                attributes.push(vertex.node, LABEL, label);
            }
            for (name, value) in COORDINATES.iter().zip(vertex.coordinates) {
                attributes.push(vertex.node, name, value);
            }
        }
        // Many programs write the weight 1 of edges that have none.
        if self
            .edges
            .iter()
            .all(|edge| edge.weight.unwrap_or(1.0) == 1.0)
        {
            self.edges.iter_mut().for_each(|edge| edge.weight = None);
        }
        graph.placed = self.edges;
        graph.into_graph(self.path, Some(LABEL), self.options, report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::format::Weights;
    use crate::format::read::read_text;

    fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
        read_text("g.net", Format::Pajek, text, options)
    }

    const CLUB: &str = "%c\n*Network club\r\n*vertices 3\n2 \"Bob & Co\" 0.5 1 ellipse ic Red\n\
        1 Ann 0.25 2\n3 \"Cy\" 0 0\n*Edges\n1 2 3.5\n*Arcs :1 \"likes\"\n2 3\n";

    #[test]
    fn reads_labels_weights_and_coordinates() {
        let (graph, _) = parse(CLUB, &ReadOptions::default()).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["Ann", "Bob & Co", "Cy"]);
        assert_eq!(graph.adjacency().weights(), Some(&[3.5, 3.5, 1.0, 1.0][..]));
        let options = ReadOptions {
            directed: true,
            node_attributes: vec!["x".into()],
            weights: Weights::Ignore,
            ..ReadOptions::default()
        };
        let (graph, report) = parse(CLUB, &options).unwrap();
        assert_eq!((graph.edges(), graph.adjacency().weights()), (3, None));
        assert_eq!(graph.features().to_dense().as_slice(), [0.25, 0.5, 0.0]);
        assert!(
            report
                .notes
                .contains(&Note::AttributesLeftOut(vec!["y".into()]))
        );
    }

    #[test]
    fn reads_lists_matrices_and_numbers() {
        let edges = |text: &str| {
            let keep = ReadOptions {
                directed: true,
                ..ReadOptions::default()
            };
            let (graph, _) = parse(text, &keep).unwrap();
            assert_eq!(graph.node_ids().unwrap(), ["1", "2", "3"]);
            graph.adjacency().iter().collect::<Vec<_>>()
        };
        let listed = edges("*Vertices 3\n*Arcslist\n1 2 3\n");
        assert_eq!(listed, [(0, 1, 1.0), (0, 2, 1.0)]);
        let matrix = edges("*Vertices 3\n*Matrix\n0 2 0\n0 0 1\n0 0 0\n");
        assert_eq!(matrix, [(0, 1, 2.0), (1, 2, 1.0)]);
        let text = "*Vertices 3\n*Edges\n1 2 1.0\n*Partition a\n*Vertices 3\n1\n2\n2\n";
        let (graph, report) = parse(text, &ReadOptions::default()).unwrap();
        assert_eq!(graph.adjacency().weights(), None);
        let remark = "everything from `*partition` on line 4 on is ignored";
        assert!(report.notes.contains(&Note::Remark(remark.into())));
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("", "g.net: there is no network in the file"),
            ("1 2\n", "line 1: this is not a Pajek network"),
            ("*Edges\n", "line 1: `*edges` comes before `*Vertices`"),
            ("*Vertices x\n", "line 1: `x` is not a number of nodes"),
            ("*Vertices 0\n", "there is no node in the file"),
            ("*Vertices 4000000000\n", "announcement of 4000000000 nodes"),
            (
                "*Vertices 1\n*Vertices 1\n",
                "line 2: there is a second network",
            ),
            ("*Vertices 1\n*Foo\n", "line 2: there is no section `foo`"),
            (
                "*Vertices 1\n2 \"a\"\n",
                "line 2: `2` is not a node from 1 to 1",
            ),
            ("*Vertices 1\n1 \"a\n", "line 2: a quote is not closed"),
            (
                "*Vertices 1\n1 a\n1 b\n",
                "line 3: there is a second node 1",
            ),
            (
                "*Vertices 2\n*Edges\n1\n",
                "line 3: an edge needs two nodes",
            ),
            ("*Vertices 2\n*Edges\n1 2 x\n", "line 3: weight `x`"),
            (
                "*Vertices 2\n*Matrix\n1 2 3\n",
                "line 3: row 1 of a matrix of 2",
            ),
            (
                "*Vertices 2\n*Matrix\n1 2\n",
                "the matrix of 2 nodes has 1 rows",
            ),
        ] {
            let error = parse(text, &ReadOptions::default())
                .unwrap_err()
                .to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
