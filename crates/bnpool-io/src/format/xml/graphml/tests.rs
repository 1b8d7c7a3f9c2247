use super::*;
use crate::format::read::read_text;
use crate::format::report::Note;
use crate::format::{Format, ReadOptions, ReadReport};
use bnpool_graph::Graph;

fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
    read_text("g.graphml", Format::GraphMl, text, options)
}

const CLUB: &str = r#"<?xml version="1.0"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="club" attr.type="string"/>
  <key id="d1" for="node" attr.name="age" attr.type="double"><default>40</default></key>
  <key id="d2" for="edge" attr.name="weight" attr.type="double"><default>2</default></key>
  <key id="d3" for="node" attr.name="hi" attr.type="string"/>
  <graph edgedefault="undirected">
    <edge source="a&amp;b" target="c"><data key="d2"> 0.5 </data></edge>
    <node id="a&amp;b"><data key="d0">Mr <![CDATA[Hi]]> &lt;&#33;&gt;</data></node>
    <node id="c"><data key="d1">7</data><data key="d0">Officer</data><data key="d3">x</data></node>
    <node id="d"><data key="d0">Officer</data></node>
    <edge source="c" target="d"/>
  </graph>
</graphml>"#;

#[test]
fn reads_data_labels_and_weights() {
    let options = ReadOptions {
        label_attribute: Some("club".into()),
        node_attributes: vec!["age".into()],
        ..ReadOptions::default()
    };
    let (graph, report) = parse(CLUB, &options).unwrap();
    assert_eq!(graph.node_ids().unwrap(), ["a&b", "c", "d"]);
    assert_eq!(graph.adjacency().weights(), Some(&[0.5, 0.5, 2.0, 2.0][..]));
    assert_eq!(graph.features().to_dense().as_slice(), [40.0, 7.0, 40.0]);
    assert_eq!(graph.node_labels(), Some(&[0, 1, 1][..]));
    assert_eq!(report.classes.unwrap(), ["Mr Hi <!>", "Officer"]);
    assert_eq!(report.notes, [Note::AttributesLeftOut(vec!["hi".into()])]);
    let (bare, report) = parse(CLUB, &ReadOptions::default()).unwrap();
    assert_eq!((bare.features().width(), bare.node_labels()), (0, None));
    let left_out = ["club", "age", "hi"].map(String::from).to_vec();
    assert_eq!(report.notes, [Note::AttributesLeftOut(left_out)]);
}

#[test]
fn edges_have_directions_of_their_own() {
    let text = r#"<graphml><graph edgedefault="directed"><node id="0"/><node id="1"/><node id="2"/>
            <edge source="0" target="1"/><edge source="1" target="2" directed="false"/></graph></graphml>"#;
    let keep = ReadOptions {
        directed: true,
        ..ReadOptions::default()
    };
    let (graph, report) = parse(text, &keep).unwrap();
    assert_eq!(graph.adjacency().columns(), [1, 2, 1]);
    assert_eq!(report.notes, [Note::DirectionsKept]);
    assert_eq!(parse(text, &ReadOptions::default()).unwrap().0.edges(), 4);
}

#[test]
fn errors_name_the_line() {
    let inside = |body: &str| format!("<graphml>\n<graph>\n{body}</graph></graphml>");
    let bomb =
        "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><graphml><graph><node id=\"&a;\"/></graph></graphml>";
    let keys: String = (0..3000)
        .map(|key| format!("<key id=\"{key}\" for=\"node\"><default>1</default></key>"))
        .collect();
    let nodes: String = (0..3000)
        .map(|node| format!("<node id=\"{node}\"/>"))
        .collect();
    for (text, message) in [
        (String::new(), "there is no graph in the file"),
        ("plain".to_owned(), "there is no graph in the file"),
        (
            "<graphml><graph>".to_owned(),
            "line 1: the file ends inside an element",
        ),
        (
            "<graphml>\n</graph>".to_owned(),
            "line 2: this is not valid XML",
        ),
        (inside(""), "there is no node in the file"),
        (inside("<node/>"), "line 3: `<node>` lacks `id`"),
        (
            inside("<node id='1'/>\n<node id='1'/>"),
            "line 4: there is a second node `1`",
        ),
        (
            inside("<node id='1'/>\n<edge source='1' target='x'/>"),
            "line 4: no node is called `x`",
        ),
        (
            inside("<hyperedge/>"),
            "line 3: hyperedges are not supported",
        ),
        (
            inside("<node id='1'><graph/></node>"),
            "a second or a nested graph",
        ),
        (bomb.to_owned(), "line 1: bad attribute"),
        (
            bomb.replace("id=\"&a;\"/>", "id=\"1\">&a;</node>"),
            "the entity `a` is not supported",
        ),
        (
            format!("<graphml>{keys}<graph>{nodes}</graph></graphml>"),
            "attributes in",
        ),
    ] {
        let error = parse(&text, &ReadOptions::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
}
