//! GEXF, as Gephi and networkx write it.
//!
//! Nodes are called by their `label` if all labels differ, else by their `id`,
//! and stand in the order of the file. Values of attributes (`<attvalue>`) of
//! the nodes become features or labels only if the options name them by the
//! title of the attribute. The `weight` of an edge, or else its attribute of
//! that title, is its weight, unless the options name another. Nodes inside
//! nodes are refused. Colours, positions and times are ignored; of a value that
//! changes over time the first counts.

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

/// The attribute that holds the labels of the nodes.
const LABEL: &str = "label";

pub(crate) const FORMAT: Traits = Traits {
    name: "gexf",
    title: "GEXF",
    endings: &["gexf"],
    starts: is_gexf,
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
        options,
        weight: options.weight_name().unwrap_or("weight"),
        node_keys: Keys::default(),
        edge_keys: Keys::default(),
        class: Class::Other,
        declared: None,
        default: None,
        graph: AttributedGraph::default(),
        graphs: 0,
        directed: false,
        owner: Owner::Graph,
        cells: 0,
    };
    document.read()?;
    document
        .graph
        .into_graph(source.path(), Some(LABEL), options, report)
        .map(Content::Graph)
}

/// The attributes of nodes or edges that the file declares.
#[derive(Default)]
struct Keys {
    places: HashMap<String, usize>,
    /// Title and default.
    list: Vec<(String, Option<String>)>,
}

/// Whose attributes are being declared.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Node,
    Edge,
    Other,
}

/// Whose values are being read.
enum Owner {
    Graph,
    Node {
        node: u32,
        values: Vec<(usize, String)>,
    },
    Edge {
        own: bool,
    },
}

/// The state of reading.
struct Document<'a> {
    path: &'a Path,
    xml: Xml<'a>,
    options: &'a ReadOptions,
    /// The name of the weights of edges.
    weight: &'a str,
    node_keys: Keys,
    edge_keys: Keys,
    class: Class,
    /// The attribute that is being declared.
    declared: Option<usize>,
    /// The text of its `<default>`.
    default: Option<String>,
    graph: AttributedGraph,
    graphs: usize,
    directed: bool,
    owner: Owner,
    /// Values of attributes so far, defaults included.
    cells: u64,
}

impl Document<'_> {
    fn read(&mut self) -> Result<(), ReadError> {
        loop {
            match self.xml.next()? {
                XmlEvent::Open(element) => self.open(&element)?,
                XmlEvent::Close(name) => self.close(&name)?,
                XmlEvent::Text(text) => {
                    if let Some(default) = &mut self.default {
                        default.push_str(&text);
                    }
                }
                XmlEvent::End => break,
            }
        }
        if self.graphs == 0 {
            return Err(ReadError::in_file(
                self.path,
                "there is no graph in the file",
                "give a GEXF file with a `<graph>`",
            ));
        }
        Ok(())
    }

    fn open(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        match element.local_name().as_ref() {
            "graph" => {
                self.graphs += 1;
                if self.graphs > 1 {
                    return Err(self
                        .xml
                        .error("there is a second graph", "keep one graph a file"));
                }
                let default = self.xml.attribute(element, "defaultedgetype")?;
                self.directed = default.as_deref() == Some("directed");
            }
            "attributes" => {
                self.class = match self.xml.attribute(element, "class")?.as_deref() {
                    Some("node") => Class::Node,
                    Some("edge") => Class::Edge,
                    _ => Class::Other,
                };
            }
            "attribute" => self.declare(element)?,
            "default" if self.declared.is_some() => self.default = Some(String::new()),
            "node" => self.open_node(element)?,
            "edge" => self.open_edge(element)?,
            "attvalue" => self.value(element)?,
            _ => {}
        }
        Ok(())
    }

    fn declare(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        let keys = match self.class {
            Class::Node => &mut self.node_keys,
            Class::Edge => &mut self.edge_keys,
            Class::Other => return Ok(()),
        };
        let id = self.xml.required(element, "id")?;
        let title = self.xml.attribute(element, "title")?;
        let title = title.unwrap_or_else(|| id.clone());
        if self.class == Class::Node {
            // Features stand in the order of their declarations.
            self.graph.attributes.declare(&title);
        }
        self.declared = Some(keys.list.len());
        if keys.places.insert(id, keys.list.len()).is_some() {
            return Err(self.xml.error(
                "an attribute is declared twice",
                "give every attribute an id of its own",
            ));
        }
        keys.list.push((title, None));
        Ok(())
    }

    fn open_node(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        if !matches!(self.owner, Owner::Graph) {
            return Err(self.xml.error(
                "there is a node inside another node or edge",
                "export the graph without a hierarchy",
            ));
        }
        let id = self.xml.required(element, "id")?;
        let label = self.xml.attribute(element, "label")?;
        let line = self.xml.line();
        let node = self.graph.add_node(self.path, line, id)?;
        if let Some(label) = label {
            self.graph.attributes.push(node, LABEL, label);
        }
        let values = Vec::new();
        self.owner = Owner::Node { node, values };
        Ok(())
    }

    fn open_edge(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        if !matches!(self.owner, Owner::Graph) {
            return Err(self.xml.error(
                "there is an edge inside a node or another edge",
                "export the graph without a hierarchy",
            ));
        }
        let weight = match self.weight {
            "weight" => self.xml.attribute(element, "weight")?,
            _ => None,
        };
        let kind = self.xml.attribute(element, "type")?;
        self.owner = Owner::Edge {
            own: weight.is_some(),
        };
        let edge = NamedEdge {
            source: self.xml.required(element, "source")?,
            target: self.xml.required(element, "target")?,
            weight,
            directed: kind.map_or(self.directed, |kind| kind == "directed"),
            line: self.xml.line(),
        };
        self.graph.edges.push(edge);
        Ok(())
    }

    fn value(&mut self, element: &BytesStart) -> Result<(), ReadError> {
        if matches!(self.owner, Owner::Graph) {
            return Ok(());
        }
        // Version 1.0 of the format calls it `id`.
        let id = match self.xml.attribute(element, "for")? {
            Some(id) => id,
            None => self.xml.required(element, "id")?,
        };
        let value = self.xml.required(element, "value")?;
        match &mut self.owner {
            Owner::Node { values, .. } => {
                if let Some(&place) = self.node_keys.places.get(&id) {
                    values.push((place, value));
                }
            }
            Owner::Edge { own } => {
                let place = self.edge_keys.places.get(&id);
                let is_weight = place.is_some_and(|&key| self.edge_keys.list[key].0 == self.weight);
                if is_weight
                    && !*own
                    && let Some(edge) = self.graph.edges.last_mut()
                {
                    edge.weight = Some(value);
                    *own = true;
                }
            }
            Owner::Graph => {}
        }
        Ok(())
    }

    fn close(&mut self, name: &str) -> Result<(), ReadError> {
        match name {
            "attributes" => self.class = Class::Other,
            "attribute" => self.declared = None,
            "default" => {
                let keys = match self.class {
                    Class::Node => &mut self.node_keys,
                    _ => &mut self.edge_keys,
                };
                if let (Some(place), Some(default)) = (self.declared, self.default.take()) {
                    keys.list[place].1 = Some(default.trim_ascii().to_owned());
                }
            }
            "node" => self.close_node()?,
            "edge" => {
                let default = || {
                    let keys = self.edge_keys.list.iter();
                    let mut keys = keys.filter(|(title, _)| title == self.weight);
                    keys.find_map(|(_, default)| default.clone())
                };
                if let Owner::Edge { own: false } = self.owner
                    && let Some(edge) = self.graph.edges.last_mut()
                {
                    edge.weight = default();
                }
                self.owner = Owner::Graph;
            }
            _ => {}
        }
        Ok(())
    }

    /// Records the values of a node, its own before those it has by default.
    fn close_node(&mut self) -> Result<(), ReadError> {
        let owner = std::mem::replace(&mut self.owner, Owner::Graph);
        let Owner::Node { node, values } = owner else {
            self.owner = owner;
            return Ok(());
        };
        // Defaults multiply: a short file could stand for a huge one.
        self.cells += (values.len() + self.node_keys.list.len()) as u64;
        let limits = &self.options.limits;
        limits.check_announced(self.path, "attributes", self.cells, self.xml.length())?;
        for (place, value) in values {
            let title = &self.node_keys.list[place].0;
            let value = value.trim_ascii().to_owned();
            self.graph.attributes.push(node, title, value);
        }
        for (title, default) in &self.node_keys.list {
            if let Some(default) = default {
                self.graph.attributes.push(node, title, default.clone());
            }
        }
        Ok(())
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
        read_text("g.gexf", Format::Gexf, text, options)
    }

    const CLUB: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<gexf version="1.2" xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz">
  <meta><creator>me</creator></meta>
  <graph defaultedgetype="undirected" mode="static">
    <attributes class="node" mode="static">
      <attribute id="0" title="age" type="float"><default>40</default></attribute>
      <attribute id="1" title="club" type="string"/>
    </attributes>
    <attributes class="edge"><attribute id="0" title="miles" type="float"/></attributes>
    <nodes>
      <node id="5" label="Ann"><attvalues><attvalue for="1" value="x"/></attvalues><viz:color r="1"/></node>
      <node id="6" label="Bob &amp; Co"><attvalues><attvalue for="0" value="7"/><attvalue for="1" value="y"/></attvalues></node>
      <node id="7" label="Cy"><attvalues><attvalue for="1" value="x"/></attvalues></node>
    </nodes>
    <edges>
      <edge id="0" source="5" target="6" weight="0.5"><attvalues><attvalue for="0" value="9"/></attvalues></edge>
      <edge id="1" source="6" target="7"/>
    </edges>
  </graph>
</gexf>"##;

    #[test]
    fn reads_labels_weights_and_attributes() {
        let (graph, report) = parse(CLUB, &ReadOptions::default()).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["Ann", "Bob & Co", "Cy"]);
        assert_eq!(graph.adjacency().weights(), Some(&[0.5, 0.5, 1.0, 1.0][..]));
        let left_out = vec!["age".into(), "club".into()];
        assert_eq!(report.notes, [Note::AttributesLeftOut(left_out)]);
        let options = ReadOptions {
            node_attributes: vec!["age".into()],
            label_attribute: Some("club".into()),
            weights: Weights::Column("miles".into()),
            ..ReadOptions::default()
        };
        let (graph, report) = parse(CLUB, &options).unwrap();
        assert_eq!(graph.features().to_dense().as_slice(), [40.0, 7.0, 40.0]);
        assert_eq!(graph.node_labels(), Some(&[0, 1, 0][..]));
        assert_eq!(graph.adjacency().weights(), Some(&[9.0, 9.0, 1.0, 1.0][..]));
        assert_eq!(report.classes.unwrap(), ["x", "y"]);
    }

    #[test]
    fn the_id_names_nodes_without_labels_of_their_own() {
        let text = CLUB.replace("Cy", "Ann");
        let (graph, _) = parse(&text, &ReadOptions::default()).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["5", "6", "7"]);
    }

    #[test]
    fn directions_are_those_of_the_edges() {
        let keep = ReadOptions {
            directed: true,
            ..ReadOptions::default()
        };
        assert_eq!(parse(CLUB, &keep).unwrap().0.edges(), 4);
        let directed = CLUB.replace("=\"undirected\"", "=\"directed\"");
        assert_eq!(parse(&directed, &keep).unwrap().0.edges(), 2);
        let one = CLUB.replace("target=\"7\"", "target=\"7\" type=\"directed\"");
        assert_eq!(parse(&one, &keep).unwrap().0.edges(), 3);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, message) in [
            ("", "g.gexf: there is no graph in the file"),
            ("<gexf><graph>", "line 1: the file ends inside an element"),
            (
                "<gexf>\n<graph/><graph/></gexf>",
                "line 2: there is a second graph",
            ),
            ("<graph><node/></graph>", "`<node>` lacks `id`"),
            (
                "<graph><node id=\"1\">\n<nodes><node id=\"2\"/></nodes></node></graph>",
                "line 2: there is a node inside another",
            ),
            (
                "<graph><node id=\"1\"/>\n<edge source=\"1\" target=\"2\"/></graph>",
                "line 2: no node is called `2`",
            ),
            (
                "<graph><node id=\"1\"/><edge source=\"1\" target=\"1\" weight=\"x\"/></graph>",
                "weight `x` is not a finite number",
            ),
            ("<graph><node id=\"&x;\"/></graph>", "bad attribute"),
        ] {
            let error = parse(text, &ReadOptions::default())
                .unwrap_err()
                .to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
