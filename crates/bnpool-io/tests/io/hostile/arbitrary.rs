//! Arbitrary bytes through every reader: a graph or an error, never a panic.
//!
//! Bytes are drawn raw, and in words of each format, which get deeper. The same
//! readers stand in `fuzz/` for longer runs.

use std::io::{Cursor, Write};
use std::path::Path;

use bnpool_io::format::container::parse_container;
use bnpool_io::format::npy::{Npy, encode_f32, encode_i64};
use bnpool_io::format::tu::{TuOptions, read_tu_archive};
use bnpool_io::format::{Archive, Format, Limits, ReadOptions, Source, read_source};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Reads bytes in a format; what comes out does not matter.
fn try_read(format: Format, bytes: Vec<u8>) {
    let limits = Limits {
        max_bytes: 1 << 24,
        max_announced: 1 << 16,
        ..Limits::default()
    };
    for directed in [false, true] {
        let options = ReadOptions {
            directed,
            drop_self_loops: directed,
            limits,
            ..ReadOptions::default()
        };
        if let Ok(source) = Source::from_bytes("x", bytes.clone(), &limits)
            && let Ok((graph, report)) = read_source(source, format, &options)
        {
            assert!(directed || graph.adjacency().is_symmetric());
            let _ = report.notes.iter().map(ToString::to_string).count();
        }
    }
}

/// Text made of words of a format.
fn words(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        8 => select(words).prop_map(str::to_owned),
        2 => (0_u32..6).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f32>().prop_map(|number| number.to_string()),
        1 => "\\PC{0,4}",
    ];
    vec(word, 0..60).prop_map(|words| words.concat().into_bytes())
}

fn zip(members: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        writer
            .start_file(name.as_str(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

const LINES: &[&str] = &[
    "\n",
    "\n",
    "\r\n",
    ",",
    ", ",
    " ",
    "\t",
    ";",
    "#",
    "%",
    "\"",
    "a",
    "b",
    "0",
    "1",
    "2",
    "1 2\n",
    "0,1\n",
    "-1",
    "nan",
    "1e9",
    "source,target\n",
    "weight",
    "\u{feff}",
];
const MARKET: &[&str] = &[
    "%%MatrixMarket matrix coordinate real general\n",
    "%%MatrixMarket matrix coordinate pattern symmetric\n",
    "3 3 2\n",
    "1 2 1\n",
    "2 1\n",
    "3 3\n",
    " ",
    "\n",
    "%",
    "9",
];
const METIS: &[&str] = &[
    "3 2\n",
    "2 1 011 1\n",
    "2\n",
    "1 3\n",
    "1 1 2 1\n",
    "\n",
    " ",
    "%",
    "111",
];
const GML: &[&str] = &[
    "graph [ ",
    "node [ ",
    "edge [ ",
    "] ",
    "id 0 ",
    "id 1 ",
    "source 0 ",
    "target 1 ",
    "label \"",
    "\" ",
    "x 1 ",
    "directed 1 ",
    "weight 2 ",
    "\n#",
    "&amp;",
    "[ ",
    "graph [ node [ id 0 x 1 ] node [ id 1 x 2 ] edge [ source 0 target 1 ] ",
];
const GRAPHML: &[&str] = &[
    "<graphml>",
    "<graph edgedefault=\"directed\">",
    "<node id=\"a\">",
    "<node id=\"b\"/>",
    "</node>",
    "<edge source=\"a\" target=\"b\"/>",
    "<data key=\"k\">",
    "</data>",
    "</graph>",
    "</graphml>",
    "<key id=\"k\" for=\"node\" attr.name=\"weight\">",
    "</key>",
    "<default>",
    "</default>",
    "1",
    "&lt;",
    "&#65;",
    "&x;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?xml version=\"1.0\"?>",
    "\n",
];
const GEXF: &[&str] = &[
    "<gexf>",
    "<graph defaultedgetype=\"directed\">",
    "<attributes class=\"node\">",
    "<attributes class=\"edge\">",
    "<attribute id=\"k\" title=\"weight\">",
    "</attribute>",
    "</attributes>",
    "<default>",
    "</default>",
    "<node id=\"a\" label=\"b\">",
    "<node id=\"b\"/>",
    "</node>",
    "<attvalue for=\"k\" value=\"2\"/>",
    "<edge source=\"a\" target=\"b\" weight=\"2\">",
    "<edge source=\"b\" target=\"a\"/>",
    "</edge>",
    "</graph>",
    "</gexf>",
    "1",
    "&lt;",
    "<![CDATA[",
    "]]>",
    "\n",
];
const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"nodes\":[",
    "\"links\":[",
    "\"edges\":[",
    "{\"id\":0,\"x\":1}",
    "{\"id\":1}",
    "{\"name\":\"a\"}",
    "{\"source\":0,\"target\":1}",
    "{\"source\":1,\"target\":0,\"weight\":2}",
    "\"directed\":true",
    "null",
    "1e99",
    "\"",
    "\\u0000",
    "{\"nodes\":[{\"id\":0},{\"id\":1}],\"links\":[",
];
const PAJEK: &[&str] = &[
    "*Vertices 3\n",
    "*Vertices 2\n",
    "*Edges\n",
    "*Arcs\n",
    "*Edgeslist\n",
    "*Arcslist\n",
    "*Matrix\n",
    "*Partition\n",
    "*Network x\n",
    "1 \"a b\" 0.5 1\n",
    "2 c\n",
    "1 2 3.5\n",
    "3 1\n",
    "0 1 0\n",
    "\"",
    " ",
    "\n",
    "%",
    "*",
];
const DOT: &[&str] = &[
    "graph {",
    "strict digraph g {",
    "{",
    "}",
    "subgraph x {",
    "a",
    "b",
    " c ",
    "--",
    "->",
    "-",
    ";",
    "[weight=2]",
    "[x=1,y]",
    "edge [weight=3]",
    "node [x=1]",
    "=",
    ":p",
    "\"",
    "\\",
    "<",
    ">",
    "+",
    "/*",
    "*/",
    "//",
    "\n#",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn raw_bytes(bytes in vec(any::<u8>(), 0..300), format in select(Format::ALL.to_vec())) {
        try_read(format, bytes);
    }

    #[test]
    fn edge_lists(text in words(LINES)) {
        try_read(Format::EdgeList, text);
    }

    #[test]
    fn matrix_market(text in words(MARKET), sound in any::<bool>()) {
        let start: &[u8] = if sound { MARKET[0].as_bytes() } else { b"" };
        try_read(Format::MatrixMarket, [start, &text].concat());
    }

    #[test]
    fn metis(text in words(METIS)) {
        try_read(Format::Metis, text);
    }

    #[test]
    fn gml(text in words(GML), sound in any::<bool>()) {
        let start: &[u8] = if sound { GML[GML.len() - 1].as_bytes() } else { b"" };
        try_read(Format::Gml, [start, &text].concat());
    }

    #[test]
    fn graphml(text in words(GRAPHML)) {
        try_read(Format::GraphMl, text);
    }

    #[test]
    fn gexf(text in words(GEXF)) {
        try_read(Format::Gexf, text);
    }

    #[test]
    fn node_link(text in words(JSON), sound in any::<bool>()) {
        let start: &[u8] = if sound { JSON[JSON.len() - 1].as_bytes() } else { b"" };
        try_read(Format::NodeLink, [start, &text].concat());
        try_read(Format::NodeLink, [start, &text, b"]}"].concat());
    }

    #[test]
    fn pajek(text in words(PAJEK), sound in any::<bool>()) {
        let start: &[u8] = if sound { PAJEK[0].as_bytes() } else { b"" };
        try_read(Format::Pajek, [start, &text].concat());
    }

    #[test]
    fn dot(text in words(DOT), sound in any::<bool>()) {
        let start: &[u8] = if sound { DOT[0].as_bytes() } else { b"" };
        try_read(Format::Dot, [start, &text].concat());
        try_read(Format::Dot, [start, &text, b"}"].concat());
    }

    #[test]
    fn adjacency_lists(text in words(LINES)) {
        try_read(Format::AdjacencyList, text);
    }

    #[test]
    fn dense_arrays(shape in vec(0_usize..5, 0..3), values in vec(any::<f32>(), 25), sound in any::<bool>()) {
        let count = shape.iter().product::<usize>();
        let value = |&value: &f32| if sound { value.abs().min(9.0) } else { value };
        let values: Vec<f32> = values.iter().take(count).map(value).collect();
        try_read(Format::NpyMatrix, encode_f32(&shape, &values));
    }

    #[test]
    fn sparse_matrices(
        layout in select(vec!["csr", "csc", "coo", "dia", ""]),
        first in vec(-1_i64..5, 0..5),
        second in vec(-1_i64..4, 0..6),
        shape in vec(-1_i64..5, 0..4),
        data in vec(any::<f32>(), 0..6),
    ) {
        let numbers = |numbers: &[i64]| encode_i64(&[numbers.len()], numbers);
        let header = format!("{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}", layout.len());
        let mut word = b"\x93NUMPY\x01\x00".to_vec();
        word.extend((header.len() as u16).to_le_bytes());
        word.extend(header.bytes());
        word.extend(layout.bytes());
        let members = [("format", word), ("indptr", numbers(&first)), ("indices", numbers(&second)),
            ("row", numbers(&first)), ("col", numbers(&second)), ("shape", numbers(&shape)),
            ("data", encode_f32(&[data.len()], &data))];
        let members = members.map(|(name, bytes)| (format!("{name}.npy"), bytes));
        try_read(Format::CsrBundle, zip(&members));
    }

    #[test]
    fn matrices_and_columns(text in words(LINES), header in any::<Option<bool>>(), column in 1_usize..5) {
        for (format, source) in [
            (Format::Matrix, None),
            (Format::EdgeList, None),
            (Format::EdgeList, Some(column.to_string())),
        ] {
            let options = ReadOptions { header, source, ..ReadOptions::default() };
            let bytes = Source::from_bytes("e", text.clone(), &Limits::default()).unwrap();
            if let Ok((graph, report)) = read_source(bytes, format, &options) {
                let line = report.understood(&graph, &|change| Some(change.field()));
                assert!(line.contains("nodes") && line.len() < 4000);
            }
        }
    }

    #[test]
    fn features_and_labels(text in words(LINES), bytes in vec(any::<u8>(), 0..100)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        for content in [text, bytes] {
            std::fs::write(&path, content).unwrap();
            for (features, labels) in [(true, false), (false, true)] {
                let options = ReadOptions {
                    features: features.then(|| path.clone()),
                    labels: labels.then(|| path.clone()),
                    add_isolated: features,
                    ..ReadOptions::default()
                };
                for edges in ["0,1\n", "a,b\n"] {
                    let source = Source::from_bytes("e", edges.into(), &Limits::default()).unwrap();
                    let _ = read_source(source, Format::EdgeList, &options);
                }
            }
        }
    }

    #[test]
    fn tu_sets(parts in vec(words(LINES), 8), sound in any::<bool>()) {
        let names = ["A", "graph_indicator", "graph_labels", "graph_attributes", "node_labels",
            "node_attributes", "edge_labels", "edge_attributes"];
        let mut members: Vec<_> = names.iter().zip(parts)
            .map(|(name, part)| (format!("T/T_{name}.txt"), part)).collect();
        if sound {
            members[0].1 = b"1, 2\n2, 1\n".to_vec();
            members[1].1 = b"1\n1\n2\n".to_vec();
            members.remove(3);
        }
        let archive = Archive::from_bytes("T.zip", zip(&members), &Limits::default()).unwrap();
        let options = TuOptions { node_attributes: true, edge_attributes: true, ..TuOptions::default() };
        let _ = read_tu_archive(archive, &options);
    }

    #[test]
    fn arrays(header in "[ {}()',:a-zA-Z0-9<|_]{0,80}", data in vec(any::<u8>(), 0..64), sound in any::<bool>()) {
        let header = if sound {
            format!("{{'descr': '<f4', 'fortran_order': True, 'shape': ({header}), }}")
        } else {
            header
        };
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(&data);
        if let Ok(array) = Npy::parse(Path::new("x"), &bytes) {
            let _ = (array.to_matrix(Path::new("x")), array.data.to_i64());
        }
        let _ = Npy::parse(Path::new("x"), &data);
    }

    #[test]
    fn bundles(
        offsets in vec(-1_i64..5, 0..5),
        columns in vec(-1_i64..4, 0..6),
        shape in vec(-1_i64..5, 0..4),
        data in vec(any::<f32>(), 0..6),
        damage in proptest::option::of((any::<prop::sample::Index>(), any::<u8>())),
    ) {
        let numbers = |numbers: &[i64]| encode_i64(&[numbers.len()], numbers);
        let members = ["adj", "attr"].map(|prefix| [
            (format!("{prefix}_data.npy"), encode_f32(&[data.len()], &data)),
            (format!("{prefix}_indices.npy"), numbers(&columns)),
            (format!("{prefix}_indptr.npy"), numbers(&offsets)),
            (format!("{prefix}_shape.npy"), numbers(&shape)),
        ]).concat();
        let mut bytes = zip(&members);
        if let Some((place, byte)) = damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        try_read(Format::CsrBundle, bytes);
    }

    #[test]
    fn containers(bytes in vec(any::<u8>(), 0..200), header in "\\PC{0,80}") {
        let path = Path::new("x");
        let _ = parse_container(path, &bytes, &Limits::default());
        let mut framed = (header.len() as u64).to_le_bytes().to_vec();
        framed.extend(header.bytes());
        framed.extend(&bytes);
        let _ = parse_container(path, &framed, &Limits::default());
    }
}
