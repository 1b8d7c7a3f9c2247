//! Files as people have them: each with what must be understood.
//!
//! `tests/files/make.py` makes the files and the list of what is expected.

use std::path::{Path, PathBuf};

use bnpool_graph::Graph;
use bnpool_io::format::{
    Format, Kinds, Note, NumberStyle, ReadError, ReadOptions, ReadReport, Weights, read_graph,
};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

fn options(flags: &str) -> ReadOptions {
    let mut options = ReadOptions::default();
    for flag in flags.split_whitespace() {
        match flag.split_once('=') {
            Some(("weight", "none")) => options.weights = Weights::Ignore,
            Some(("weight", "count")) => options.weights = Weights::Count,
            Some(("weight", column)) => options.weights = Weights::Column(column.to_owned()),
            None if flag == "bipartite" => options.bipartite = Some(true),
            None if flag == "skip_bad" => options.skip_bad = true,
            _ => panic!("{flag}"),
        }
    }
    options
}

/// The interpretation in short, in any order.
fn understood(graph: &Graph, report: &ReadReport) -> Vec<String> {
    let mut parts = Vec::new();
    match &report.columns {
        None => {
            parts.push(report.format.unwrap().to_string());
            parts.extend(graph.adjacency().weights().map(|_| "weights".to_owned()));
        }
        Some(columns) => {
            parts.push(format!("{} -> {}", columns.source, columns.target));
            let named = [
                ("weight", &columns.weight),
                ("times", &columns.times),
                ("index", &columns.index),
            ];
            for (what, column) in named {
                // Times that a header names are only not used.
                let is_plain = what == "times" && columns.header.is_there();
                parts.extend(
                    column
                        .iter()
                        .filter(|_| !is_plain)
                        .map(|c| format!("{what} {c}")),
                );
            }
            match columns.style {
                NumberStyle::Point => {}
                NumberStyle::Comma => parts.push("commas".to_owned()),
                NumberStyle::Grouped => parts.push("grouped".to_owned()),
            }
            if let Some(sides) = columns
                .sides
                .as_ref()
                .filter(|s| s.reason != Kinds::Strangers)
            {
                let sign = if sides.renamed { '+' } else { ',' };
                parts.push(format!("kinds {} {sign} {}", sides.source, sides.target));
            }
        }
    }
    for note in &report.notes {
        match note {
            Note::Encoding(encoding) => parts.push(format!("note {encoding}")),
            Note::LinesSkipped { count, .. } => parts.push(format!("skipped {count}")),
            Note::RepeatsCounted { repeats, .. } => parts.push(format!("counted {repeats}")),
            Note::Remark(words) if words.contains("are comments") => {
                parts.push("remark comments".to_owned());
            }
            Note::Remark(words) if words.contains("missing value") => {
                parts.push("remark missing".to_owned());
            }
            Note::DuplicatesMerged { dropped, .. } => parts.push(format!("merged {dropped}")),
            _ => {}
        }
    }
    let loops = graph.adjacency().iter().filter(|(u, v, _)| u == v).count();
    parts.push(format!("{} nodes", graph.nodes()));
    parts.push(format!("{} edges", graph.edges().midpoint(loops)));
    parts.sort();
    parts
}

fn read(path: &Path, flags: &str) -> Result<(Graph, ReadReport), ReadError> {
    read_graph(path, &options(flags))
}

#[test]
fn every_file_is_understood() {
    let expected = std::fs::read_to_string(folder().join("expected.txt")).unwrap();
    let mut wrong = Vec::new();
    for line in expected.lines() {
        let [name, flags, expected] = line.splitn(3, " | ").collect::<Vec<_>>()[..] else {
            // Without flags there are two blanks between the bars.
            panic!("{line}");
        };
        let found = read(&folder().join("made").join(name), flags);
        match (expected.strip_prefix("error "), found) {
            (None, Ok((graph, report))) => {
                let mut parts: Vec<_> = expected.split("; ").map(str::to_owned).collect();
                parts.sort();
                let found = understood(&graph, &report);
                if found != parts {
                    wrong.push(format!("{name}: {found:?}\n  instead of {parts:?}"));
                }
                assert!(!report.examples.is_empty(), "{name}");
                let ids = graph.node_ids().unwrap_or_default();
                let garbled = |id: &String| id.contains(['Ã', '\u{fffd}']);
                assert!(!ids.iter().any(garbled), "{name}: {ids:?}");
            }
            (Some(words), Err(error)) => {
                let message = error.to_string();
                if !words.split('|').all(|words| message.contains(words)) {
                    wrong.push(format!("{name}: {message}"));
                }
            }
            (Some(_), Ok((graph, report))) => {
                wrong.push(format!(
                    "{name}: {:?} instead of an error",
                    understood(&graph, &report)
                ));
            }
            (None, Err(error)) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The line about a list whose lines are counted says so.
#[test]
fn counted_lines_are_no_lack_of_weights() {
    let (graph, report) = read(&folder().join("made/log.csv"), "").unwrap();
    let line = report.understood(&graph, &|change| Some(change.field()));
    assert!(
        line.contains("; weights count the lines of an edge; "),
        "{line}"
    );
    assert!(line.ends_with("12 nodes, 40 edges, no features"), "{line}");
}

/// The two kinds of a list are kept apart by the words of their columns.
#[test]
fn ids_of_two_kinds_are_two_nodes() {
    let (graph, report) = read(&folder().join("made/bip.csv"), "").unwrap();
    let ids = graph.node_ids().unwrap();
    assert_eq!(ids.iter().filter(|id| id.starts_with("user ")).count(), 12);
    assert_eq!(ids.iter().filter(|id| id.starts_with("item ")).count(), 9);
    let line = report.understood(&graph, &|change| Some(change.field()));
    assert!(
        line.contains(
            "two kinds of nodes by the names of `user_id` and `item_id`, and ids in both are kept \
             apart, such as `user 7` and `item 7` (if there is one kind, set `bipartite` to \
             `Some(false)`)"
        ),
        "{line}"
    );
    assert!(line.contains("such as `user 1` → `item "), "{line}");
    let one_kind = ReadOptions {
        bipartite: Some(false),
        ..ReadOptions::default()
    };
    let (graph, _) = read_graph(&folder().join("made/bip.csv"), &one_kind).unwrap();
    assert_eq!(graph.nodes(), 12);
}

/// A number that looks random.
fn scatter(k: u32) -> u32 {
    let mixed = (k ^ k >> 7).wrapping_mul(0x9e37_79b1);
    (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b) >> 8
}

/// Edges between nodes of one kind are no two kinds, whatever their ranges.
#[test]
fn one_kind_is_not_taken_for_two() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.csv");
    let lines = |edge: fn(u32) -> (u32, u32)| {
        let lines: Vec<_> = (0..4000)
            .map(edge)
            .map(|(u, v)| format!("{u},{v}"))
            .collect();
        std::fs::write(&path, lines.join("\n")).unwrap();
        read(&path, "weight=none").unwrap().1.columns.unwrap().sides
    };
    // A crawl of the first 60 of 200, which know themselves as little as others do.
    let crawl = |k| {
        let (u, v) = (k % 60, (k * 7 + 1 + k / 60 * 13) % 200);
        if u == v { (u, v + 1) } else { (u, v) }
    };
    assert_eq!(lines(crawl), None);
    // Each node with a larger one.
    assert_eq!(lines(|k| (k % 99, k % 99 + 1 + k % 40)), None);
    // The same with self-loops for all.
    assert_eq!(
        lines(|k| if k < 2000 {
            (k % 60, k % 60)
        } else {
            (k % 60, k % 200)
        }),
        None
    );
    let kinds = lines(|k| (scatter(k) % 60, scatter(k + 50_000) % 200)).unwrap();
    assert_eq!(kinds.reason, Kinds::Ranges);
}

/// An odd name has the format of its content, whichever way it is asked for.
#[test]
fn odd_names_are_read_by_their_content() {
    let folder = tempfile::tempdir().unwrap();
    for name in [".csv", "x.csv ", "x.csv.", "x", "x.data"] {
        let path = folder.path().join(name);
        std::fs::write(&path, "0,1\n1,2\n").unwrap();
        assert_eq!(Format::detect(&path).unwrap(), Format::EdgeList, "{name:?}");
        assert_eq!(read(&path, "").unwrap().0.nodes(), 3, "{name:?}");
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let path = folder.path().join(std::ffi::OsStr::from_bytes(b"\xff.csv"));
        // Some file systems have no such names.
        if std::fs::write(&path, "0,1\n1,2\n").is_ok() {
            assert_eq!(Format::detect(&path).unwrap(), Format::EdgeList);
            assert_eq!(read(&path, "").unwrap().0.nodes(), 3);
        }
    }
}

/// The encoding can be given.
#[test]
fn the_encoding_decides() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.csv");
    std::fs::write(&path, "Müller,b\nb,c\n").unwrap();
    let options = ReadOptions {
        encoding: Some("windows-1252".parse().unwrap()),
        ..ReadOptions::default()
    };
    let (graph, report) = read_graph(&path, &options).unwrap();
    assert!(graph.node_ids().unwrap().contains(&"MÃ¼ller".to_owned()));
    assert!(matches!(report.notes[0], Note::Encoding(_)));
}

/// Features have decimal commas and other encodings too.
#[test]
fn features_are_written_in_many_ways() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("e.csv"), "Jürgen,b\nb,c\n").unwrap();
    let text = "id;height;kind\nJ\u{fc}rgen;3;x\nb;1.234,5;y\nc;0,25;x\n";
    let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
    std::fs::write(path("x.csv"), latin).unwrap();
    let options = ReadOptions {
        features: Some(path("x.csv")),
        ..ReadOptions::default()
    };
    let (graph, report) = read_graph(&path("e.csv"), &options).unwrap();
    let features = graph.features().to_dense();
    let place = graph
        .node_ids()
        .unwrap()
        .iter()
        .position(|id| id == "Jürgen")
        .unwrap();
    assert_eq!(features.row(place)[0], 3.0);
    assert_eq!(features.columns(), 3);
    let values: Vec<f32> = (0..3).map(|node| features.row(node)[0]).collect();
    assert!(
        values.contains(&1234.5) && values.contains(&0.25),
        "{values:?}"
    );
    assert!(
        report
            .notes
            .iter()
            .any(|note| matches!(note, Note::Encoding(_)))
    );
    // Some cells with points and some with commas are an error, and no categories.
    std::fs::write(path("x.csv"), "id;height\nJürgen;3.5\nb;1,5\nc;0\n").unwrap();
    let error = read_graph(&path("e.csv"), &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`1,5` in column 2 is not a number"),
        "{error}"
    );
}

/// Wide samples, and the same file twice, give the same choice.
#[test]
fn the_choice_does_not_depend_on_the_order_of_the_columns() {
    let text = std::fs::read_to_string(folder().join("made/payer.csv")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("e.csv");
    for order in [[0, 1, 2, 3], [2, 0, 3, 1], [1, 2, 0, 3], [2, 3, 1, 0]] {
        let lines = text.lines().map(|line| {
            let cells: Vec<_> = line.split(',').collect();
            order.map(|column| cells[column]).join(",")
        });
        std::fs::write(&path, lines.collect::<Vec<_>>().join("\n")).unwrap();
        let columns = read(&path, "").unwrap().1.columns.unwrap();
        assert_eq!(
            (&*columns.source, &*columns.target),
            ("payer", "payee"),
            "{order:?}"
        );
    }
}
