//! Small sets in the form of the published ones, which are always at hand.
//!
//! The files in `data/sets` were written with numpy and scipy, those of PyTorch
//! put together with Python's own `zipfile` and `pickle` in the same structure.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use bnpool_graph::{Features, Target};
use bnpool_io::dataset::{self, Cache, Dataset, DatasetError, LoadOptions, Origin, Verdict};
use proptest::prelude::*;

fn sets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/sets")
}

fn options(folder: &Path) -> LoadOptions {
    LoadOptions {
        data_dir: Some(folder.to_path_buf()),
        generate: None,
        cache: Cache::Off,
        ..LoadOptions::paper()
    }
}

fn load(name: &str) -> Dataset {
    dataset::load(name, &options(&sets())).unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn isolated_test_nodes_are_kept() {
    let set = load("citeseer");
    let graph = &set.graphs[0];
    assert_eq!((graph.nodes(), set.classes), (7, 2));
    assert_eq!(graph.node_labels().unwrap(), [0, 1, 1, 0, 1, 0, 1]);
    let features = graph.features().to_dense();
    // Test nodes come in the order of `test.index`: 6, then 4.
    assert_eq!(features.row(6), [0.0, 1.0, 1.0]);
    assert_eq!(features.row(4), [1.0, 0.0, 1.0]);
    assert_eq!(features.row(5), [0.0; 3], "a node of no file");
    assert!(matches!(graph.features(), Features::Sparse(words) if words.weights().is_none()));
    // Repeated edges and self-loops are gone, and 4 -> 3 goes back.
    let edges: Vec<_> = graph.adjacency().iter().map(|(u, v, _)| (u, v)).collect();
    assert_eq!(
        edges,
        [
            (0, 1),
            (0, 6),
            (1, 0),
            (2, 3),
            (3, 2),
            (3, 4),
            (4, 3),
            (6, 0)
        ]
    );
    let Origin::Files { sha256, .. } = set.origin else {
        panic!("it was read from files");
    };
    assert_eq!(sha256.len(), 64);
}

#[test]
fn bundles_become_undirected_and_binary() {
    let set = load("dblp");
    let graph = &set.graphs[0];
    assert_eq!((graph.nodes(), graph.edges(), set.classes), (4, 8, 3));
    let features = graph.features().to_dense();
    assert_eq!(features.row(0), [1.0, 0.0, 0.0]);
    assert_eq!(features.row(2), [0.0, 0.0, 0.0], "not above 0");
    assert!(graph.adjacency().find(1, 1).is_none());
}

#[test]
fn object_arrays_become_graphs() {
    let set = load("gcb-small");
    let sizes: Vec<_> = set.graphs.iter().map(|graph| graph.nodes()).collect();
    assert_eq!(sizes, [3, 4, 5, 4, 3, 6]);
    let split = set.official_split.as_ref().unwrap();
    assert_eq!(split.train, [0, 1, 2]);
    assert_eq!(
        (&split.validation[..], &split.test[..]),
        (&[3][..], &[4, 5][..])
    );
    assert_eq!(set.graphs[4].target(), Some(&Target::Class(2)));
    assert_eq!(set.graphs[1].edges(), 8);
}

#[test]
fn tensors_become_graphs() {
    let set = load("peptides-struct");
    assert_eq!(set.graphs.len(), 6);
    let graph = &set.graphs[1];
    assert_eq!((graph.nodes(), graph.edges()), (5, 8));
    assert_eq!(graph.features().width(), 9);
    assert_eq!(graph.edge_features().unwrap().columns(), 3);
    assert!(matches!(graph.target(), Some(Target::Values(values)) if values.len() == 11));
    assert!(graph.adjacency().is_symmetric());
    let split = set.official_split.unwrap();
    assert_eq!(
        (split.train.len(), split.validation.len(), split.test.len()),
        (3, 1, 2)
    );

    let set = load("multipartite");
    assert_eq!((set.graphs.len(), set.classes), (3, 3));
    let graph = &set.graphs[2];
    assert_eq!((graph.nodes(), graph.features().width()), (21, 3));
    assert_eq!(graph.target(), Some(&Target::Class(2)));
}

/// An archive of a few molecules as the Open Graph Benchmark packs them.
fn molecules(tables: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, text) in tables {
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        zip.start_file(format!("hiv/{name}.csv.gz"), options)
            .unwrap();
        zip.write_all(&gz.finish().unwrap()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

const TABLES: [(&str, &str); 9] = [
    ("raw/num-node-list", "2\n3\n"),
    ("raw/num-edge-list", "1\n2\n"),
    ("raw/graph-label", "0\n1\n"),
    (
        "raw/node-feat",
        "5,0,0,0,0,0,0,0,0\n6,0,0,0,0,0,0,0,0\n7,0,0,0,0,0,0,0,1\n8,0,0,0,0,0,0,0,0\n9,0,0,0,0,0,0,0,0\n",
    ),
    ("raw/edge", "0,1\n2,0\n0,1\n"),
    ("raw/edge-feat", "0,0,1\n0,2,0\n3,0,0\n"),
    ("split/scaffold/train", "1\n"),
    ("split/scaffold/valid", "0\n"),
    ("split/scaffold/test", ""),
];

#[test]
fn molecules_come_from_a_zip() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("ogb")).unwrap();
    let path = folder.path().join("ogb/hiv.zip");
    std::fs::write(&path, molecules(&TABLES)).unwrap();
    let set = dataset::load("molhiv", &options(folder.path())).unwrap();
    assert_eq!((set.graphs.len(), set.classes), (2, 2));
    let graph = &set.graphs[1];
    assert_eq!(graph.adjacency().columns(), [1, 2, 0, 0]);
    let bonds = graph.edge_features().unwrap();
    assert_eq!(bonds.row(0), [3.0, 0.0, 0.0]);
    assert_eq!(bonds.row(1), [0.0, 2.0, 0.0]);
    assert_eq!(bonds.row(3), [0.0, 2.0, 0.0]);
    assert_eq!(set.official_split.unwrap().train, [1]);

    let wrong = |name: &str, text: &str| {
        let tables = TABLES.map(|table| {
            if table.0 == name {
                (table.0, text)
            } else {
                table
            }
        });
        std::fs::write(&path, molecules(&tables)).unwrap();
        let error = dataset::load("molhiv", &options(folder.path())).unwrap_err();
        error.to_string()
    };
    assert!(wrong("raw/num-node-list", "2\n2\n").contains("contradict each other"));
    assert!(wrong("raw/edge", "0,1\n2,0\n0,3\n").contains("leaves the matrix"));
    assert!(wrong("raw/edge-feat", "0,0\n0,2,0\n3,0,0\n").contains("line 1"));
    assert!(wrong("split/scaffold/train", "7\n").contains("example 7"));
    let error = {
        std::fs::write(&path, molecules(&TABLES[..4])).unwrap();
        dataset::load("molhiv", &options(folder.path())).unwrap_err()
    };
    assert!(
        error.to_string().contains("no `raw/edge.csv.gz` inside"),
        "{error}"
    );
}

#[test]
fn what_is_missing_is_made_or_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = dataset::load("cora", &options(folder.path()));
    let Err(DatasetError::NotFound { name, .. }) = error else {
        // Another folder of the search may hold it.
        println!("skipped: Cora is in the user's data directory");
        return;
    };
    assert_eq!(name, "cora");
    let made = LoadOptions {
        generate: Some(4),
        ..options(folder.path())
    };
    for (name, graphs) in [
        ("gcb-h", 1800),
        ("colors-3", 10_500),
        ("multipartite", 5000),
    ] {
        let set = dataset::load(name, &made).unwrap();
        if set.origin != (Origin::Generated { seed: 4 }) {
            println!("skipped: {name} is in another folder");
            continue;
        }
        let summary = set.summary();
        let published = dataset::find(name).unwrap().published;
        assert_eq!(summary.graphs, graphs);
        assert_eq!(
            (summary.features, summary.classes),
            (published.features, published.classes)
        );
        // Another draw of the same rules.
        assert!(
            (summary.nodes / published.nodes - 1.0).abs() < 0.03,
            "{name}"
        );
        assert!(
            (summary.edges / published.edges - 1.0).abs() < 0.05,
            "{name}"
        );
    }
}

#[test]
fn checksums_tell_published_files_from_others() {
    let files = dataset::verify("citeseer", Some(&sets()), false).unwrap();
    assert_eq!(files.len(), 8);
    for file in &files {
        assert!(
            matches!(file.verdict, Verdict::Differs { .. }),
            "these are not published"
        );
    }
    let files = dataset::verify("dblp", Some(&sets()), false).unwrap();
    assert_eq!(files[0].verdict, Verdict::Unknown);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dblp.npz");
    std::fs::copy(&files[0].path, &path).unwrap();
    let record = format!("{}  dblp.npz\n", files[0].sha256);
    std::fs::write(folder.path().join("dblp.npz.sha256"), record).unwrap();
    let verdict = || {
        dataset::verify("dblp", Some(folder.path()), false).unwrap()[0]
            .verdict
            .clone()
    };
    assert_eq!(verdict(), Verdict::Recorded);
    std::fs::write(&path, "another").unwrap();
    assert!(matches!(verdict(), Verdict::Differs { .. }));
    assert_eq!(dataset::verify("community", None, false).unwrap(), []);
    let found = dataset::whereabouts("dblp", Some(&sets()), false).unwrap();
    assert_eq!(found, Some(sets().join("citation/dblp.npz")));
}

/// Copies a set with one file damaged, and loads it.
fn load_damaged(name: &str, file: &str, changes: &[(usize, u8)], cut: Option<usize>) {
    let folder = tempfile::tempdir().unwrap();
    let original = sets().join(file);
    let parent = original.parent().unwrap();
    let target = folder.path().join(Path::new(file).parent().unwrap());
    std::fs::create_dir_all(&target).unwrap();
    for entry in std::fs::read_dir(parent).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, target.join(path.file_name().unwrap())).unwrap();
    }
    let mut bytes = std::fs::read(&original).unwrap();
    for &(place, byte) in changes {
        let place = place % bytes.len();
        bytes[place] = byte;
    }
    if let Some(length) = cut {
        bytes.truncate(length % bytes.len());
    }
    std::fs::write(folder.path().join(file), bytes).unwrap();
    let _ = dataset::load(name, &options(folder.path()));
}

const DAMAGED: [(&str, &str); 7] = [
    ("citeseer", "planetoid/ind.citeseer.allx"),
    ("citeseer", "planetoid/ind.citeseer.graph"),
    ("citeseer", "planetoid/ind.citeseer.test.index"),
    ("dblp", "citation/dblp.npz"),
    ("gcb-small", "gcb/hard_small.npz"),
    ("peptides-struct", "lrgb/peptides-struct/train.pt"),
    ("multipartite", "multipartite/Multipartite.pkl"),
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn damaged_sets_never_panic(
        set in 0..DAMAGED.len(),
        changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6),
        cut in proptest::option::weighted(0.2, any::<usize>()),
    ) {
        let (name, file) = DAMAGED[set];
        load_damaged(name, file, &changes, cut);
    }
}
