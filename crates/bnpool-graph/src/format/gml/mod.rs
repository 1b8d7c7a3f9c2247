//! GML.
//!
//! Numeric attributes that every node has become features, a named one the
//! label; `weight` (or else `value`) of the edges is their weight. Nodes are
//! called by their `label` where all labels differ, else by their `id`.

mod token;

use super::attributed::{AttributedGraph, NamedEdge};
use super::error::{ReadError, quote};
use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::source::Source;
use crate::graph::Graph;
use token::{Lexer, Token, Value};

/// Reads the graph of a file.
pub(crate) fn read(
    source: &Source,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Graph, ReadError> {
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
                    return Err(lexer.error("`graph` is not followed by `[`", "mend the file"));
                }
                graph = Some(read_body(&mut lexer, report)?);
            }
            Token::Key(_) => drop(lexer.value()?),
            _ => return Err(lexer.error("this is not GML", "start with `graph [`")),
        }
    }
    match graph {
        Some(graph) => graph.into_graph(path, Some("label"), options, report),
        None => Err(ReadError::in_file(
            path,
            "there is no graph in the file",
            "start with `graph [`",
        )),
    }
}

/// Reads what stands between the brackets of the graph.
fn read_body(lexer: &mut Lexer, report: &mut ReadReport) -> Result<AttributedGraph, ReadError> {
    let mut graph = AttributedGraph::default();
    let mut directed = false;
    let mut lists: Vec<String> = Vec::new();
    loop {
        match lexer.next()? {
            Token::Close => break,
            Token::Key("node") => {
                let line = lexer.line();
                let list = lexer.list_value()?;
                let id = required(lexer, &list, "id")?;
                let node = graph.add_node(lexer.path(), line, id)?;
                for (name, value) in list {
                    match value {
                        Value::Atom(value) if name != "id" => {
                            graph.attributes.push(node, name, value.into_owned());
                        }
                        Value::List(_) if !lists.iter().any(|list| list == name) => {
                            lists.push(name.to_owned());
                        }
                        _ => {}
                    }
                }
            }
            Token::Key("edge") => {
                let line = lexer.line();
                let list = lexer.list_value()?;
                graph.edges.push(NamedEdge {
                    source: required(lexer, &list, "source")?,
                    target: required(lexer, &list, "target")?,
                    weight: find(&list, "weight").or_else(|| find(&list, "value")),
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
    report
        .notes
        .extend(lists.into_iter().map(|name| Note::FeatureLeftOut {
            name,
            why: "it is a list",
        }));
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
    use crate::format::Limits;

    fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
        let source = Source::from_bytes("g.gml", text.into(), &Limits::default())?;
        let mut report = ReadReport::default();
        read(&source, options, &mut report).map(|graph| (graph, report))
    }

    const CLUB: &str = "Creator \"x [\"\n# note\ngraph [\n directed 0\n \
        node [ id 5 label \"A &amp; B\" value 1 x 0.5 graphics [ w 1 ] ]\n \
        node [ id 2 label \"C\" value 0 x -1 y 3 ]\n \
        edge [ source 5 target 2 value 3 ]\n]\n";

    #[test]
    fn reads_attributes_labels_and_weights() {
        let options = ReadOptions {
            label_attribute: Some("value".into()),
            ..ReadOptions::default()
        };
        let (graph, report) = parse(CLUB, &options).unwrap();
        assert_eq!(graph.node_ids().unwrap(), ["A & B", "C"]);
        assert_eq!(graph.adjacency().weights(), Some(&[3.0, 3.0][..]));
        assert_eq!(graph.features().to_dense().as_slice(), [0.5, -1.0]);
        assert_eq!(graph.node_labels(), Some(&[1, 0][..]));
        assert_eq!(report.feature_names.unwrap(), ["x"]);
        let left_out = |name: &str, why| Note::FeatureLeftOut {
            name: name.into(),
            why,
        };
        assert_eq!(
            report.notes,
            [
                left_out("graphics", "it is a list"),
                left_out("y", "not every node has it")
            ]
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
                "no node has the attribute `club` for its label; there are: label, value, x, y",
            ),
            (&deep, "lists are nested too deeply"),
        ] {
            let error = parse(text, &label).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
