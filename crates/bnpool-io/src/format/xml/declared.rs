//! Graphs whose file declares the attributes of nodes and edges before it gives
//! their values, as GraphML and GEXF do.

use std::collections::HashMap;
use std::path::Path;

use quick_xml::events::BytesStart;

use super::{Xml, XmlEvent};
use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::format::build::attributed::{AttributedGraph, NamedEdge, text_of};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;

/// A way to write such a graph. Both know `<graph>`, `<node>` and `<edge>`.
pub(super) trait Dialect: Default {
    /// The name of the format.
    const TITLE: &'static str;
    /// The attribute of a graph that is `directed` if its edges are.
    const ALL_DIRECTED: &'static str;
    /// The attribute of an edge for its direction, and its value if it has one.
    const DIRECTED: (&'static str, &'static str);
    /// The attribute of `<node>` that names it for people.
    const LABEL: Option<&'static str>;
    /// The attribute of `<edge>` for its weight.
    const WEIGHT: Option<&'static str>;

    /// An element of the dialect starts.
    fn open(&mut self, file: &mut Declared, element: &BytesStart) -> Result<(), ReadError>;
    /// The text that is being read, if any.
    fn text(&mut self) -> Option<&mut String>;
    /// An element of the dialect ends.
    fn close(&mut self, file: &mut Declared, name: &str);
}

/// Reads the graph of a file.
pub(super) fn read<D: Dialect>(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 8)?;
    let path = source.path();
    let mut file = Declared {
        path,
        xml: Xml::new(path, source.text()?),
        options,
        weight: options.weight_name().unwrap_or("weight"),
        nodes: Attributes::default(),
        edges: Attributes::default(),
        graph: AttributedGraph::default(),
        has_graph: false,
        directed: false,
        owner: Owner::Graph,
        cells: 0,
    };
    let mut dialect = D::default();
    loop {
        match file.xml.next()? {
            XmlEvent::Open(element) => match element.local_name().as_ref() {
                "graph" => file.open_graph::<D>(&element)?,
                "node" => file.open_node::<D>(&element)?,
                "edge" => file.open_edge::<D>(&element)?,
                _ => dialect.open(&mut file, &element)?,
            },
            XmlEvent::Text(text) => {
                if let Some(content) = dialect.text() {
                    content.push_str(&text);
                }
            }
            XmlEvent::Close(name) => match name.as_str() {
                "node" => file.close_node()?,
                "edge" => file.close_edge(),
                name => dialect.close(&mut file, name),
            },
            XmlEvent::End => break,
        }
    }
    if !file.has_graph {
        return Err(ReadError::in_file(
            path,
            "there is no graph in the file",
            format!("give a {} file with a `<graph>`", D::TITLE),
        ));
    }
    let graph = file.graph.into_graph(path, D::LABEL, options, report)?;
    Ok(Content::Graph(graph))
}

/// The owner of an attribute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Side {
    Node,
    Edge,
}

/// The attributes of nodes or edges that a file declares.
#[derive(Default)]
struct Attributes {
    places: HashMap<String, usize>,
    /// Name and default.
    list: Vec<(String, Option<String>)>,
}

/// The element whose values are being read.
enum Owner {
    Graph,
    Node {
        node: u32,
        values: Vec<(usize, String)>,
    },
    Edge,
}

/// The state of reading.
pub(super) struct Declared<'a> {
    path: &'a Path,
    pub(super) xml: Xml<'a>,
    options: &'a ReadOptions,
    /// The name of the weights of edges.
    weight: &'a str,
    nodes: Attributes,
    edges: Attributes,
    graph: AttributedGraph,
    has_graph: bool,
    directed: bool,
    owner: Owner,
    /// Values of attributes so far, defaults included.
    cells: u64,
}

impl Declared<'_> {
    /// Declares an attribute of nodes, of edges or of both; without a name it is
    /// called by its id.
    pub(super) fn declare(
        &mut self,
        sides: &[Side],
        id: &str,
        name: Option<String>,
    ) -> Result<(), ReadError> {
        let name = name.unwrap_or_else(|| id.to_owned());
        for side in sides {
            let attributes = match side {
                Side::Node => &mut self.nodes,
                Side::Edge => &mut self.edges,
            };
            let place = attributes.list.len();
            if attributes.places.insert(id.to_owned(), place).is_some() {
                return Err(self.xml.error(
                    "an attribute is declared twice",
                    "give every attribute an id of its own",
                ));
            }
            attributes.list.push((name.clone(), None));
        }
        if sides.contains(&Side::Node) {
            // Features stand in the order of their declarations.
            self.graph.attributes.declare(&name);
        }
        Ok(())
    }

    /// The value of the attribute that was declared last, for those without one.
    pub(super) fn set_default(&mut self, id: &str, value: &str) {
        for attributes in [&mut self.nodes, &mut self.edges] {
            if let Some(last) = attributes.list.len().checked_sub(1)
                && attributes.places.get(id) == Some(&last)
            {
                attributes.list[last].1 = Some(value.trim_ascii().to_owned());
            }
        }
    }

    /// Whether a node or an edge is open.
    pub(super) fn is_inside(&self) -> bool {
        !matches!(self.owner, Owner::Graph)
    }

    /// A value of the open node or edge. One of an attribute that was not declared
    /// means nothing.
    pub(super) fn value(&mut self, id: &str, value: &str) {
        let value = value.trim_ascii().to_owned();
        match &mut self.owner {
            Owner::Graph => {}
            Owner::Node { values, .. } => {
                if let Some(&place) = self.nodes.places.get(id) {
                    values.push((place, value));
                }
            }
            Owner::Edge => {
                let place = self.edges.places.get(id);
                if place.is_some_and(|&place| self.edges.list[place].0 == self.weight)
                    && let Some(edge) = self.graph.edges.last_mut()
                {
                    edge.weight.get_or_insert(value);
                }
            }
        }
    }

    fn open_graph<D: Dialect>(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        if std::mem::replace(&mut self.has_graph, true) {
            return Err(self.xml.error(
                "there is a second or a nested graph",
                "keep one flat graph a file",
            ));
        }
        let directed = self.xml.attribute(element, D::ALL_DIRECTED)?;
        self.directed = directed.as_deref() == Some("directed");
        Ok(())
    }

    fn check_flat(&self) -> Result<(), ReadError> {
        if !self.is_inside() {
            return Ok(());
        }
        Err(self.xml.error(
            "there is a node or an edge inside another",
            "export the graph without a hierarchy",
        ))
    }

    fn open_node<D: Dialect>(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        self.check_flat()?;
        let id = self.xml.required(element, "id")?;
        let line = self.xml.line();
        let node = self.graph.add_node(self.path, line, id)?;
        if let Some(name) = D::LABEL
            && let Some(label) = self.xml.attribute(element, name)?
        {
            self.graph.attributes.push(node, name, label);
        }
        let values = Vec::new();
        self.owner = Owner::Node { node, values };
        Ok(())
    }

    fn open_edge<D: Dialect>(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        self.check_flat()?;
        let (direction, directed) = D::DIRECTED;
        let own = self.xml.attribute(element, direction)?;
        let weight = match D::WEIGHT.filter(|&weight| weight == self.weight) {
            Some(weight) => self.xml.attribute(element, weight)?,
            None => None,
        };
        let edge = NamedEdge {
            source: self.xml.required(element, "source")?,
            target: self.xml.required(element, "target")?,
            weight,
            directed: own.map_or(self.directed, |own| own == directed),
            line: self.xml.line(),
        };
        self.graph.edges.push(edge);
        self.owner = Owner::Edge;
        Ok(())
    }

    /// Records the values of a node, its own before those it has by default.
    fn close_node(&mut self) -> Result<(), ReadError> {
        let Owner::Node { node, values } = std::mem::replace(&mut self.owner, Owner::Graph) else {
            return Ok(());
        };
        // Defaults multiply: a short file could stand for a huge one.
        let defaults = self.nodes.list.iter();
        let defaults = defaults.filter_map(|(name, value)| Some((name, value.as_ref()?)));
        self.cells += (values.len() + defaults.clone().count()) as u64;
        let limits = &self.options.limits;
        limits.check_announced(self.path, "attributes", self.cells, self.xml.length())?;
        let attributes = &mut self.graph.attributes;
        for (place, value) in values {
            attributes.push(node, &self.nodes.list[place].0, value);
        }
        for (name, value) in defaults {
            attributes.push(node, name, value.clone());
        }
        Ok(())
    }

    /// Gives an edge without a weight the one that edges have by default.
    fn close_edge(&mut self) {
        self.owner = Owner::Graph;
        let Some(edge) = self.graph.edges.last_mut() else {
            return;
        };
        if edge.weight.is_none() {
            let mut weights = self
                .edges
                .list
                .iter()
                .filter(|(name, _)| name == self.weight);
            edge.weight = weights.find_map(|(_, default)| default.clone());
        }
    }
}
