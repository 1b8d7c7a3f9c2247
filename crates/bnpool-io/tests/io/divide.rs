//! Graphs in parts, from memory and from files.

use bnpool_graph::divide::{Held, PartSource};
use bnpool_graph::generate::Sbm;
use bnpool_graph::{Csr, Graph};
use bnpool_io::format::container::ContainerParts;
use bnpool_io::format::container::{encode_container, write_container};
use proptest::prelude::*;
use std::num::Wrapping;
use std::path::PathBuf;

struct Written {
    path: PathBuf,
    _folder: tempfile::TempDir,
}

fn write(bytes: &[u8]) -> Written {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.safetensors");
    std::fs::write(&path, bytes).unwrap();
    Written {
        path,
        _folder: folder,
    }
}

fn container(graph: &Graph) -> Written {
    let written = write(&[]);
    write_container(&written.path, std::slice::from_ref(graph), None).unwrap();
    written
}

fn planted() -> Graph {
    let graph = Sbm::with_degree(500, 5, 8.0, 0.9).unwrap();
    graph.generate(0).unwrap()
}

/// The parts of a source, put together again.
fn together(source: &dyn PartSource) -> Graph {
    let mut entries = Vec::new();
    let (mut labels, mut ids) = (Vec::new(), Vec::new());
    for p in 0..source.cuts().parts() {
        let part = source.part(p).unwrap();
        assert_eq!(part.range(), source.cuts().range(p));
        assert_eq!(part.entries(), source.cuts().entries(p).len());
        for (i, u) in part.range().enumerate() {
            assert_eq!(part.degree(i), part.row(i).len());
            for (k, &v) in part.row(i).iter().enumerate() {
                entries.push((u as u32, v, part.row_weights(i).map_or(1.0, |w| w[k])));
            }
        }
        labels.extend(source.node_labels(p).unwrap().unwrap_or_default());
        ids.extend(source.node_ids(p).unwrap().unwrap_or_default());
    }
    let mut adjacency = Csr::from_weighted_edges(source.nodes(), entries).unwrap();
    if !source.is_weighted() {
        adjacency = adjacency.without_weights();
    }
    assert_eq!(adjacency.entries(), source.entries());
    Graph::builder(adjacency)
        .node_labels((!labels.is_empty()).then_some(labels))
        .node_ids((!ids.is_empty()).then_some(ids))
        .build()
        .unwrap()
}

#[test]
fn memory_and_file_give_the_same_parts() {
    let plain = planted();
    let named = plain
        .clone()
        .into_builder()
        .node_ids((0..500).map(|u| format!("é{}", u * 7)).collect::<Vec<_>>())
        .build()
        .unwrap();
    let edges = [
        (0, 1, 0.5),
        (1, 0, 0.5),
        (2, 2, 3.0),
        (4, 1, 2.0),
        (1, 4, 2.0),
    ];
    let weighted = Csr::from_weighted_edges(9, edges).unwrap();
    let weighted = Graph::builder(weighted).build().unwrap();
    for graph in [plain, named, weighted] {
        let written = container(&graph);
        for work in [1, 300, 1_000_000] {
            let held = Held::new(graph.clone(), work);
            let file = ContainerParts::open(&written.path, work, 0).unwrap();
            assert_eq!(file.cuts(), held.cuts(), "{work}");
            assert_eq!(together(&held), graph);
            assert_eq!(together(&file), graph);
            // Again, with some of the parts in memory.
            let file = ContainerParts::open(&written.path, work, 3000).unwrap();
            assert_eq!(together(&file), graph);
            assert_eq!(together(&file), graph);
        }
    }
}

#[test]
fn odd_graphs_can_be_divided() {
    for (nodes, edges) in [(0, vec![]), (1, vec![]), (6, vec![(5, 0), (0, 5)])] {
        let graph = Graph::builder(Csr::from_edges(nodes, edges).unwrap());
        let graph = graph.build().unwrap();
        let written = container(&graph);
        let file = ContainerParts::open(&written.path, 2, 0).unwrap();
        assert_eq!(together(&file), graph);
    }
}

#[test]
fn symmetry_is_seen_part_by_part() {
    let graph = planted();
    let asymmetry = |graph: &Graph| {
        let source = Held::new(graph.clone(), 100);
        let parts = 0..source.cuts().parts();
        parts
            .map(|p| source.part(p).unwrap().asymmetry())
            .sum::<Wrapping<u64>>()
    };
    assert_eq!(asymmetry(&graph), Wrapping(0));
    let mut edges: Vec<(u32, u32)> = graph.adjacency().iter().map(|e| (e.0, e.1)).collect();
    edges.remove(77);
    let one_way = Csr::from_edges(500, edges).unwrap();
    let one_way = Graph::builder(one_way).build().unwrap();
    assert_ne!(asymmetry(&one_way), Wrapping(0));
}

#[test]
fn wrong_files_are_refused_by_name() {
    let graph = planted();
    let two = encode_container(&[graph.clone(), graph.clone()], None).unwrap();
    let bytes = encode_container(std::slice::from_ref(&graph), None).unwrap();
    let cut = &bytes[..bytes.len() - 3];
    let cases: [(&[u8], &str); 4] = [
        (&two, "it holds 2 graphs"),
        (cut, "cut off"),
        (b"from,to\n1,2\n", "no good safetensors file"),
        (b"", "cannot read"),
    ];
    for (bytes, expected) in cases {
        let written = write(bytes);
        let error = ContainerParts::open(&written.path, 100, 0).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    let missing = write(&[]).path;
    assert!(
        ContainerParts::open(&missing, 1, 0)
            .unwrap_err()
            .is_missing()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A damaged byte gives an error, or rows that are well formed all the same.
    #[test]
    fn damage_never_panics(place in 0_usize..6000, value in any::<u8>()) {
        let graph = Sbm::with_degree(60, 3, 6.0, 0.9).unwrap().generate(1).unwrap();
        let mut bytes = encode_container(std::slice::from_ref(&graph), None).unwrap();
        let place = place % bytes.len();
        bytes[place] = value;
        let written = write(&bytes);
        if let Ok(source) = ContainerParts::open(&written.path, 50, 0) {
            for p in 0..source.cuts().parts() {
                if let Ok(part) = source.part(p) {
                    let nodes = source.nodes();
                    for i in 0..part.len() {
                        prop_assert!(part.row(i).iter().all(|&v| (v as usize) < nodes));
                    }
                }
                let _ = source.node_ids(p);
                let _ = source.node_labels(p);
            }
        }
    }
}
