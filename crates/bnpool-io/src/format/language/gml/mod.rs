//! GML.
//!
//! Attributes of the nodes become features or labels only if the options name
//! them; `weight` (or else `value`) of the edges is their weight, unless the
//! options name another. Nodes are called by their `label` if all labels
//! differ, else by their `id`, and stand in the order of the file.

mod token;

use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::format::build::attributed::{AttributedGraph, NamedEdge, text_of};
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::ReadReport;
use crate::format::table::{Holds, Read, Traits};
use token::{Lexer, Token, Value};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["gml"],
    starts: |start| {
        let graph = start.text().strip_prefix(b"graph");
        start.text().starts_with(b"creator \"")
            || graph.is_some_and(|rest| rest.trim_ascii_start().starts_with(b"["))
    },
    holds: Holds::ATTRIBUTES,
    ..Traits::of("gml", "GML", Read::One(read))
};

/// Reads the graph of a file.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let source = text_of(intake, 8)?;
    let path = source.path();
    let mut lexer = Lexer::new(path, source.text()?);
    let mut graph = None;
    loop {
        match lexer.next()? {
            Token::End => break,
            Token::Key("graph") => {
                if graph.is_some() {
                    return Err(lexer.error("there is a second graph", "keep one graph a file"));
                }
                if !matches!(lexer.next()?, Token::Open) {
                    return Err(lexer.error("`graph` is not followed by `[`", "fix the file"));
                }
                graph = Some(read_body(&mut lexer, options)?);
            }
            Token::Key(_) => drop(lexer.value()?),
            _ => return Err(lexer.error("this is not GML", "start with `graph [`")),
        }
    }
    match graph {
        Some(graph) => graph
            .into_graph(path, Some("label"), options, report)
            .map(Content::Graph),
        None => Err(ReadError::in_file(
            path,
            "there is no graph in the file",
            "start with `graph [`",
        )),
    }
}

/// Reads what stands between the brackets of the graph.
fn read_body(lexer: &mut Lexer, options: &ReadOptions) -> Result<AttributedGraph, ReadError> {
    let mut graph = AttributedGraph::default();
    let mut directed = false;
    let weight = |list: &List| match options.weight_name() {
        Some(name) => find(list, name),
        None => find(list, "weight").or_else(|| find(list, "value")),
    };
    loop {
        match lexer.next()? {
            Token::Close => break,
            Token::Key("node") => {
                let line = lexer.line();
                let list = lexer.list_value()?;
                let id = required(lexer, &list, "id")?;
                let node = graph.add_node(lexer.path(), line, id)?;
                for (name, value) in list {
                    if let Value::Atom(value) = value
                        && name != "id"
                    {
                        graph.attributes.push(node, name, value.into_owned());
                    }
                }
            }
            Token::Key("edge") => {
                let line = lexer.line();
                let list = lexer.list_value()?;
                graph.edges.push(NamedEdge {
                    source: required(lexer, &list, "source")?,
                    target: required(lexer, &list, "target")?,
                    weight: weight(&list),
                    directed: false,
                    line,
                });
            }
            Token::Key("directed") => {
                directed = matches!(lexer.value()?, Value::Atom(value) if value == "1");
            }
            Token::Key(_) => drop(lexer.value()?),
            _ => {
                return Err(lexer.error(
                    "the graph is not closed by `]`",
                    "the file is cut off or damaged: fetch or write it again",
                ));
            }
        }
    }
    for edge in &mut graph.edges {
        edge.directed = directed;
    }
    Ok(graph)
}

type List<'a> = Vec<(&'a str, Value<'a>)>;

fn find(list: &List, key: &str) -> Option<String> {
    list.iter().find_map(|(name, value)| match value {
        Value::Atom(value) if *name == key => Some(value.to_string()),
        _ => None,
    })
}

fn required(lexer: &Lexer, list: &List, key: &str) -> Result<String, ReadError> {
    find(list, key).ok_or_else(|| {
        lexer.error(
            format!("{} is missing", quote(key.as_bytes())),
            "give every node an `id`, and every edge a `source` and a `target`",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Format;
    use crate::format::read::read_text;
    use crate::format::{Note, Weights};
    use bnpool_graph::Graph;

    fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
        read_text("g.gml", Format::Gml, text, options)
    }

    const CLUB: &str = "Creator \"x [\"\n# note\ngraph [\n directed 0\n \
        node [ id 5 label \"A &amp; B\" value 1 x 0.5 graphics [ w 1 ] ]\n \
        node [ id 2 label \"C\" value 0 x -1 y 3 ]\n \
        edge [ source 5 target 2 value 3 ]\n]\n";

    #[test]
    fn attributes_are_used_only_if_named() {
        let (bare, report) = parse(CLUB, &ReadOptions::default()).unwrap();
        assert_eq!(bare.node_ids().unwrap(), ["A & B", "C"]);
        assert_eq!(bare.adjacency().weights(), Some(&[3.0, 3.0][..]));
        assert_eq!((bare.features().width(), bare.node_labels()), (0, None));
        let left_out = |names: &[&str]| {
            Note::AttributesLeftOut(names.iter().map(ToString::to_string).collect())
        };
        assert_eq!(report.notes, [left_out(&["value", "x", "y"])]);
        let options = ReadOptions {
            label_attribute: Some("value".into()),
            node_attributes: vec!["x".into()],
            weights: Weights::Ignore,
            ..ReadOptions::default()
        };
        let (graph, report) = parse(CLUB, &options).unwrap();
        assert_eq!(graph.adjacency().weights(), None);
        assert_eq!(graph.features().to_dense().as_slice(), [0.5, -1.0]);
        assert_eq!(graph.node_labels(), Some(&[1, 0][..]));
        assert_eq!(report.feature_names.unwrap(), ["x"]);
        assert_eq!(report.notes, [left_out(&["y"])]);
        for (name, message) in [
            (
                "z",
                "g.gml: there is no node attribute `z`; there are: value, x, y; name one of them, \
                 or set `node_attributes`",
            ),
            (
                "y",
                "g.gml: the node attribute `y` cannot be a feature: 1 of 2 nodes lack it; give \
                 every node a finite number, or set `node_attributes`",
            ),
        ] {
            let options = ReadOptions {
                node_attributes: vec![name.into()],
                ..ReadOptions::default()
            };
            assert_eq!(parse(CLUB, &options).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn weights_can_be_named() {
        let text = "graph [ node [ id 0 ] node [ id 1 ] \
                    edge [ source 0 target 1 weight 7 miles 3 ] ]";
        let named = |name: &str| ReadOptions {
            weights: Weights::Column(name.into()),
            ..ReadOptions::default()
        };
        let (graph, _) = parse(text, &named("miles")).unwrap();
        assert_eq!(graph.adjacency().weights(), Some(&[3.0, 3.0][..]));
        let error = parse(text, &named("hours")).unwrap_err().to_string();
        assert!(
            error.contains("no edge has the attribute `hours`"),
            "{error}"
        );
    }

    #[test]
    fn directed_graphs_are_symmetrised_unless_kept() {
        let text = "graph [ directed 1 node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 ] ]";
        let (graph, report) = parse(text, &ReadOptions::default()).unwrap();
        assert_eq!((graph.edges(), graph.node_ids()), (2, None));
        assert_eq!(report.notes, [Note::Symmetrised { added: 1 }]);
        let keep = ReadOptions {
            directed: true,
            ..ReadOptions::default()
        };
        assert_eq!(parse(text, &keep).unwrap().0.edges(), 1);
        assert_eq!(
            parse(&text.replace("directed 1", ""), &keep)
                .unwrap()
                .0
                .edges(),
            2
        );
    }

    #[test]
    fn errors_name_the_line() {
        let deep = format!("graph [ {}", "a [ ".repeat(1000));
        let label = ReadOptions {
            label_attribute: Some("club".into()),
            ..ReadOptions::default()
        };
        for (text, message) in [
            ("", "g.gml: there is no graph in the file"),
            ("hello", "line 1: a value is missing after `hello`"),
            ("graph [", "line 1: the graph is not closed by `]`"),
            ("graph [ ]", "g.gml: there is no node in the file"),
            ("graph [\nnode [ label 1 ] ]", "line 2: `id` is missing"),
            (
                "graph [ node [ id 1 ]\nnode [ id 1 ] ]",
                "line 2: there is a second node `1`",
            ),
            (
                "graph [ node [ id 1 ]\n\nedge [ source 1 target 2 ] ]",
                "line 3: no node is called `2`",
            ),
            (
                "graph [ node [ id 1 ]\nedge [ source 1 target 1 weight -1 ] ]",
                "line 2: weight `-1`",
            ),
            ("graph [ node [ id \"1 ] ]", "line 1: a quote is not closed"),
            ("graph [ node 7 ]", "line 1: a list should stand here"),
            (
                CLUB,
                "there is no node attribute `club`; there are: value, x, y",
            ),
            (&deep, "lists are nested too deeply"),
        ] {
            let error = parse(text, &label).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
