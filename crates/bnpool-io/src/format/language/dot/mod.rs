//! Graphs in the DOT language of Graphviz: their nodes and edges.
//!
//! Edges are `--` (undirected) or `->` (directed), also in chains (`a -- b -- c`)
//! and between groups (`{a b} -- c`: all pairs). The `weight` of an edge is its
//! weight, unless the options name another attribute; `edge [weight=2]` holds
//! for the edges after it in its block. Of the edges between the same two nodes
//! of a `strict` graph the last counts. Attributes of nodes become features or
//! labels only if the options name them.
//!
//! Nodes are ordered as those of an edge list, because edges alone declare them.
//! Subgraphs count by their nodes and edges only. They, ports and default
//! attributes of nodes are otherwise ignored, and a note says so.

mod token;

use std::collections::HashMap;
use std::path::Path;

use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::format::build::attributed::{AttributedGraph, PlacedEdge, text_of, weight};
use crate::format::build::edge_table::{Names, NodeIds};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::start::after_comments;
use crate::format::table::{Holds, Read, Traits};
use bnpool_graph::Graph;
use token::{Lexer, Token};

/// Whether a text starts like `strict graph name {`, in small letters.
fn is_dot(text: &[u8]) -> bool {
    let rest = match text.strip_prefix(b"strict") {
        Some(rest) => rest.trim_ascii_start(),
        None => text,
    };
    let rest = rest.strip_prefix(b"di").unwrap_or(rest);
    let Some(rest) = rest.strip_prefix(b"graph") else {
        return false;
    };
    // The name, in quotes or without, stands on the same line or is missing.
    let Some(end) = memchr::memchr3(b'{', b'[', b',', rest) else {
        return false;
    };
    let name = rest[..end].trim_ascii();
    let blank = rest.first().is_some_and(|byte| byte.is_ascii_whitespace());
    rest[end] == b'{' && (name.is_empty() || blank && !name.contains(&b'\n'))
}

/// Deepest subgraphs that are read, to keep a hostile file from exhausting the
/// stack.
const DEEPEST: usize = 32;

const START: &str = "start with `graph {` or `digraph {`";

pub(crate) const FORMAT: Traits = Traits {
    endings: &["dot", "gv"],
    starts: |start| is_dot(after_comments(after_comments(start.text(), b"#"), b"//")),
    holds: Holds::ATTRIBUTES,
    ..Traits::of("dot", "DOT", Read::One(read))
};

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 24)?;
    let path = source.path();
    let mut parser = Parser {
        path,
        options,
        lexer: Lexer::new(path, source.text()?),
        bytes: source.bytes().len(),
        names: Names::default(),
        edges: Vec::new(),
        attributes: Vec::new(),
        ignored: [false; 3],
    };
    let strict = parser.header()?;
    parser.block(&mut Scope::default(), 0)?;
    if *parser.lexer.peek()? != Token::End {
        let remedy = "keep one graph a file";
        return Err(parser.lexer.error("something follows the graph", remedy));
    }
    parser.into_graph(strict, report).map(Content::Sorted)
}

/// Settings of a block and of those inside it.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// The weight of edges that have none of their own.
    weight: Option<f32>,
}

/// Attributes between brackets, with the line of each.
type Attributes<'a> = Vec<(std::borrow::Cow<'a, str>, String, usize)>;

struct Parser<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    lexer: Lexer<'a>,
    bytes: usize,
    names: Names,
    edges: Vec<PlacedEdge>,
    /// Node, name and value.
    attributes: Vec<(u32, String, String)>,
    /// Whether there are subgraphs, ports and default attributes of nodes.
    ignored: [bool; 3],
}

const IGNORED: [&str; 3] = [
    "subgraphs (their nodes and edges are read)",
    "ports",
    "default attributes of nodes",
];

impl<'a> Parser<'a> {
    /// Reads up to the first `{`; returns whether the graph is strict.
    fn header(&mut self) -> Result<bool, ReadError> {
        let mut word = self.lexer.next()?;
        let strict = is_word(&word, "strict");
        if strict {
            word = self.lexer.next()?;
        }
        if !is_word(&word, "graph") && !is_word(&word, "digraph") {
            return Err(self.lexer.error("this is not a DOT graph", START));
        }
        if matches!(self.lexer.peek()?, Token::Id { .. }) {
            self.lexer.next()?;
        }
        if self.lexer.take(b'{')? {
            Ok(strict)
        } else {
            Err(self.lexer.error("the graph does not start with `{`", START))
        }
    }

    /// Reads statements up to the `}`; returns the nodes in them.
    fn block(&mut self, scope: &mut Scope, depth: usize) -> Result<Vec<u32>, ReadError> {
        let mut nodes = Vec::new();
        loop {
            match self.lexer.peek()? {
                Token::Mark(b'}') => {
                    self.lexer.next()?;
                    nodes.sort_unstable();
                    nodes.dedup();
                    return Ok(nodes);
                }
                Token::Mark(b';' | b',') => drop(self.lexer.next()?),
                Token::End => {
                    return Err(self.lexer.error(
                        "a `{` is not closed by `}`",
                        "the file is cut off or damaged: fetch or write it again",
                    ));
                }
                _ => self.statement(scope, depth, &mut nodes)?,
            }
        }
    }

    fn statement(
        &mut self,
        scope: &mut Scope,
        depth: usize,
        nodes: &mut Vec<u32>,
    ) -> Result<(), ReadError> {
        for (place, word) in ["graph", "node", "edge"].into_iter().enumerate() {
            if is_word(self.lexer.peek()?, word) {
                self.lexer.next()?;
                let attributes = self.attributes()?;
                match place {
                    1 => self.ignored[2] |= !attributes.is_empty(),
                    2 => scope.weight = self.weight(&attributes)?.or(scope.weight),
                    _ => {}
                }
                return Ok(());
            }
        }
        let Some(first) = self.operand(scope, depth)? else {
            return Ok(());
        };
        nodes.extend(&first);
        let mut chain = vec![first];
        let mut directions = Vec::new();
        while let Token::Edge { directed } = *self.lexer.peek()? {
            self.lexer.next()?;
            let Some(next) = self.operand(scope, depth)? else {
                let remedy = "name the nodes of an edge";
                return Err(self.lexer.error("an assignment inside an edge", remedy));
            };
            nodes.extend(&next);
            directions.push(directed);
            chain.push(next);
        }
        let attributes = self.attributes()?;
        if directions.is_empty() {
            for &node in &chain[0] {
                for (name, value, _) in &attributes {
                    self.attributes
                        .push((node, name.to_string(), value.clone()));
                }
            }
            let cells = self.attributes.len() as u64;
            let limits = &self.options.limits;
            return limits.check_announced(self.path, "attributes", cells, self.bytes);
        }
        let weight = self.weight(&attributes)?.or(scope.weight);
        for (pair, directed) in chain.windows(2).zip(directions) {
            // Groups multiply: a short file could stand for a huge one.
            let more = pair[0].len() as u64 * pair[1].len() as u64;
            let count = self.edges.len() as u64 + more;
            let limits = &self.options.limits;
            limits.check_announced(self.path, "edges", count, self.bytes)?;
            for &source in &pair[0] {
                for &target in &pair[1] {
                    self.edges.push(PlacedEdge {
                        ends: (source, target),
                        weight,
                        directed,
                    });
                }
            }
        }
        Ok(())
    }

    /// A node, or the nodes of a subgraph; `None` after an assignment `a = b`.
    fn operand(&mut self, scope: &Scope, depth: usize) -> Result<Option<Vec<u32>>, ReadError> {
        let mut is_subgraph = is_word(self.lexer.peek()?, "subgraph");
        if is_subgraph {
            self.lexer.next()?;
            if matches!(self.lexer.peek()?, Token::Id { .. }) {
                self.lexer.next()?;
            }
        }
        if self.lexer.take(b'{')? {
            if depth == DEEPEST {
                let problem = "subgraphs are nested too deeply";
                return Err(self.lexer.error(problem, "flatten the file"));
            }
            self.ignored[0] |= is_subgraph;
            return self.block(&mut scope.clone(), depth + 1).map(Some);
        }
        // `subgraph x` without a block has nothing in it.
        if std::mem::take(&mut is_subgraph) {
            return Ok(Some(Vec::new()));
        }
        let Token::Id { text, .. } = self.lexer.next()? else {
            return Err(self.lexer.error(
                "the name of a node should stand here",
                "write nodes and edges as `a -- b` or `a -> b`",
            ));
        };
        if self.lexer.take(b'=')? {
            return match self.lexer.next()? {
                Token::Id { .. } => Ok(None),
                _ => Err(self.lexer.error("a value is missing after `=`", "add it")),
            };
        }
        while self.lexer.take(b':')? {
            self.ignored[1] = true;
            if !matches!(self.lexer.next()?, Token::Id { .. }) {
                return Err(self.lexer.error("a port is missing after `:`", "add it"));
            }
        }
        let place = self.names.place(&text);
        let place = place.map_err(|error| ReadError::graph(self.path, error))?;
        Ok(Some(vec![place]))
    }

    /// Any number of lists in brackets.
    fn attributes(&mut self) -> Result<Attributes<'a>, ReadError> {
        let mut attributes = Vec::new();
        while self.lexer.take(b'[')? {
            loop {
                match self.lexer.next()? {
                    Token::Mark(b']') => break,
                    Token::Mark(b';' | b',') => {}
                    Token::Id { text: name, .. } => {
                        let line = self.lexer.line();
                        // A name alone is true.
                        let value = if self.lexer.take(b'=')? {
                            match self.lexer.next()? {
                                Token::Id { text, .. } => text.into_owned(),
                                _ => {
                                    let problem = "a value is missing after `=`";
                                    return Err(self.lexer.error(problem, "add it"));
                                }
                            }
                        } else {
                            "true".to_owned()
                        };
                        attributes.push((name, value, line));
                    }
                    _ => {
                        return Err(self.lexer.error(
                            "an attribute or `]` should stand here",
                            "write attributes as `[name=value]`",
                        ));
                    }
                }
            }
        }
        Ok(attributes)
    }

    /// The weight among the attributes; the last one counts.
    fn weight(&self, attributes: &Attributes<'_>) -> Result<Option<f32>, ReadError> {
        let asked = self.options.weight_name().unwrap_or("weight");
        let mut found = attributes.iter().rev();
        match found.find(|(name, ..)| name == asked) {
            Some((_, value, line)) if self.options.reads_weights() => {
                weight(self.path, *line, value).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn into_graph(mut self, strict: bool, report: &mut ReadReport) -> Result<Graph, ReadError> {
        if strict {
            keep_last(&mut self.edges);
        }
        // The place of each node in the order of names.
        let mut places: Vec<(u32, u32)> =
            (0..self.names.list.len() as u32).map(|n| (n, n)).collect();
        let names: Vec<String> = match NodeIds::of_names(self.names.list, &mut places) {
            NodeIds::Range(nodes) => (0..nodes).map(|node| node.to_string()).collect(),
            NodeIds::Numbers(numbers) => numbers.iter().map(u64::to_string).collect(),
            NodeIds::Names(names) => names,
        };
        let place = |node: u32| places[node as usize].0;
        let mut graph = AttributedGraph::default();
        for name in names {
            graph.add_node(self.path, 1, name)?;
        }
        for edge in &mut self.edges {
            edge.ends = (place(edge.ends.0), place(edge.ends.1));
        }
        graph.placed = self.edges;
        for (_, name, _) in &self.attributes {
            graph.attributes.declare(name);
        }
        // The last mention counts, and those of a node come together.
        self.attributes.reverse();
        self.attributes.sort_by_key(|&(node, ..)| place(node));
        for (node, name, value) in self.attributes {
            graph.attributes.push(place(node), &name, value);
        }
        let ignored = IGNORED.iter().zip(self.ignored);
        let ignored: Vec<&str> = ignored
            .filter(|(_, is)| *is)
            .map(|(what, _)| *what)
            .collect();
        if !ignored.is_empty() {
            let remark = format!("ignored in the DOT file: {}", ignored.join(", "));
            report.notes.push(Note::Remark(remark));
        }
        graph.into_graph(self.path, None, self.options, report)
    }
}

/// Of the edges between the same nodes, the last.
fn keep_last(edges: &mut Vec<PlacedEdge>) {
    let mut places: HashMap<(u32, u32, bool), usize> = HashMap::new();
    let mut kept: Vec<PlacedEdge> = Vec::with_capacity(edges.len());
    for edge in edges.drain(..) {
        let (u, v) = edge.ends;
        let (u, v) = if edge.directed {
            (u, v)
        } else {
            (u.min(v), u.max(v))
        };
        let place = *places.entry((u, v, edge.directed)).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(before) => *before = edge,
            None => kept.push(edge),
        }
    }
    *edges = kept;
}

/// Whether a token is this keyword.
fn is_word(token: &Token<'_>, word: &str) -> bool {
    matches!(token, Token::Id { text, bare: true } if text.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
