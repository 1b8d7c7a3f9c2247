//! GEXF, as Gephi and networkx write it.
//!
//! Nodes are called by their `label` if all labels differ, else by their `id`,
//! and stand in the order of the file. Values of attributes (`<attvalue>`) of
//! the nodes become features or labels only if the options name them by the
//! title of the attribute. The `weight` of an edge, or else its attribute of
//! that title, is its weight, unless the options name another. Nodes inside
//! nodes are refused. Colours, positions and times are ignored; of a value that
//! changes over time the first counts.

use quick_xml::events::BytesStart;

use super::declared::{Declared, Dialect, Side, read};
use super::is_gexf;
use crate::bytes::error::ReadError;
use crate::format::table::{Holds, Read, Traits};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["gexf"],
    starts: is_gexf,
    holds: Holds::ATTRIBUTES,
    ..Traits::of("gexf", "GEXF", Read::One(read::<Gexf>))
};

/// The part of a file that is being read.
#[derive(Default)]
struct Gexf {
    /// Whose attributes are being declared.
    side: Option<Side>,
    /// The attribute that is being declared.
    id: Option<String>,
    /// The text of its `<default>`.
    default: Option<String>,
}

impl Dialect for Gexf {
    const TITLE: &'static str = "GEXF";
    const ALL_DIRECTED: &'static str = "defaultedgetype";
    const DIRECTED: (&'static str, &'static str) = ("type", "directed");
    const LABEL: Option<&'static str> = Some("label");
    const WEIGHT: Option<&'static str> = Some("weight");

    fn open(&mut self, file: &mut Declared, element: &BytesStart) -> Result<(), ReadError> {
        match (element.local_name().as_ref(), self.side) {
            ("attributes", _) => {
                self.side = match file.xml.attribute(element, "class")?.as_deref() {
                    Some("node") => Some(Side::Node),
                    Some("edge") => Some(Side::Edge),
                    _ => None,
                };
            }
            ("attribute", Some(side)) => {
                let id = file.xml.required(element, "id")?;
                let title = file.xml.attribute(element, "title")?;
                file.declare(&[side], &id, title)?;
                self.id = Some(id);
            }
            ("default", _) if self.id.is_some() => self.default = Some(String::new()),
            ("attvalue", _) if file.is_inside() => {
                // Version 1.0 of the format calls it `id`.
                let id = match file.xml.attribute(element, "for")? {
                    Some(id) => id,
                    None => file.xml.required(element, "id")?,
                };
                let value = file.xml.required(element, "value")?;
                file.value(&id, &value);
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self) -> Option<&mut String> {
        self.default.as_mut()
    }

    fn close(&mut self, file: &mut Declared, name: &str) {
        match name {
            "attributes" => self.side = None,
            "attribute" => self.id = None,
            "default" => {
                if let (Some(id), Some(default)) = (&self.id, self.default.take()) {
                    file.set_default(id, &default);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::format::read::read_text;
    use crate::format::{Note, Weights};
    use crate::format::{ReadOptions, ReadReport};
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
                "line 2: there is a second or a nested graph",
            ),
            ("<graph><node/></graph>", "`<node>` lacks `id`"),
            (
                "<graph><node id=\"1\">\n<nodes><node id=\"2\"/></nodes></node></graph>",
                "line 2: there is a node or an edge inside another",
            ),
            (
                "<graph><node id=\"1\"/>\n<edge source=\"1\" target=\"2\"/></graph>",
                "line 2: no node is called `2`",
            ),
            (
                "<graph><node id=\"1\"/><edge source=\"1\" target=\"1\" weight=\"x\"/></graph>",
                "weight `x` is not a number",
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
