use std::collections::HashMap;

use super::*;
use bnpool_graph::{Csr, Matrix, Target};

/// Graphs that have all kinds of parts, and none.
fn graphs() -> Vec<Graph> {
    let weighted = Csr::from_weighted_edges(3, [(0, 1, 0.5), (1, 0, 0.0), (2, 2, 1.0)]).unwrap();
    let words = Csr::from_entries(3, 7, [(0, 6, 2.0), (2, 1, -1.0)]).unwrap();
    let full = Graph::builder(weighted)
        .features(words.clone())
        .edge_features(Matrix::from_rows([[1.0], [2.0], [3.0]]).unwrap())
        .target(Target::Values(vec![0.5, -2.0]))
        .node_labels(vec![2, 0, 1])
        .node_ids(["a", "", "é"].map(str::to_owned).to_vec())
        .build()
        .unwrap();
    let ones = full
        .clone()
        .into_builder()
        .features(words.without_weights())
        .target(Target::Class(7))
        .node_ids(None)
        .build()
        .unwrap();
    let dense = Graph::builder(Csr::from_edges(2, [(0, 1)]).unwrap())
        .features(Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap())
        .edge_features(Matrix::zeros(1, 0))
        .build()
        .unwrap();
    let empty = Graph::builder(Csr::from_edges(0, []).unwrap())
        .build()
        .unwrap();
    vec![full, ones, empty, dense]
}

fn parse(bytes: &[u8]) -> Result<(Vec<Graph>, Option<Vec<String>>), ReadError> {
    parse_container(Path::new("g.safetensors"), bytes, &Limits::default())
}

#[test]
fn everything_survives() {
    let classes = vec!["no".to_owned(), "yes".to_owned()];
    let bytes = encode::encode(&graphs(), Some(&classes)).unwrap();
    assert_eq!(parse(&bytes).unwrap(), (graphs(), Some(classes)));
    let none = encode::encode(&[], None).unwrap();
    assert_eq!(parse(&none).unwrap(), (vec![], None));
    assert_eq!(encode::encode(&[], None).unwrap(), none);
}

#[test]
fn missing_labels_survive() {
    let target = Target::Values(vec![f32::NAN, 1.0]);
    let graph = Graph::builder(Csr::from_edges(1, []).unwrap())
        .target(target)
        .build()
        .unwrap();
    let (graphs, _) = parse(&encode::encode(&[graph], None).unwrap()).unwrap();
    assert!(matches!(graphs[0].target(), Some(Target::Values(v)) if v[0].is_nan() && v[1] == 1.0));
}

#[test]
fn other_files_and_newer_versions_are_refused() {
    let with = |key: &str, version: &str| {
        let metadata = HashMap::from([(key.to_owned(), version.to_owned())]);
        let nothing: Vec<(String, safetensors::tensor::TensorView)> = vec![];
        let bytes = safetensors::serialize(nothing, Some(metadata)).unwrap();
        parse(&bytes).unwrap_err().to_string()
    };
    assert_eq!(
        with(VERSION_KEY, "2"),
        "g.safetensors: the container has version 2, but only up to 1 is understood; update the \
         program, or write the container again"
    );
    assert_eq!(
        with("format", "pt"),
        "g.safetensors: this safetensors file holds no graphs of ours; give a file that was \
         written as a graph container"
    );
    assert!(with(VERSION_KEY, "1").contains("not a good container"));
    assert!(parse(b"").is_err());
    assert!(parse(&[0xff; 100]).is_err());
}

#[test]
fn damaged_containers_are_refused() {
    let bytes = encode::encode(&graphs(), None).unwrap();
    for end in 0..bytes.len() {
        assert!(parse(&bytes[..end]).is_err());
    }
    // A flipped byte gives an error or other graphs, but never a panic.
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 0xff;
        let _ = parse(&damaged);
    }
}
