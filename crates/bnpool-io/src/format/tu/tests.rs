use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use super::*;
use bnpool_graph::{Csr, Features, Matrix, Target};

/// Two graphs: an edge, and a path whose last node stands before its first.
const PARTS: [(&str, &str); 8] = [
    ("A", "1, 2\n2, 1\n4, 3\n3, 4\n4,5\r\n5,4\n4, 4\n1, 2\n"),
    ("graph_indicator", "1\n1\n2\n2\n2\n"),
    ("graph_labels", "1\n-1\n"),
    ("node_labels", "5\n6\n8\n5\n5\n"),
    ("node_attributes", "0.5, 1\n1, 1\n2, 1e0\n3, 1\n4, 1\n"),
    ("edge_labels", "0\n0\n1\n1\n0\n0\n0\n1\n"),
    ("edge_attributes", "1\n2\n3\n4\n5\n6\n7\n8\n"),
    ("x", ""),
];

fn archive(parts: &[(&str, &str)]) -> Archive {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (part, text) in parts {
        let name = format!("T/T_{part}.txt");
        writer
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    let bytes = writer.finish().unwrap().into_inner();
    Archive::from_bytes("T.zip", bytes, &Limits::default()).unwrap()
}

fn read(parts: &[(&str, &str)], options: &TuOptions) -> Result<TuSet, ReadError> {
    read_tu_archive(archive(parts), options)
}

#[test]
fn reads_all_parts() {
    let options = TuOptions {
        node_attributes: true,
        edge_attributes: true,
        ..TuOptions::default()
    };
    let set = read(&PARTS, &options).unwrap();
    assert_eq!(set.name, "T");
    assert_eq!(set.classes.as_deref(), Some(&["-1".into(), "1".into()][..]));
    let [edge, path] = &set.graphs[..] else {
        panic!("{} graphs", set.graphs.len())
    };
    assert_eq!(edge.target(), Some(&Target::Class(1)));
    assert_eq!(path.target(), Some(&Target::Class(0)));
    assert_eq!(
        edge.features().to_dense().row(0),
        [0.5, 1.0, 1.0, 0.0, 0.0, 0.0]
    );
    assert_eq!(
        path.features().to_dense().row(0),
        [2.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    );
    assert_eq!(
        path.adjacency(),
        &Csr::from_edges(3, [(0, 1), (1, 0), (1, 2), (2, 1)]).unwrap()
    );
    let expected = [
        [4.0, 0.0, 1.0],
        [3.0, 0.0, 1.0],
        [5.0, 1.0, 0.0],
        [6.0, 1.0, 0.0],
    ];
    assert_eq!(
        path.edge_features(),
        Some(&Matrix::from_rows(expected).unwrap())
    );
    assert_eq!(
        set.notes,
        [
            Note::SelfLoops {
                count: 1,
                dropped: true
            },
            Note::DuplicatesMerged {
                dropped: 1,
                summed: false
            }
        ]
    );
}

#[test]
fn labels_alone_are_sparse() {
    let set = read(&PARTS, &TuOptions::default()).unwrap();
    assert_eq!(
        set.graphs[1].features(),
        &Features::Sparse(Csr::from_positions(3, 4, [(0, 3), (1, 0), (2, 0)]).unwrap())
    );
}

#[test]
fn keeps_only_what_is_asked_for() {
    let options = TuOptions {
        keep: Some(vec![1]),
        ..TuOptions::default()
    };
    let set = read(&PARTS, &options).unwrap();
    assert_eq!(set.graphs.len(), 1);
    assert_eq!(set.classes.as_deref(), Some(&["1".into()][..]));
    assert_eq!(set.graphs[0].target(), Some(&Target::Class(0)));
    assert_eq!(set.graphs[0].features().width(), 2);
    let options = TuOptions {
        keep: Some(vec![0]),
        ..TuOptions::default()
    };
    let error = read(&PARTS, &options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "T.zip: graph 0 of those to keep is out of range: there are 2 graphs, counted from 1; \
         check that the list belongs to this data set"
    );
}

#[test]
fn nodes_of_a_graph_need_not_stand_together() {
    let parts = [
        ("A", "1,3\n3,1\n"),
        ("graph_indicator", "1\n2\n1\n"),
        ("graph_attributes", "0.5\nnan\n"),
    ];
    let set = read(&parts, &TuOptions::default()).unwrap();
    assert_eq!((set.graphs[0].nodes(), set.graphs[1].nodes()), (2, 1));
    assert_eq!(set.graphs[0].adjacency().columns(), [1, 0]);
    assert_eq!(set.graphs[0].target(), Some(&Target::Values(vec![0.5])));
    assert!(matches!(set.graphs[1].target(), Some(Target::Values(v)) if v[0].is_nan()));
}

#[test]
fn errors_name_file_and_line() {
    let with = |part: &str, text: &'static str| {
        let mut parts = PARTS;
        for (name, content) in &mut parts {
            if *name == part {
                *content = text;
            }
        }
        read(&parts, &TuOptions::default()).unwrap_err().to_string()
    };
    for (part, text, message) in [
        (
            "A",
            "1, 2\n\n2, 9\n",
            "T.zip/T/T_A.txt, line 3: the edge 2, 9 is out of range: there are 5 nodes, counted \
             from 1; check that the files belong to one data set",
        ),
        (
            "A",
            "0, 1\n",
            "T.zip/T/T_A.txt, line 1: the edge 0, 1 is out of range: there are 5 nodes, counted \
             from 1; check that the files belong to one data set",
        ),
        (
            "A",
            "1, 3\n",
            "T.zip/T/T_A.txt, line 1: the edge 1, 3 joins graph 1 and graph 2; check that the \
             files belong to one data set",
        ),
        (
            "A",
            "1, -3\n",
            "T.zip/T/T_A.txt, line 1: `-3` stands where a whole number of 32 bits, not negative \
             should be; fix the line or fetch the file again",
        ),
        (
            "A",
            "1\n",
            "T.zip/T/T_A.txt, line 1: the line ends where a second node should be; fix the line \
             or fetch the file again",
        ),
        (
            "graph_indicator",
            "1\n1\n3\n",
            "T.zip/T/T_graph_indicator.txt, line 3: graph 3 is out of range: there are 2 graphs, \
             counted from 1; check that the files belong to one data set",
        ),
        (
            "node_labels",
            "1\n2\n",
            "T.zip/T/T_node_labels.txt: 2 lines for 5 nodes; check that the files belong to one \
             data set",
        ),
        (
            "node_labels",
            "1\n2\n3\n4\n4000000000\n",
            "T.zip/T/T_node_labels.txt: one-hot coding of labels from 1 to 4000000000 exceeds the \
             limit of 65536 columns; number the labels from 0 without gaps, leave them out, or \
             raise the limit",
        ),
        (
            "node_labels",
            "1\n2,3\n",
            "T.zip/T/T_node_labels.txt, line 2: 2 numbers, but the first line has 1; fix the \
             line or fetch the file again",
        ),
        (
            "node_labels",
            "1.5\n",
            "T.zip/T/T_node_labels.txt, line 1: `1.5` stands where a whole number should be; fix \
             the line or fetch the file again",
        ),
    ] {
        assert_eq!(with(part, text), message);
    }
    let error = read(&PARTS[1..], &TuOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "T.zip: there is no file `…_A.txt`; name a folder or zip of a TU data set"
    );
    let error = read(&PARTS[..1], &TuOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "T.zip: the file `T_graph_indicator.txt` is missing; fetch the data set again"
    );
}

#[test]
fn another_set_can_be_described_alike() {
    let options = TuOptions {
        node_attributes: true,
        drop_first_attribute: true,
        ..TuOptions::default()
    };
    let known = read(&PARTS, &options).unwrap();
    assert_eq!(
        known.coding,
        TuCoding {
            node_attributes: true,
            drop_first_attribute: true,
            node_labels: vec![(5, 8)],
            edge_attributes: false,
            edge_labels: vec![(0, 1)],
            text: Vec::new(),
        }
    );
    assert_eq!(
        known.graphs[0].features().to_dense().row(0),
        [1.0, 1.0, 0.0, 0.0, 0.0]
    );
    // The same graphs with fewer labels have the same columns.
    let like = TuOptions {
        coding: Some(known.coding.clone()),
        ..TuOptions::default()
    };
    let with = |labels: &'static str| {
        let parts = PARTS.map(|(part, text)| match part {
            "node_labels" => (part, labels),
            "edge_labels" => (part, "1\n1\n1\n1\n1\n1\n1\n1\n"),
            _ => (part, text),
        });
        read(&parts, &like)
    };
    let fewer = with("6\n6\n6\n6\n7\n").unwrap();
    assert_eq!(fewer.coding, known.coding);
    assert_eq!(
        fewer.graphs[0].features().to_dense().row(0),
        [1.0, 0.0, 1.0, 0.0, 0.0]
    );
    assert_eq!(fewer.graphs[0].edge_features().unwrap().row(0), [0.0, 1.0]);
    assert_eq!(
        with("6\n6\n6\n9\n7\n").unwrap_err().to_string(),
        "T.zip/T/T_node_labels.txt, line 4: the label 9 is unknown: those from 5 to 8 are known; \
         use the labels of the graphs that were learned from"
    );
    assert_eq!(
        with("6, 1\n6, 1\n6, 1\n6, 1\n7, 1\n")
            .unwrap_err()
            .to_string(),
        "T.zip/T/T_node_labels.txt: 2 columns of labels where 1 are known; use the labels of the \
         graphs that were learned from"
    );
    // Labels that the other set did not have are no features.
    let bare = TuOptions {
        coding: Some(TuCoding::default()),
        ..TuOptions::default()
    };
    let bare = read(&PARTS, &bare).unwrap();
    assert_eq!(bare.graphs[0].features().to_dense().row(0), [1.0]);
    assert!(bare.graphs[0].edge_features().is_none());
}

#[test]
fn folders_may_hold_packed_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    // The edges 0,1 and 1,2, which a TU set counts from 1.
    write(
        "T_A.txt.xz",
        include_bytes!("../../../tests/data/packed/edges.csv.xz"),
    );
    write("T_graph_indicator.txt", b"1\n1\n");
    write("T_graph_labels.txt", b"5\n");
    let error = read_tu(folder.path(), &TuOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("T_A.txt.xz, line 1"), "{error}");
}

#[test]
fn labels_that_lie_far_apart_are_sparse_beside_attributes() {
    let mut parts = PARTS;
    parts[3] = ("node_labels", "5\n6\n8\n5\n65000\n");
    let options = TuOptions {
        node_attributes: true,
        ..TuOptions::default()
    };
    let set = read(&parts, &options).unwrap();
    for graph in &set.graphs {
        assert_eq!(graph.features().width(), 2 + 64_996);
        assert!(matches!(graph.features(), Features::Sparse(_)));
    }
    let last = set.graphs[1].features().to_dense();
    assert_eq!(last.row(2)[..2], [4.0, 1.0]);
    assert_eq!(last.row(2).iter().sum::<f32>(), 6.0);
}
