//! Real data sets: their counts equal the published ones.
//!
//! `BNPOOL_DATA=DIR cargo test --workspace --test io real -- --ignored` runs these
//! tests; without the variable the folder is `../shared/data` beside the workspace.

use std::path::{Path, PathBuf};

use bnpool_graph::Target;
use bnpool_io::dataset::{self, Cache, Dataset, LoadOptions, Summary, Verdict};

fn data_dir() -> PathBuf {
    std::env::var_os("BNPOOL_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    )
}

fn options(preset: LoadOptions) -> LoadOptions {
    LoadOptions {
        data_dir: Some(data_dir()),
        generate: None,
        cache: Cache::Off,
        ..preset
    }
}

fn load(name: &str, preset: LoadOptions) -> (Dataset, Summary) {
    let set = dataset::load(name, &options(preset)).unwrap_or_else(|error| panic!("{error}"));
    let summary = set.summary();
    (set, summary)
}

/// Checks a set against the counts in the registry, to the digits given there.
fn has_published_counts(name: &str) -> (Dataset, Summary) {
    let (set, summary) = load(name, LoadOptions::paper());
    let published = dataset::find(name).expect("it is known").published;
    assert_eq!(summary.graphs, published.graphs, "{name}");
    assert_eq!(summary.features, published.features, "{name}: features");
    assert_eq!(summary.edge_features, published.edge_features, "{name}");
    assert_eq!(summary.classes, published.classes, "{name}: classes");
    let near = |found: f64, expected: f64| (found - expected).abs() <= 0.0051;
    assert!(
        near(summary.nodes, published.nodes),
        "{name}: {} nodes",
        summary.nodes
    );
    assert!(
        near(summary.edges, published.edges),
        "{name}: {} edges",
        summary.edges
    );
    for graph in &set.graphs {
        assert!(graph.adjacency().is_symmetric(), "{name}");
    }
    assert!(summary.class_sizes.iter().all(|&size| size > 0), "{name}");
    (set, summary)
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn node_clustering_sets() {
    has_published_counts("community");
    has_published_counts("citeseer");
    has_published_counts("dblp");
    let (_, summary) = has_published_counts("cora");
    let density = summary.density.expect("classes");
    assert!((density.intra - 0.0065).abs() < 5e-5);
    let (_, summary) = has_published_counts("pubmed");
    let density = summary.density.expect("classes");
    assert!((density.intra - 0.0005).abs() < 5e-5);
    assert!((density.inter - 0.0001).abs() < 5e-5);
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn tu_sets() {
    for name in [
        "mutag",
        "enzymes",
        "nci1",
        "dd",
        "reddit-binary",
        "collab",
        "imdb-binary",
        "mutagenicity",
        "proteins",
    ] {
        has_published_counts(name);
    }
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn cleaned_tu_sets() {
    for (name, graphs) in [
        ("mutag", 135),
        ("enzymes", 595),
        ("nci1", 3785),
        ("dd", 1178),
        ("reddit-binary", 1998),
        ("collab", 4064),
    ] {
        let entry = dataset::find(name).expect("it is known");
        assert_eq!(entry.cleaned_graphs, Some(graphs));
        let (set, summary) = load(name, LoadOptions::authors());
        assert!(set.cleaned);
        assert_eq!(summary.graphs, graphs, "{name}");
        if name == "enzymes" {
            assert_eq!(summary.features, 3, "labels without attributes");
        }
    }
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn colours() {
    let (set, _) = has_published_counts("colors-3");
    for graph in &set.graphs {
        let features = graph.features().to_dense();
        let green = (0..graph.nodes()).filter(|&u| features.row(u)[1] == 1.0);
        assert_eq!(graph.target(), Some(&Target::Class(green.count() as u32)));
    }
    let split = set.official_split.expect("a split");
    assert_eq!((split.train.len(), split.test.len()), (500, 7500));
    let all = load("colors-3", LoadOptions::authors());
    assert_eq!((all.1.graphs, all.1.features), (10_500, 5));
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn molecules() {
    let (set, summary) = has_published_counts("ogbg-molhiv");
    assert_eq!(summary.class_sizes, [39_684, 1443]);
    let split = set.official_split.expect("a split");
    assert_eq!(
        (split.train.len(), split.validation.len(), split.test.len()),
        (32_901, 4113, 4113)
    );
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn clouds() {
    let (set, _) = has_published_counts("gcb-small");
    let split = set.official_split.expect("a split");
    assert_eq!((split.train.len(), split.test.len()), (245, 26));
    let (set, summary) = load("gcb-h", LoadOptions::paper());
    // Published or made again: the same rules, another draw.
    assert_eq!(
        (summary.graphs, summary.features, summary.classes),
        (1800, 5, 3)
    );
    assert_eq!(summary.class_sizes, [600; 3]);
    assert!((summary.nodes - 148.32).abs() < 2.5, "{}", summary.nodes);
    let degree = summary.edges / summary.nodes;
    assert!((degree - 572.32 / 148.32).abs() < 0.02, "{degree}");
    assert_eq!(set.official_split.expect("a split").len(), 1800);
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn parts() {
    let (_, summary) = load("multipartite", LoadOptions::paper());
    assert_eq!(
        (summary.graphs, summary.features, summary.classes),
        (5000, 3, 10)
    );
    assert_eq!(summary.class_sizes, [500; 10]);
    assert!((summary.nodes - 99.79).abs() < 0.05, "{}", summary.nodes);
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn the_cache_gives_the_same_set() {
    for name in [
        "pubmed",
        "reddit-binary",
        "ogbg-molhiv",
        "gcb-h",
        "colors-3",
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let cached = LoadOptions {
            cache: Cache::Folder(folder.path().to_path_buf()),
            ..options(LoadOptions::paper())
        };
        let first = dataset::load(name, &cached).unwrap_or_else(|error| panic!("{error}"));
        let kept = std::fs::read_dir(folder.path()).expect("the cache").count();
        assert_eq!(kept, 1, "{name}");
        let second = dataset::load(name, &cached).expect("it was there");
        assert!(first == second, "{name}");
    }
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn checksums_are_known() {
    for (name, verdict) in [
        ("cora", Verdict::Published),
        ("citeseer", Verdict::Published),
        ("pubmed", Verdict::Published),
        ("gcb-small", Verdict::Published),
        ("mutag", Verdict::KnownCopy),
        ("ogbg-molhiv", Verdict::KnownCopy),
    ] {
        let files = dataset::verify(name, Some(&data_dir()), false)
            .unwrap_or_else(|error| panic!("{error}"));
        for file in &files {
            let path = file.path.display();
            // A published file has one checksum only.
            if file.verdict == Verdict::Unknown && verdict == Verdict::KnownCopy {
                println!("{path}: another copy than the one known");
                continue;
            }
            assert_eq!(file.verdict, verdict, "{path}");
        }
    }
}
