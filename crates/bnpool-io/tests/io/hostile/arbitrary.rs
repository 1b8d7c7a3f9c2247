//! Arbitrary bytes through every reader: a graph or an error, never a panic.
//!
//! Bytes are drawn raw, and from the pieces of the seeds in `fuzz/`, which get deeper.
//! The targets there run longer.

use std::io::{Cursor, Write};
use std::path::Path;

use bnpool_io::format::container::parse_container;
use bnpool_io::format::npy::{Npy, encode_f32, encode_i64};
use bnpool_io::format::tu::{TuOptions, read_tu_archive};
use bnpool_io::format::{Archive, Format, Limits, ReadOptions, Source, read_source};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
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

/// Text made of these words.
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
/// The example files of a format; a folder has none.
fn seeds(format: Format) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    let files = std::fs::read_dir(folder.join(format.name())).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.sort();
    let files = files.iter().filter(|file| file.is_file());
    files.map(|file| std::fs::read(file).unwrap()).collect()
}

/// Bytes that may begin like an example of a format, and go on with pieces of its
/// examples: lines, elements, words and marks.
fn alike(format: Format) -> impl Strategy<Value = Vec<u8>> {
    let seeds = seeds(format);
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for seed in &seeds {
        let parts = seed.split_inclusive(|byte| b"\n>}];".contains(byte));
        pieces.extend(parts.map(<[u8]>::to_vec));
        let words = seed.chunk_by(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
        pieces.extend(words.map(<[u8]>::to_vec));
    }
    let start = (select(seeds), any::<Index>(), any::<bool>()).prop_map(|(seed, end, sound)| {
        let end = if sound { end.index(seed.len() + 1) } else { 0 };
        seed[..end].to_vec()
    });
    let piece = prop_oneof![
        8 => select(pieces),
        2 => (0_u32..6).prop_map(|number| number.to_string().into_bytes()),
        1 => any::<i64>().prop_map(|number| number.to_string().into_bytes()),
        1 => any::<f32>().prop_map(|number| number.to_string().into_bytes()),
        1 => "\\PC{0,4}".prop_map(String::into_bytes),
    ];
    (start, vec(piece, 0..60)).prop_map(|(start, pieces)| [start, pieces.concat()].concat())
}

/// A format and bytes that look like it.
fn a_format() -> impl Strategy<Value = (Format, Vec<u8>)> {
    let formats = Format::ALL.iter().copied();
    let formats: Vec<_> = formats
        .filter(|&format| !seeds(format).is_empty())
        .collect();
    select(formats).prop_flat_map(|format| (Just(format), alike(format)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn every_format((format, bytes) in a_format()) {
        try_read(format, bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn raw_bytes(bytes in vec(any::<u8>(), 0..300), format in select(Format::ALL.to_vec())) {
        try_read(format, bytes);
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
