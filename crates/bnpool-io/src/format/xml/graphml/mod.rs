//! GraphML.
//!
//! Data of the nodes become features or labels only if the options name them;
//! the data called `weight` of the edges are their weights, unless the options
//! name others. Nodes stand in the order of the file.

use std::collections::HashMap;
use std::path::Path;

use quick_xml::events::BytesStart;

use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::format::build::attributed::{AttributedGraph, NamedEdge, text_of};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;
use crate::format::table::{Holds, Read, Traits};
use crate::format::xml::{Xml, XmlEvent, is_gexf};

pub(crate) const FORMAT: Traits = Traits {
    name: "graphml",
    title: "GraphML",
    endings: &["graphml"],
    starts: |start| start.text().starts_with(b"<") && !is_gexf(start),
    holds: Holds::ATTRIBUTES,
    read: Read::One(read),
    write: None,
};

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 8)?;
    let mut document = Document {
        path: source.path(),
        xml: Xml::new(source.path(), source.text()?),
        weight: options.weight_name().unwrap_or("weight"),
        keys: Vec::new(),
        key_places: HashMap::new(),
        node_defaults: Vec::new(),
        graph: AttributedGraph::default(),
        graphs: 0,
        directed: false,
        owner: Owner::Graph,
        open_key: None,
        content: None,
        node_data: Vec::new(),
        edge_weight: None,
        default_weight: None,
        cells: 0,
    };
    document.read(options)?;
    document
        .graph
        .into_graph(source.path(), None, options, report)
        .map(Content::Graph)
}

/// What `<key>` declares.
#[derive(Debug, Default)]
struct Key {
    name: String,
    for_nodes: bool,
    for_edges: bool,
    default: Option<String>,
}

/// Whose `<data>` are being read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Owner {
    Graph,
    Node(u32),
    Edge,
}

/// The state of reading.
struct Document<'a> {
    path: &'a Path,
    xml: Xml<'a>,
    /// The name of the data that are the weights of edges.
    weight: &'a str,
    keys: Vec<Key>,
    key_places: HashMap<String, usize>,
    /// The keys that every node has by default.
    node_defaults: Vec<usize>,
    graph: AttributedGraph,
    graphs: usize,
    directed: bool,
    owner: Owner,
    /// The key whose default or data are being read.
    open_key: Option<usize>,
    /// The text of the innermost `<default>` or `<data>`.
    content: Option<String>,
    node_data: Vec<(usize, String)>,
    edge_weight: Option<String>,
    /// The weight of edges that have none.
    default_weight: Option<String>,
    /// Values of attributes so far, defaults included.
    cells: u64,
}

impl Document<'_> {
    fn read(&mut self, options: &ReadOptions) -> Result<(), ReadError> {
        loop {
            match self.xml.next()? {
                XmlEvent::Open(element) => self.open(&element)?,
                XmlEvent::Close(name) => self.close(&name, options)?,
                XmlEvent::Text(text) => self.append(&text),
                XmlEvent::End => break,
            }
        }
        if self.graphs == 0 {
            return Err(ReadError::in_file(
                self.path,
                "there is no graph in the file",
                "give a GraphML file with a `<graph>`",
            ));
        }
        Ok(())
    }

    fn open(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        match element.local_name().as_ref() {
            "key" => self.open_key_declaration(element)?,
            "default" => self.content = Some(String::new()),
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self.xml.error(
                        "there is a second or a nested graph",
                        "keep one flat graph a file",
                    ));
                }
                let default = self.xml.attribute(element, "edgedefault")?;
                self.directed = default.as_deref() == Some("directed");
            }
            "node" => {
                let id = self.xml.required(element, "id")?;
                let line = self.xml.line();
                self.owner = Owner::Node(self.graph.add_node(self.path, line, id)?);
            }
            "edge" => {
                let directed = self.xml.attribute(element, "directed")?;
                let edge = NamedEdge {
                    source: self.xml.required(element, "source")?,
                    target: self.xml.required(element, "target")?,
                    weight: None,
                    directed: directed.map_or(self.directed, |directed| directed == "true"),
                    line: self.xml.line(),
                };
                self.graph.edges.push(edge);
                self.owner = Owner::Edge;
            }
            "data" if self.open_key.is_none() => {
                // Data of a key that was not declared mean nothing.
                let id = self.xml.required(element, "key")?;
                self.open_key = self.key_places.get(&id).copied();
                self.content = Some(String::new());
            }
            "hyperedge" => {
                return Err(self.xml.error(
                    "hyperedges are not supported",
                    "replace them by edges of two nodes",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn open_key_declaration(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        let id = self.xml.required(element, "id")?;
        let owner = self.xml.attribute(element, "for")?;
        let owner = owner.as_deref().unwrap_or("all");
        let key = Key {
            name: self
                .xml
                .attribute(element, "attr.name")?
                .unwrap_or_else(|| id.clone()),
            for_nodes: matches!(owner, "node" | "all"),
            for_edges: matches!(owner, "edge" | "all"),
            default: None,
        };
        if key.for_nodes {
            // Features stand in the order of their keys.
            self.graph.attributes.declare(&key.name);
        }
        self.open_key = Some(self.keys.len());
        if self.key_places.insert(id, self.keys.len()).is_some() {
            return Err(self
                .xml
                .error("a key is declared twice", "give every key an id of its own"));
        }
        self.keys.push(key);
        Ok(())
    }

    fn close(&mut self, name: &str, options: &ReadOptions) -> Result<(), ReadError> {
        match name {
            "default" => {
                if let (Some(place), Some(content)) = (self.open_key, self.content.take()) {
                    let key = &mut self.keys[place];
                    if key.for_nodes && key.default.is_none() {
                        self.node_defaults.push(place);
                    }
                    if key.for_edges && key.name == self.weight {
                        self.default_weight = Some(content.clone());
                    }
                    key.default = Some(content);
                }
            }
            "key" => self.open_key = None,
            "data" => self.close_data(),
            "node" => self.close_node(options)?,
            "edge" => {
                let own = self.edge_weight.take();
                let weight = own.or_else(|| self.default_weight.clone());
                if let Some(edge) = self.graph.edges.last_mut() {
                    edge.weight = weight;
                }
                self.owner = Owner::Graph;
            }
            _ => {}
        }
        Ok(())
    }

    fn close_data(&mut self) {
        let (Some(place), Some(content)) = (self.open_key.take(), self.content.take()) else {
            return;
        };
        let key = &self.keys[place];
        match self.owner {
            Owner::Node(_) if key.for_nodes => self.node_data.push((place, content)),
            Owner::Edge if key.for_edges && key.name == self.weight => {
                self.edge_weight = Some(content);
            }
            _ => {}
        }
    }

    /// Records the data of a node, its own before those it has by default.
    fn close_node(&mut self, options: &ReadOptions) -> Result<(), ReadError> {
        let Owner::Node(node) = self.owner else {
            return Ok(());
        };
        self.owner = Owner::Graph;
        // Defaults multiply: a short file could stand for a huge one.
        self.cells += (self.node_data.len() + self.node_defaults.len()) as u64;
        let limits = &options.limits;
        limits.check_announced(self.path, "attributes", self.cells, self.xml.length())?;
        for (place, value) in self.node_data.drain(..) {
            let value = value.trim_ascii().to_owned();
            self.graph
                .attributes
                .push(node, &self.keys[place].name, value);
        }
        for &place in &self.node_defaults {
            let key = &self.keys[place];
            if let Some(value) = &key.default {
                let value = value.trim_ascii().to_owned();
                self.graph.attributes.push(node, &key.name, value);
            }
        }
        Ok(())
    }

    fn append(&mut self, text: &str) {
        if let Some(content) = &mut self.content {
            content.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests;
