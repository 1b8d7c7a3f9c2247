//! METIS adjacency lists (`.graph`).
//!
//! The first line gives nodes, undirected edges and, optionally, a format of up
//! to three digits (node sizes, node weights, edge weights) and the number of
//! weights a node. Then comes a line for each node: its size and weights where
//! the format says so, and its neighbours, counted from 1, each followed by the
//! edge weight if there is one. Lines that start with `%` are comments, and a
//! blank line is a node without neighbours. Node ids are the numbers of the
//! file; node weights become features.

use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::bytes::limits::Limits;
use crate::bytes::source::Source;
use crate::format::build::attributes::NodeAttributes;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;
use crate::format::table::{Holds, Read, Traits};
use crate::format::text::{lines, parse_f32, parse_u32};
use bnpool_graph::Matrix;

pub(crate) const FORMAT: Traits = Traits {
    endings: &["graph", "metis"],
    holds: Holds {
        attributes: true,
        ..Holds::WEIGHTS
    },
    ..Traits::of("metis", "METIS", Read::One(read))
};

/// Most weights a node, to keep a wrong header from asking for more.
const MOST_NODE_WEIGHTS: u64 = 1024;

/// The content of the first line.
#[derive(Debug, PartialEq)]
struct Header {
    nodes: u64,
    edges: u64,
    node_sizes: bool,
    node_weights: usize,
    edge_weights: bool,
}

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = intake.into_text()?;
    let path = source.path().to_owned();
    let (mut table, node_weights) = parse(&source, &options.limits)?;
    drop(source);
    table.weights = table.weights.filter(|_| options.reads_weights());
    let graph = table.into_graph(&path, options, &mut report.notes)?;
    let Some(node_weights) = node_weights else {
        return Ok(Content::Graph(graph));
    };
    let mut attributes = NodeAttributes::default();
    let width = node_weights.columns();
    for node in 0..node_weights.rows() {
        for (place, weight) in (1..).zip(node_weights.row(node)) {
            let name = if width == 1 {
                "weight".to_owned()
            } else {
                format!("weight{place}")
            };
            attributes.push(node as u32, &name, weight.to_string());
        }
    }
    let (features, labels) = attributes.into_parts(&path, graph.nodes(), options, report)?;
    let mut builder = graph.into_builder().node_labels(labels);
    if let Some(features) = features {
        builder = builder.features(features);
    }
    builder
        .build()
        .map(Content::Graph)
        .map_err(|error| ReadError::graph(&path, error))
}

/// The edges and, if there are some, the node weights of a file.
fn parse(source: &Source, limits: &Limits) -> Result<(EdgeTable, Option<Matrix>), ReadError> {
    let (path, text) = (source.path(), source.text()?);
    let lines = lines(text).map(str::trim_ascii);
    let mut lines = (1..).zip(lines).filter(|(_, line)| !line.starts_with('%'));
    let first = lines.find(|(_, line)| !line.is_empty());
    let Some((number, header)) = first else {
        return Err(ReadError::in_file(
            path,
            "the line with nodes and edges is missing",
            "fetch or write the file again",
        ));
    };
    let Some(header) = parse_header(header) else {
        return Err(ReadError::at_line(
            path,
            number,
            format!(
                "{} is not the first line of a METIS file",
                quote(header.as_bytes())
            ),
            "give nodes, edges and optionally a format of digits 0 and 1",
        ));
    };
    limits.check_announced(path, "nodes", header.nodes, source.bytes().len())?;

    let mut rows = Rows::new(&header);
    for (number, line) in lines {
        if rows.nodes == header.nodes && line.is_empty() {
            continue;
        }
        if rows.nodes == header.nodes {
            return Err(ReadError::at_line(
                path,
                number,
                format!(
                    "there are more lines than the {} nodes announced",
                    header.nodes
                ),
                "check the first line",
            ));
        }
        if let Err(problem) = rows.push(line, &header) {
            return Err(ReadError::at_line(
                path,
                number,
                problem,
                "give a line for each node: its weights as announced, then its neighbours from 1",
            ));
        }
    }
    let listed = rows.edges.len() as u64;
    if rows.nodes != header.nodes || listed != header.edges.saturating_mul(2) {
        return Err(ReadError::in_file(
            path,
            format!(
                "{} nodes and {} edges (listed twice) are announced, but {} nodes and {listed} \
                 neighbours follow",
                header.nodes, header.edges, rows.nodes
            ),
            "check the first line, and that every edge stands at both of its nodes",
        ));
    }
    let features = match header.node_weights {
        0 => None,
        width => Some(
            Matrix::new(rows.nodes as usize, width, rows.node_weights)
                .map_err(|error| ReadError::graph(path, error))?,
        ),
    };
    let table = EdgeTable {
        ids: NodeIds::Numbers((1..=header.nodes).collect()),
        edges: rows.edges,
        weights: header.edge_weights.then_some(rows.edge_weights),
    };
    Ok((table, features))
}

fn parse_header(line: &str) -> Option<Header> {
    let fields: Vec<_> = line.split_ascii_whitespace().collect();
    let (nodes, edges, format, count) = match fields[..] {
        [nodes, edges] => (nodes, edges, "0", None),
        [nodes, edges, format] => (nodes, edges, format, None),
        [nodes, edges, format, count] => (nodes, edges, format, Some(count)),
        _ => return None,
    };
    if format.len() > 3 || !format.bytes().all(|digit| digit == b'0' || digit == b'1') {
        return None;
    }
    let flag = |place: usize| format.bytes().rev().nth(place) == Some(b'1');
    let count = match count {
        Some(count) => count
            .parse()
            .ok()
            .filter(|&count| count <= MOST_NODE_WEIGHTS)?,
        None => 1,
    };
    Some(Header {
        nodes: nodes.parse().ok()?,
        edges: edges.parse().ok()?,
        edge_weights: flag(0),
        node_weights: if flag(1) { count as usize } else { 0 },
        node_sizes: flag(2),
    })
}

/// The lines read so far.
struct Rows {
    nodes: u64,
    edges: Vec<(u32, u32)>,
    edge_weights: Vec<f32>,
    node_weights: Vec<f32>,
    announced: u64,
}

impl Rows {
    fn new(header: &Header) -> Self {
        Self {
            nodes: 0,
            edges: Vec::new(),
            edge_weights: Vec::new(),
            node_weights: Vec::new(),
            announced: header.nodes,
        }
    }

    fn push(&mut self, line: &str, header: &Header) -> Result<(), String> {
        let mut fields = line.split_ascii_whitespace();
        if header.node_sizes {
            weight(fields.next())?;
        }
        for _ in 0..header.node_weights {
            self.node_weights.push(weight(fields.next())?);
        }
        // The announced nodes fit 32 bits, or no neighbour would.
        let node = self.nodes as u32;
        while let Some(field) = fields.next() {
            match parse_u32(field.as_bytes()) {
                Some((neighbour, length))
                    if length == field.len()
                        && neighbour >= 1
                        && u64::from(neighbour) <= self.announced =>
                {
                    self.edges.push((node, neighbour - 1));
                }
                _ => {
                    return Err(format!(
                        "neighbour {} is not a number from 1 to {}",
                        quote(field.as_bytes()),
                        self.announced
                    ));
                }
            }
            if header.edge_weights {
                self.edge_weights.push(weight(fields.next())?);
            }
        }
        self.nodes += 1;
        Ok(())
    }
}

fn weight(field: Option<&str>) -> Result<f32, String> {
    let field = field.ok_or("a weight is missing at the end of the line")?;
    match parse_f32(field) {
        Some(weight) if weight >= 0.0 && weight.is_finite() => Ok(weight),
        _ => Err(format!(
            "weight {} is not a finite number of at least 0",
            quote(field.as_bytes())
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(EdgeTable, Option<Matrix>), ReadError> {
        let limits = Limits::default();
        super::parse(
            &Source::from_bytes("m.graph", text.into(), &limits)?,
            &limits,
        )
    }

    #[test]
    fn reads_plain_lists_with_lonely_nodes() {
        let (table, features) = parse("% c\n3 1\r\n2\r\n1\r\n\r\n").unwrap();
        assert_eq!(table.edges, [(0, 1), (1, 0)]);
        assert_eq!(table.ids.len(), 3);
        assert_eq!((table.weights, features), (None, None));
    }

    #[test]
    fn reads_sizes_and_weights() {
        let (table, features) = parse("2 1 111 2\n9 1 2 2 5\n9 3 4 1 5\n\n\n").unwrap();
        assert_eq!(table.edges, [(0, 1), (1, 0)]);
        assert_eq!(table.weights, Some(vec![5.0, 5.0]));
        assert_eq!(
            features,
            Some(Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap())
        );
        let (table, features) = parse("2 1 1\n2 7\n1 7\n").unwrap();
        assert_eq!((table.weights, features), (Some(vec![7.0, 7.0]), None));
    }

    #[test]
    fn refuses_the_rest() {
        for (text, message) in [
            ("", "m.graph: the line with nodes and edges is missing"),
            ("3\n", "line 1: `3` is not the first line"),
            ("3 1 7\n", "line 1: `3 1 7` is not the first line"),
            ("2 1 10 99999999999\n", "is not the first line"),
            ("4000000000 0\n", "announcement of 4000000000 nodes"),
            (
                "2 1\n2\n3\n",
                "line 3: neighbour `3` is not a number from 1 to 2",
            ),
            (
                "2 1\n2\n0\n",
                "line 3: neighbour `0` is not a number from 1 to 2",
            ),
            (
                "2 1\n2\n1\n1\n",
                "line 4: there are more lines than the 2 nodes",
            ),
            ("2 1\n2\n", "but 1 nodes and 1 neighbours follow"),
            (
                "2 2\n2\n1\n",
                "2 nodes and 2 edges (listed twice) are announced, but 2 nodes and 2",
            ),
            ("2 1 1\n2\n1 1\n", "line 2: a weight is missing"),
            (
                "2 1 1\n2 -1\n1 1\n",
                "line 2: weight `-1` is not a finite number",
            ),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
