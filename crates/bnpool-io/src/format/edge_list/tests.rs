use super::*;
use crate::format::{Limits, Source, Weights};
use bnpool_graph::Graph;

fn table(text: &str, options: &ReadOptions) -> Result<(EdgeTable, Vec<Note>), ReadError> {
    let (table, report) = reported(text, options)?;
    Ok((table, report.notes))
}

fn reported(text: &str, options: &ReadOptions) -> Result<(EdgeTable, ReadReport), ReadError> {
    let source = Source::from_bytes("e.csv", text.into(), &Limits::default())?;
    let mut report = ReadReport::default();
    let table = read_edges(
        Intake::of_source(source, &Limits::default()).into_blocks(),
        options,
        &mut report,
    )?;
    Ok((table, report))
}

fn graph(text: &str) -> (Graph, Vec<Note>) {
    let options = ReadOptions::default();
    let (table, mut notes) = table(text, &options).unwrap();
    let graph = table
        .into_graph(Path::new("e.csv"), &options, &mut notes)
        .unwrap();
    (graph, notes)
}

fn refusal(text: &str) -> String {
    table(text, &ReadOptions::default())
        .unwrap_err()
        .to_string()
}

#[test]
fn reads_numbers_in_any_dress() {
    let plain = graph("0,1\n1,2\n").0;
    assert_eq!((plain.nodes(), plain.edges()), (3, 4));
    assert_eq!(plain.node_ids(), None);
    for text in [
        "0 1\n1 2",
        "\u{feff}0 1\n1 2",
        "0\t1\r\n1\t2\r\n",
        "# c\n0;1\n\n% c\n1;2\n\n",
        "source,target\n0,1\n1,2\n",
        "a b\n0 1\n1 2\n",
        " 0 , 1 \r\n1,2\r",
        "\"0\",\"1\"\n\"1\",\"2\"\n",
        "to,x,from\n1,7,0\n2,7,1\n",
        "0 1 {}\n1 2 {'other': 2}\n",
        "0|1\n1|2\n",
        "sep=;\r\n0;1\r\n1;2\r\n",
        "2,1,\n1,0,\n",
    ] {
        assert_eq!(graph(text).0, plain, "{text:?}");
    }
}

#[test]
fn numbers_rise_and_names_are_sorted() {
    let (numbers, notes) = graph("30,7\n7,100\n");
    assert_eq!(numbers.node_ids().unwrap(), ["7", "30", "100"]);
    assert_eq!(numbers.adjacency().row(0), [1, 2]);
    assert!(notes.contains(&Note::NumberedNodes { rising: true }));
    let (far, _) = graph("4000000000 7\n7 20000000000\n");
    assert_eq!(far.node_ids().unwrap(), ["7", "4000000000", "20000000000"]);
    assert_eq!(far.adjacency().row(0), [1, 2]);
    let (spread, _) = graph("4000000000 7\n7 200000\n");
    assert_eq!(spread.node_ids().unwrap(), ["7", "200000", "4000000000"]);
    let (names, notes) = graph("bob,al\nal,\"c, \"\"d\"\"\"\n");
    assert_eq!(names.node_ids().unwrap(), ["al", "bob", "c, \"d\""]);
    assert!(notes.contains(&Note::NumberedNodes { rising: false }));
    let (zeros, _) = graph("07 7\n7 8\n");
    assert_eq!(zeros.node_ids().unwrap(), ["07", "7", "8"]);
}

#[test]
fn names_come_in_any_dress() {
    let plain = graph("al,bob\nbob,c d\nal,é\n").0;
    assert_eq!(plain.node_ids().unwrap(), ["al", "bob", "c d", "é"]);
    for text in [
        "al;bob\r\nbob;c d\r\nal;é",
        " al , bob\nbob,\"c d\"\nal,é,\n",
        "al\tbob \nbob\tc d\nal\té\n",
        "\"al\" bob\nbob  \"c d\"\nal \té\n",
        "name,to,from\nx,bob,al\ny,c d,bob\nz,é,al\n",
    ] {
        assert_eq!(graph(text).0, plain, "{text:?}");
    }
    assert_eq!(graph("-a b-\n").0.node_ids().unwrap(), ["-a", "b-"]);
}

#[test]
fn weights_are_found_and_merged() {
    let (weighted, notes) = graph("0 1 0.5\n1 2 2\n0 1 1e0\n");
    assert_eq!(
        weighted.adjacency().weights(),
        Some(&[1.5, 1.5, 2.0, 2.0][..])
    );
    assert_eq!(
        notes,
        [
            Note::DuplicatesMerged {
                dropped: 1,
                summed: true
            },
            Note::Symmetrised { added: 2 },
        ]
    );
    let (named, _) = graph("weight,from,to\n2,a,b\n");
    assert_eq!(named.adjacency().weights(), Some(&[2.0, 2.0][..]));
    let (dated, _) = graph("source,target,year\n0,1,1999\n");
    assert_eq!(dated.adjacency().weights(), None);
    let options = ReadOptions {
        weights: Weights::Ignore,
        ..ReadOptions::default()
    };
    assert_eq!(table("0 1 2\n", &options).unwrap().0.weights, None);
}

#[test]
fn directions_loops_and_duplicates_are_reported() {
    let (both, notes) = graph("0,1\n1,0\n1,1\n0,1\n");
    assert_eq!(both.edges(), 3);
    assert_eq!(both.adjacency().weights(), Some(&[3.0, 3.0, 1.0][..]));
    assert_eq!(
        notes,
        [
            Note::SelfLoops {
                count: 1,
                dropped: false
            },
            Note::RepeatsCounted {
                repeats: 1,
                asked: false
            },
            Note::AlreadySymmetric,
        ]
    );
    let options = ReadOptions {
        directed: true,
        ..ReadOptions::default()
    };
    let (table, mut notes) = table("0,1\n", &options).unwrap();
    let arrow = table
        .into_graph(Path::new("e.csv"), &options, &mut notes)
        .unwrap();
    assert_eq!(arrow.edges(), 1);
    assert_eq!(notes.last(), Some(&Note::DirectionsKept));
}

#[test]
fn errors_name_the_line_and_the_remedy() {
    for (text, message) in [
        (
            "\n7\n",
            "e.csv, line 2: there is only one column; give two node ids a line, separated by a comma, semicolon, tab, pipe or spaces",
        ),
        (
            "0 1\n\n2\n",
            "e.csv, line 3: 1 columns where the first line has 2; give every line the same columns, separated alike, or set `skip_bad`, or set `format` to `Format::AdjacencyList`",
        ),
        (
            "0,1\n1,2,3\n",
            "e.csv, line 2: 3 columns where the first line has 2; give every line the same columns, separated alike, or set `skip_bad`, or set `format` to `Format::AdjacencyList`",
        ),
        (
            "0 1\n1 -2\n",
            "e.csv, line 2: node id `-2` is negative; number nodes from 0, or use names that are not numbers, or set `skip_bad`",
        ),
        (
            "0,1\n,2\n",
            "e.csv, line 2: a node id is empty; name both nodes of the edge, or set `skip_bad`",
        ),
        (
            "0 1 1\n# c\n1 2 -1\n",
            "e.csv, line 3: weight `-1` is negative, and signed weights are not supported; give a finite number of at least 0 on every line, or set `skip_bad`, or set `weights` to `Weights::Ignore`",
        ),
        (
            "0 1 1\n1 2 nan\n",
            "e.csv, line 2: weight `nan` is not finite; give a finite number of at least 0 on every line, or set `skip_bad`, or set `weights` to `Weights::Ignore`",
        ),
        (
            "a b 1\nb c x\n",
            "e.csv, line 2: weight `x` is not a number; give a finite number of at least 0 on every line, or set `skip_bad`, or set `weights` to `Weights::Ignore`",
        ),
        (
            "a,b\n\"b,c\n",
            "e.csv, line 2: a quote is not closed, or stands inside a field; close it on the same line, and double quotes inside quotes",
        ),
    ] {
        assert_eq!(refusal(text), message);
    }
}

#[test]
fn the_header_can_be_forced() {
    let options = |header| ReadOptions {
        header: Some(header),
        ..ReadOptions::default()
    };
    let (names, _) = table("al,bob\ncy,di\n", &options(true)).unwrap();
    assert_eq!(names.edges.len(), 1);
    let (names, _) = table("source,target\n1,2\n", &options(false)).unwrap();
    assert_eq!(names.edges.len(), 2);
}

#[test]
fn a_name_may_follow_many_numbers() {
    let mut text = String::new();
    for node in (1..60_000).rev() {
        text.push_str(&format!("{node} {}\n", node / 2));
    }
    let numbers = graph(&text).0;
    assert_eq!((numbers.nodes(), numbers.node_ids()), (60_000, None));
    text.push_str("7 last\n");
    let names = graph(&text).0;
    assert_eq!(names.nodes(), 60_001);
    let ids = names.node_ids().unwrap();
    assert!(ids.is_sorted());
    assert_eq!(ids[60_000], "last");
    let place = |name| ids.iter().position(|id| id == name).unwrap();
    let neighbours = names.adjacency().row(place("7"));
    for name in ["3", "14", "15", "last"] {
        assert!(neighbours.contains(&(place(name) as u32)), "{name}");
    }
    assert_eq!(neighbours.len(), 4);
}

#[test]
fn dictionaries_hold_weights() {
    let (graph, _) =
        graph("a b {'weight': 4, 'kind': 'x, y'}\nb c {'kind': 'z', 'weight': 0.5}\nc a {}\n");
    assert_eq!(
        graph.adjacency().weights(),
        Some(&[4.0, 1.0, 4.0, 0.5, 1.0, 0.5][..])
    );
    let (_, report) = reported("a b {'weight': 4, 'kind': 1}\n", &ReadOptions::default()).unwrap();
    let columns = report.columns.unwrap();
    assert_eq!(columns.weight.as_deref(), Some("weight"));
    assert_eq!(columns.unused, ["kind"]);
    let miles = ReadOptions {
        weights: Weights::Column("miles".into()),
        ..ReadOptions::default()
    };
    let (table, _) = table("0 1 {'miles': 4}\n", &miles).unwrap();
    assert_eq!(table.weights, Some(vec![4.0]));
    let error = reported("0 1 {'weight': 4}\n", &miles)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("there is no key `miles`; there are: weight"),
        "{error}"
    );
}

#[test]
fn bad_lines_can_be_left_out() {
    let options = ReadOptions {
        skip_bad: true,
        ..ReadOptions::default()
    };
    for (text, edges, lines) in [
        (
            "0,1,1\n1,2,NaN\n2,3,\n3,4,2\n",
            2,
            (2, "line 2: weight `NaN` is not finite"),
        ),
        (
            "a,b,1\nb,c,x\n\"c,d,1\n,d,1\nc,d,2\n",
            2,
            (3, "line 2: weight `x` is not a number"),
        ),
        (
            "0 1\n1 2 3\n1 2\n",
            2,
            (1, "line 2: 3 columns where the first line has 2"),
        ),
    ] {
        let (table, notes) = table(text, &options).unwrap();
        assert_eq!(table.edges.len(), edges, "{text}");
        let (count, first) = lines;
        let first = first.to_owned();
        assert!(
            notes.contains(&Note::LinesSkipped { count, first }),
            "{notes:?}"
        );
    }
}

#[test]
fn a_node_may_stand_alone() {
    let (lone, notes) = graph("a,b,1\nc,,\nb,d,2\n");
    assert_eq!(lone.node_ids().unwrap(), ["a", "b", "c", "d"]);
    assert!(notes.contains(&Note::IsolatedNodes { added: 1 }));
    let (first, _) = graph("7,\n0,1\n1,2\n");
    assert_eq!(first.nodes(), 4);
}

#[test]
fn weights_are_written_in_many_ways() {
    for (text, weights) in [
        ("a;b;1.234,50\nb;c;0,5\n", [1234.5, 0.5]),
        ("a,b,\"39,681.50\"\nb,c,7\n", [39681.5, 7.0]),
        ("a\tb\t1 000,25\nb\tc\t2\n", [1000.25, 2.0]),
    ] {
        let (graph, _) = graph(text);
        let [one, other] = weights;
        assert_eq!(
            graph.adjacency().weights(),
            Some(&[one, one, other, other][..]),
            "{text}"
        );
    }
    assert!(
        refusal("a,b,1\nb,c,1e-46\n").contains("`1e-46` is too small: 32 bits would make it 0")
    );
    assert!(refusal("0 1 1\n1 2 1e-46\n").contains("line 2: weight `1e-46` is too small"));
    assert!(refusal("0 1 1\n1 2 1e39\n").contains("line 2: weight `1e39` is too large"));
}
