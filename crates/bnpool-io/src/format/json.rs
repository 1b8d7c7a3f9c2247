//! JSON: node-link graphs, as networkx's `node_link_data` and D3 write them, graphs of
//! Cytoscape, and tables of edges.
//!
//! A node-link file is an object with the lists `nodes` and `links` (or `edges`). A link
//! has a `source` and a `target`, which are `id`s of nodes. If no node has an
//! `id`, they are places in the list, counted from 0, and the nodes are called
//! by their `name` if all names differ. `weight` (or else `value`) of a link is
//! its weight, unless the options name another key. All other keys of a node are
//! attributes, which become features or labels only if the options name them.
//!
//! The `elements` of Cytoscape are such nodes and links, each in an object `data`.
//! Lists of pairs or triples, lists of objects, and an object a line are tables of
//! edges; their columns are chosen as those of an edge list are.
//!
//! The text of a graph is read twice, first for the nodes and then for the links, so that
//! the two lists may stand in either order. No tree of the file is built.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use bnpool_math::memory::bytes_of;
use serde::Deserializer as _;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::options::ReadOptions;
use super::report::ReadReport;
use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::bytes::source::Source;
use crate::format::build::attributed::{AttributedGraph, PlacedEdge, text_of, weight};
use crate::format::edge_list::read_table;
use crate::format::nodes::tables::Content;
use crate::format::table::{Format, Holds, Read, Traits};
use crate::format::text::sample::Fields;

pub(crate) const FORMAT: Traits = Traits {
    endings: &["json"],
    starts: |start| {
        let mut marks = start
            .text()
            .iter()
            .filter(|byte| !byte.is_ascii_whitespace());
        match (marks.next(), marks.next()) {
            (Some(b'{'), _) => true,
            (Some(b'['), second) => matches!(second, None | Some(b'[' | b'{')),
            _ => false,
        }
    },
    holds: Holds {
        columns: true,
        ..Holds::ATTRIBUTES
    },
    ..Traits::of("json", "node-link JSON", Read::One(read))
};

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 8)?;
    if let Some((names, rows)) = table(&source, options)? {
        return read_table(source.path(), names, &rows, options, report).map(Content::Edges);
    }
    // A graph is read with the options of other formats of graphs.
    if options.without_effect(&[Format::Gml]).is_some() {
        let problem = "this is a graph and no table of edges: there are no columns to choose from";
        return Err(ReadError::in_file(
            source.path(),
            problem,
            "leave the choice out",
        ));
    }
    let mut document = Document {
        path: source.path(),
        options,
        graph: AttributedGraph::default(),
        by_place: None,
        directed: false,
        lists: None,
        refused: None,
    };
    let text = source.text()?;
    document.pass(text, Pass::Nodes)?;
    document.pass(text, Pass::Links)?;
    let display = (document.by_place == Some(true)).then_some("name");
    document
        .graph
        .into_graph(source.path(), display, options, report)
        .map(Content::Graph)
}

/// A table: the names of its columns, if it has some, and its rows.
type Table = (Option<Vec<String>>, Vec<Fields<'static>>);

/// The table of edges in a text, if it is a list or has an object a line.
fn table(source: &Source, options: &ReadOptions) -> Result<Option<Table>, ReadError> {
    // A cell of two bytes becomes a text of its own.
    const GROWTH: usize = 24;
    let (path, text) = (source.path(), source.text()?);
    let refuse = |error: serde_json::Error| {
        let problem = format!("this is no table of edges in JSON ({error})");
        let remedy = "give pairs `[source, target]`, or objects with a source and a target";
        ReadError::at_line(path, error.line().max(1), problem, remedy)
    };
    let needed = bytes_of::<u8>(&[text.len(), GROWTH]);
    let check = || {
        options
            .limits
            .check_memory(path, "a table of edges", needed)
    };
    let is_list = text.trim_ascii_start().starts_with('[');
    let rows: Vec<Row> = if is_list {
        check()?;
        serde_json::from_str(text).map_err(refuse)?
    } else {
        let mut rows = serde_json::Deserializer::from_str(text).into_iter::<Row>();
        // A single object is a graph, and bad lines are told by its reader too.
        match (rows.next(), rows.next()) {
            (Some(Ok(first)), Some(Ok(second))) => {
                check()?;
                let mut all = vec![first, second];
                for row in rows {
                    all.push(row.map_err(refuse)?);
                }
                all
            }
            _ => return Ok(None),
        }
    };
    let mut names: Vec<String> = Vec::new();
    let mut table = Vec::with_capacity(rows.len());
    let named = rows
        .iter()
        .filter(|row| matches!(row, Row::Named(_)))
        .count();
    if named > 0 && named < rows.len() {
        let problem = "some edges are lists, and others objects";
        return Err(ReadError::in_file(path, problem, "write all edges alike"));
    }
    for row in rows {
        table.push(match row {
            Row::Cells(cells) if matches!(cells.len(), 2 | 3) => cells,
            Row::Cells(cells) => {
                let problem = format!("a list of {} values is no edge", cells.len());
                let remedy = "give pairs `[source, target]`, or triples with weights";
                return Err(ReadError::in_file(path, problem, remedy));
            }
            Row::Named(cells) => {
                let mut fields = Fields::new();
                for (name, cell) in cells {
                    let place = names.iter().position(|known| *known == name);
                    let place = place.unwrap_or_else(|| {
                        names.push(name);
                        names.len() - 1
                    });
                    if fields.len() <= place {
                        fields.resize(place + 1, Cow::Borrowed(""));
                    }
                    fields[place] = cell;
                }
                fields
            }
        });
    }
    Ok(Some(((named > 0).then_some(names), table)))
}

/// An edge of a table.
enum Row {
    Cells(Vec<Cow<'static, str>>),
    Named(Vec<(String, Cow<'static, str>)>),
}

impl<'de> serde::Deserialize<'de> for Row {
    fn deserialize<D: serde::Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(RowVisitor)
    }
}

struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an edge as a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Row, A::Error> {
        let mut cells = Vec::new();
        while let Some(cell) = list.next_element_seed(Atom)? {
            cells.push(cell.unwrap_or_default().into());
        }
        Ok(Row::Cells(cells))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Row, A::Error> {
        let mut cells = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            cells.push((name, map.next_value_seed(Atom)?.unwrap_or_default().into()));
        }
        Ok(Row::Named(cells))
    }
}

/// The list that a pass reads.
#[derive(Clone, Copy, PartialEq)]
enum Pass {
    Nodes,
    Links,
}

/// The lists that were found in a pass.
#[derive(Default)]
struct Lists {
    nodes: bool,
    links: bool,
    /// A key of another kind of JSON.
    other: Option<&'static str>,
}

struct Document<'a> {
    path: &'a Path,
    options: &'a ReadOptions,
    graph: AttributedGraph,
    /// Whether links name nodes by their places, once a node was seen.
    by_place: Option<bool>,
    directed: bool,
    lists: Option<Lists>,
    /// A problem of the content, of which serde only keeps the line.
    refused: Option<ReadError>,
}

impl Document<'_> {
    fn pass(&mut self, text: &str, pass: Pass) -> Result<(), ReadError> {
        self.lists = Some(Lists::default());
        let path = self.path;
        let mut json = serde_json::Deserializer::from_str(text);
        let read = json.deserialize_map(Top {
            document: self,
            pass,
        });
        read.and_then(|()| json.end()).map_err(|error| {
            let refused = self.refused.take().unwrap_or_else(|| {
                ReadError::in_file(
                    path,
                    format!("this is not node-link JSON ({error})"),
                    "write it with `json.dump(networkx.node_link_data(graph), file)`",
                )
            });
            refused.on_line(error.line().max(1))
        })?;
        let lists = self.lists.take().unwrap_or_default();
        let missing = match (lists.nodes, lists.links) {
            (true, true) => return Ok(()),
            (false, _) => "nodes",
            (true, false) => "links",
        };
        Err(ReadError::in_file(
            path,
            match lists.other {
                Some(key) => format!("there is no list `{missing}`, but {key}"),
                None => format!("there is no list `{missing}`"),
            },
            "write it with `json.dump(networkx.node_link_data(graph), file)`",
        ))
    }

    /// Keeps a problem until the line is known.
    fn refuse<E: serde::de::Error>(&mut self, problem: String, remedy: &'static str) -> E {
        self.keep(ReadError::in_file(self.path, problem, remedy))
    }

    fn keep<E: serde::de::Error>(&mut self, error: ReadError) -> E {
        self.refused = Some(error);
        E::custom("")
    }

    fn add_node<E: serde::de::Error>(
        &mut self,
        id: Option<String>,
        attributes: Vec<(String, String)>,
    ) -> Result<(), E> {
        let by_place = id.is_none();
        if *self.by_place.get_or_insert(by_place) != by_place {
            let remedy = "give every node an `id`, or none";
            return Err(self.refuse("a node lacks the `id` that others have".to_owned(), remedy));
        }
        let id = id.unwrap_or_else(|| self.graph.names.len().to_string());
        let added = self.graph.add_node(self.path, 1, id);
        let node = added.map_err(|error| self.keep(error))?;
        for (name, value) in attributes {
            self.graph.attributes.push(node, &name, value);
        }
        Ok(())
    }

    fn add_link<E: serde::de::Error>(&mut self, link: Link) -> Result<(), E> {
        let mut ends = [0; 2];
        for (end, (key, name)) in ends
            .iter_mut()
            .zip([("source", link.source), ("target", link.target)])
        {
            let Some(name) = name else {
                let problem = format!("a link lacks `{key}`, or it is no text and no number");
                return Err(self.refuse(problem, "give every link a `source` and a `target`"));
            };
            let Some(place) = self.graph.place(&name) else {
                let problem = format!("no node is called {}", quote(name.as_bytes()));
                return Err(self.refuse(problem, "list both nodes of the link in `nodes`"));
            };
            *end = place;
        }
        let field = link.named.or(link.weight).or(link.value);
        let field = field.filter(|_| self.options.reads_weights());
        let weight = field.map(|field| weight(self.path, 1, &field)).transpose();
        let weight = weight.map_err(|error| self.keep(error))?;
        self.graph.placed.push(PlacedEdge {
            ends: (ends[0], ends[1]),
            weight,
            directed: self.directed,
        });
        Ok(())
    }
}

/// The object that is the file.
struct Top<'d, 'a> {
    document: &'d mut Document<'a>,
    pass: Pass,
}

impl<'de> Visitor<'de> for Top<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `nodes` and `links`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (document, pass) = (self.document, self.pass);
        while let Some(key) = map.next_key::<String>()? {
            let lists = document.lists.get_or_insert_default();
            let again = match key.as_str() {
                "nodes" => std::mem::replace(&mut lists.nodes, true),
                "links" | "edges" => std::mem::replace(&mut lists.links, true),
                "adjacency" => {
                    lists.other = Some("`adjacency` (of `adjacency_data`)");
                    false
                }
                "elements" => {
                    (lists.nodes, lists.links) = (true, true);
                    false
                }
                _ => false,
            };
            if again {
                let problem = format!("there is a second list `{key}` of nodes or links");
                return Err(document.refuse(problem, "keep one list `nodes` and one list `links`"));
            }
            match (key.as_str(), pass) {
                ("nodes", Pass::Nodes) => map.next_value_seed(NodeList(document))?,
                ("links" | "edges", Pass::Links) => map.next_value_seed(LinkList(document))?,
                ("elements", _) => map.next_value_seed(Elements(document, pass))?,
                ("directed", Pass::Nodes) => {
                    document.directed = map.next_value_seed(Atom)?.as_deref() == Some("true");
                }
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

/// A list of objects, each handed to the document.
macro_rules! list {
    ($list:ident, $item:ident, $expected:literal) => {
        struct $list<'d, 'a>(&'d mut Document<'a>);

        impl<'de> DeserializeSeed<'de> for $list<'_, '_> {
            type Value = ();

            fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
                json.deserialize_seq(self)
            }
        }

        impl<'de> Visitor<'de> for $list<'_, '_> {
            type Value = ();

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!("a list of ", $expected, "s"))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
                while list.next_element_seed($item(&mut *self.0))?.is_some() {}
                Ok(())
            }
        }

        struct $item<'d, 'a>(&'d mut Document<'a>);

        impl<'de> DeserializeSeed<'de> for $item<'_, '_> {
            type Value = ();

            fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
                json.deserialize_map(self)
            }
        }
    };
}

list!(NodeList, Node, "node");
list!(LinkList, LinkItem, "link");

impl<'de> Visitor<'de> for Node<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a node as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let (mut id, mut has_id) = (None, false);
        let mut attributes = Vec::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Atom)?;
            if key == "id" {
                has_id = true;
                id = value;
            } else if let Some(value) = value {
                attributes.push((key, value));
            }
        }
        if has_id && id.is_none() {
            let problem = "the `id` of a node is no text and no number".to_owned();
            return Err(self
                .0
                .refuse(problem, "rename the nodes before writing them"));
        }
        self.0.add_node(id, attributes)
    }
}

/// The elements of Cytoscape: lists of nodes and edges, or one list of both.
struct Elements<'d, 'a>(&'d mut Document<'a>, Pass);

impl<'de> DeserializeSeed<'de> for Elements<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Elements<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the elements of a graph")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key::<String>()?.is_some() {
            map.next_value_seed(Elements(&mut *self.0, self.1))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(Element { data }) = list.next_element()? {
            let take = |key: &str| data.get(key).cloned();
            let is_link = data.contains_key("source") && data.contains_key("target");
            match (self.1, is_link) {
                (Pass::Nodes, false) => {
                    let attributes = data.iter().filter(|(key, _)| *key != "id");
                    let attributes = attributes.map(|(key, value)| (key.clone(), value.clone()));
                    self.0.add_node(take("id"), attributes.collect())?;
                }
                (Pass::Links, true) => {
                    let named = self.0.options.weight_name();
                    self.0.add_link(Link {
                        source: take("source"),
                        target: take("target"),
                        weight: take("weight").filter(|_| named.is_none()),
                        value: None,
                        named: named.and_then(take),
                    })?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// An element of Cytoscape.
#[derive(serde::Deserialize)]
struct Element {
    #[serde(deserialize_with = "atoms")]
    data: BTreeMap<String, String>,
}

/// The values of an object that are text, numbers or truth values.
fn atoms<'de, D: serde::Deserializer<'de>>(json: D) -> Result<BTreeMap<String, String>, D::Error> {
    match json.deserialize_map(RowVisitor)? {
        Row::Named(cells) => {
            let cells = cells.into_iter().filter(|(_, cell)| !cell.is_empty());
            Ok(cells
                .map(|(name, cell)| (name, cell.into_owned()))
                .collect())
        }
        Row::Cells(_) => Ok(BTreeMap::new()),
    }
}

/// The keys of a link that matter.
#[derive(Default)]
struct Link {
    source: Option<String>,
    target: Option<String>,
    weight: Option<String>,
    value: Option<String>,
    /// The weight that the options name.
    named: Option<String>,
}

impl<'de> Visitor<'de> for LinkItem<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a link as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut link = Link::default();
        let named = self.0.options.weight_name();
        while let Some(key) = map.next_key::<String>()? {
            let place = match key.as_str() {
                "source" => &mut link.source,
                "target" => &mut link.target,
                key if Some(key) == named => &mut link.named,
                "weight" if named.is_none() => &mut link.weight,
                "value" if named.is_none() => &mut link.value,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            *place = map.next_value_seed(Atom)?;
        }
        self.0.add_link(link)
    }
}

/// A text, a number or a truth value, as text; nothing for anything else.
struct Atom;

impl<'de> DeserializeSeed<'de> for Atom {
    type Value = Option<String>;

    fn deserialize<D: serde::Deserializer<'de>>(self, json: D) -> Result<Option<String>, D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Atom {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, value: &str) -> Result<Option<String>, E> {
        Ok(Some(value.to_owned()))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Option<String>, E> {
        Ok(Some(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Option<String>, E> {
        Ok(Some(value.to_string()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Option<String>, E> {
        Ok(Some(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Option<String>, E> {
        Ok(Some(value.to_string()))
    }

    fn visit_unit<E>(self) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Option<String>, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<String>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::format::read::read_text;
    use crate::format::{Note, Weights};
    use bnpool_graph::Graph;

    fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
        read_text("g.json", Format::NodeLink, text, options)
    }

    const CLUB: &str = r#"{"directed": false, "multigraph": false, "graph": {"name": [1]},
        "links": [{"source": "a", "target": 7, "weight": 0.5, "x": {"y": []}}],
        "nodes": [{"age": 40.5, "id": "a", "old": true}, {"id": 7, "age": 7, "old": null}]}"#;

    #[test]
    fn reads_nodes_links_and_attributes() {
        let (graph, report) = parse(CLUB, &ReadOptions::default()).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["a", "7"]);
        assert_eq!(graph.adjacency().weights(), Some(&[0.5, 0.5][..]));
        assert_eq!(graph.features().width(), 0);
        let left_out = vec!["age".into(), "old".into()];
        assert_eq!(report.notes, [Note::AttributesLeftOut(left_out)]);
        let options = ReadOptions {
            node_attributes: vec!["age".into()],
            weights: Weights::Ignore,
            ..ReadOptions::default()
        };
        let (graph, _) = parse(&CLUB.replace("links", "edges"), &options).unwrap();
        assert_eq!(graph.features().to_dense().as_slice(), [40.5, 7.0]);
        assert_eq!(graph.adjacency().weights(), None);
    }

    #[test]
    fn links_may_name_places() {
        let text = r#"{"nodes": [{"name": "x"}, {"name": "y"}, {"name": "z"}],
            "links": [{"source": 2, "target": 0, "value": 3}]}"#;
        let (graph, _) = parse(text, &ReadOptions::default()).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["x", "y", "z"]);
        let edges: Vec<_> = graph.adjacency().iter().collect();
        assert_eq!(edges, [(0, 2, 3.0), (2, 0, 3.0)]);
    }

    #[test]
    fn directions_and_named_weights() {
        let text = r#"{"directed": true, "nodes": [{"id": 0}, {"id": 1}],
            "links": [{"source": 0, "target": 1, "miles": 3, "weight": 9}]}"#;
        let options = ReadOptions {
            directed: true,
            weights: Weights::Column("miles".into()),
            ..ReadOptions::default()
        };
        let (graph, _) = parse(text, &options).unwrap();
        assert_eq!((graph.edges(), graph.node_ids()), (1, None));
        assert_eq!(graph.adjacency().weights(), Some(&[3.0][..]));
        let (_, report) = parse(text, &ReadOptions::default()).unwrap();
        assert_eq!(report.notes, [Note::Symmetrised { added: 1 }]);
    }

    #[test]
    fn errors_name_the_line() {
        let deep = format!("{{\"nodes\": [{{\"id\": {}", "[".repeat(100_000));
        for (text, message) in [
            ("", "line 1: this is not node-link JSON"),
            ("[1]", "line 1: this is no table of edges in JSON"),
            ("[[1, 2], [3]]", "a list of 1 values is no edge"),
            ("[[1, 2], {}]", "some edges are lists, and others objects"),
            ("[[1, 2], [3, null]]", "edge 2: a node id is empty"),
            ("{}", "g.json: there is no list `nodes`; write it with"),
            ("{\"elements\": {}}", "there is no node in the file"),
            (
                "{\"elements\": [{\"data\": {\"id\": 1}}, {\"data\": {\"source\": 1, \"target\": 2}}]}",
                "no node is called `2`",
            ),
            (
                "{\"a\": 1, \"b\": 2}\n{\"a\": 1, \"b\": 2}\n{",
                "line 3: this is no table of edges in JSON",
            ),
            ("{\"nodes\": [{\"id\": 1}]}", "there is no list `links`"),
            (
                "{\"nodes\": [], \"links\": []}",
                "there is no node in the file",
            ),
            (
                "{\"nodes\": [{\"id\": 1},\n{\"id\": 1}], \"links\": []}",
                "line 2: there is a second node `1`",
            ),
            (
                "{\"nodes\": [{\"id\": 1},\n{}], \"links\": []}",
                "line 2: a node lacks the `id` that others have",
            ),
            (
                "{\"nodes\": [{\"id\": [1]}], \"links\": []}",
                "the `id` of a node is no text and no number",
            ),
            (
                "{\"nodes\": [{\"id\": 1}],\n\"links\": [\n{\"source\": 1, \"target\": 2}]}",
                "line 3: no node is called `2`",
            ),
            (
                "{\"nodes\": [{\"id\": 1}],\n\"links\": [{\"source\": 1}]}",
                "line 2: a link lacks `target`",
            ),
            (
                "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 1, \"weight\": -1}]}",
                "weight `-1` is negative",
            ),
            (
                "{\"nodes\": [], \"nodes\": [], \"links\": []}",
                "there is a second list `nodes`",
            ),
            ("{\"nodes\": [{\"id\": 1}]", "this is not node-link JSON"),
            ("{\"nodes\": [{\"id\": 1}], \"links\": []} x", "trailing"),
            (&deep, "this is not node-link JSON"),
        ] {
            let error = parse(text, &ReadOptions::default())
                .unwrap_err()
                .to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
