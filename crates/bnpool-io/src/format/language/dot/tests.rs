use super::*;
use crate::format::read::read_text;
use crate::format::{Format, Weights};
use bnpool_graph::Graph;

fn parse(text: &str, options: &ReadOptions) -> Result<(Graph, ReadReport), ReadError> {
    read_text("g.dot", Format::Dot, text, options)
}

/// The edges by name, as they are in the file.
fn edges(text: &str) -> Vec<String> {
    let keep = ReadOptions {
        directed: true,
        ..ReadOptions::default()
    };
    let (graph, _) = parse(text, &keep).unwrap_or_else(|error| panic!("{text}: {error}"));
    let name = |node: u32| match graph.node_ids() {
        Some(ids) => ids[node as usize].clone(),
        None => node.to_string(),
    };
    let edge = |(u, v, w): (u32, u32, f32)| format!("{}>{}:{w}", name(u), name(v));
    graph.adjacency().iter().map(edge).collect()
}

#[test]
fn reads_edges_chains_and_groups() {
    for (text, expected) in [
        ("digraph { a -> b }", &["a>b:1"][..]),
        ("DiGraph g { a->b->c; }", &["a>b:1", "b>c:1"]),
        ("graph { a--b }", &["a>b:1", "b>a:1"]),
        ("digraph{b->{a c}[weight=2]}", &["b>a:2", "b>c:2"]),
        (
            "digraph { subgraph cluster_1 { label=x; a -> b } -> c }",
            &["a>b:1", "a>c:1", "b>c:1"],
        ),
        (
            "# top\ndigraph \"g h\" { // c\n \"x \\\"y\\\"\" -> /* { */ \"b\" + \"c\":n:w [label=<<b>x</b>>, weight=.5]\n }",
            &["x \"y\">bc:0.5"],
        ),
        (
            "digraph { edge [weight=3]; a->b; { edge [weight=5] b->c } c->d; d->a [weight=1] }",
            &["a>b:3", "b>c:5", "c>d:3", "d>a:1"],
        ),
        (
            "strict digraph { a->b [weight=2]; a->b [weight=7] }",
            &["a>b:7"],
        ),
        ("digraph { a->b; a->b [weight=2] }", &["a>b:3"]),
        (
            "digraph { 10 -> 9; 9 -> -1.5; Köln -> 9 }",
            &["10>9:1", "9>-1.5:1", "Köln>9:1"],
        ),
        ("digraph { 2 -> 0; 1 }", &["2>0:1"]),
    ] {
        assert_eq!(edges(text), expected, "{text}");
    }
}

#[test]
fn nodes_are_ordered_like_those_of_an_edge_list() {
    let text = "graph { b -- a; b [x=1, y=2]; a [x=5]; b [x=3]; c [x=4] }";
    let options = ReadOptions {
        node_attributes: vec!["x".into()],
        ..ReadOptions::default()
    };
    let (graph, report) = parse(text, &options).unwrap();
    assert_eq!(graph.node_ids().unwrap(), ["a", "b", "c"]);
    assert_eq!(graph.features().to_dense().as_slice(), [5.0, 3.0, 4.0]);
    assert!(
        report
            .notes
            .contains(&Note::AttributesLeftOut(vec!["y".into()]))
    );
    let (numbers, _) = parse("graph { 1 -- 0; 2 -- 1 }", &ReadOptions::default()).unwrap();
    assert_eq!((numbers.nodes(), numbers.node_ids()), (3, None));
}

#[test]
fn what_is_ignored_is_said() {
    let text = "graph { node [shape=box]; subgraph x { a:p -- b } }";
    let (graph, report) = parse(text, &ReadOptions::default()).unwrap();
    assert_eq!(graph.edges(), 2);
    let remark = "ignored in the DOT file: subgraphs (their nodes and edges are read), ports, \
                  default attributes of nodes";
    assert_eq!(report.notes[0], Note::Remark(remark.into()));
    let (_, report) = parse("graph { a -- b }", &ReadOptions::default()).unwrap();
    assert!(
        !report
            .notes
            .iter()
            .any(|note| matches!(note, Note::Remark(_)))
    );
}

#[test]
fn weights_can_be_named_or_left_out() {
    let text = "graph { a -- b [len=3, weight=x] }";
    let with = |weights| ReadOptions {
        weights,
        ..ReadOptions::default()
    };
    let (graph, _) = parse(text, &with(Weights::Column("len".into()))).unwrap();
    assert_eq!(graph.adjacency().weights(), Some(&[3.0, 3.0][..]));
    assert!(parse(text, &with(Weights::Ignore)).is_ok());
    let error = parse(text, &with(Weights::Auto)).unwrap_err().to_string();
    assert!(error.contains("line 1: weight `x` is not"), "{error}");
}

#[test]
fn errors_name_the_line() {
    let deep = format!("graph {{{}", "{".repeat(100_000));
    let group = (0..3000)
        .map(|node| format!("n{node} "))
        .collect::<String>();
    let many = format!("graph {{ {{{group}}} -- {{{group}}} }}");
    for (text, message) in [
        ("", "line 1: this is not a DOT graph"),
        ("graph", "line 1: the graph does not start with `{`"),
        ("graph {", "line 1: a `{` is not closed"),
        ("graph { }", "there is no node in the file"),
        (
            "graph {\na --\n}",
            "line 3: the name of a node should stand here",
        ),
        ("graph {\n\n\"a }", "line 3: a quote is not closed"),
        ("graph {\n<a }", "line 2: a `<` is not closed"),
        ("graph { /* }", "a comment is not closed"),
        ("graph { a } graph { b }", "something follows the graph"),
        ("graph { a -- b = c }", "an assignment inside an edge"),
        ("graph { a [x=] }", "a value is missing after `=`"),
        ("graph { a [= }", "an attribute or `]` should stand here"),
        ("graph { a -- b [weight=-1] }", "weight `-1` is negative"),
        ("graph { a ( b }", "a character that no id may have"),
        (&deep, "subgraphs are nested too deeply"),
        (&many, "announcement of 9000000 edges"),
    ] {
        let error = parse(text, &ReadOptions::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
}
