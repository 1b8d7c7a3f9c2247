//! The data sets of the paper as their official files hold them; see `dataset_real`.

use std::path::{Path, PathBuf};

use bnpool_graph::{Graph, Target};
use bnpool_io::format::tu::{TuOptions, TuSet, read_tu};
use bnpool_io::format::{ReadOptions, read_graph};

/// A file or folder of the raw data sets.
fn data(name: &str) -> PathBuf {
    let folder = match std::env::var_os("BNPOOL_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    folder.join(name)
}

fn tu(name: &str, options: &TuOptions) -> TuSet {
    read_tu(&data(name), options).unwrap_or_else(|error| panic!("{error}"))
}

/// Graphs, nodes, directed edges, features, edge features and classes.
fn counts(set: &TuSet) -> [usize; 6] {
    let sum = |count: fn(&Graph) -> usize| set.graphs.iter().map(count).sum();
    [
        set.graphs.len(),
        sum(Graph::nodes),
        sum(Graph::edges),
        set.graphs[0].features().width(),
        set.graphs[0].edge_features().map_or(0, |m| m.columns()),
        set.classes.as_ref().map_or(0, Vec::len),
    ]
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn tu_sets_have_their_published_counts() {
    let attributes = TuOptions {
        node_attributes: true,
        ..TuOptions::default()
    };
    for (name, options, expected) in [
        ("MUTAG", TuOptions::default(), [188, 3371, 7442, 7, 4, 2]),
        (
            "ENZYMES",
            TuOptions::default(),
            [600, 19580, 74564, 3, 0, 6],
        ),
        ("ENZYMES", attributes.clone(), [600, 19580, 74564, 21, 0, 6]),
        (
            "NCI1",
            TuOptions::default(),
            [4110, 122_747, 265_506, 37, 0, 2],
        ),
        (
            "DD",
            TuOptions::default(),
            [1178, 334_925, 1_686_092, 89, 0, 2],
        ),
        (
            "REDDIT-BINARY",
            TuOptions::default(),
            [2000, 859_254, 1_991_016, 1, 0, 2],
        ),
        ("COLORS-3", attributes, [10500, 643_773, 1_911_576, 5, 0, 0]),
    ] {
        let set = tu(&format!("tu/{name}.zip"), &options);
        if name == "COLORS-3" {
            let one_value = |graph: &Graph| matches!(graph.target(), Some(Target::Values(values)) if values.len() == 1);
            assert!(set.graphs.iter().all(one_value));
        }
        assert_eq!(counts(&set), expected, "{name}");
        assert_eq!(set.name, name);
    }
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn cleaned_tu_sets_have_their_published_counts() {
    for (name, graphs) in [("MUTAG", 135), ("ENZYMES", 595), ("NCI1", 3785)] {
        let set = tu(&format!("tu/cleaned/{name}.zip"), &TuOptions::default());
        assert_eq!(set.graphs.len(), graphs, "{name}");
    }
    for (name, graphs) in [("DD", 1178), ("REDDIT-BINARY", 1998)] {
        let keep = data(&format!("tu/cleaned/{name}_keep_ids.txt"));
        let keep = std::fs::read_to_string(keep).unwrap();
        let options = TuOptions {
            keep: Some(
                keep.split_whitespace()
                    .map(|id| id.parse().unwrap())
                    .collect(),
            ),
            ..TuOptions::default()
        };
        let set = tu(&format!("tu/{name}.zip"), &options);
        assert_eq!(set.graphs.len(), graphs, "{name}");
    }
}

#[test]
#[ignore = "needs the files of the data sets, in BNPOOL_DATA"]
fn the_community_graph_is_read_from_its_csv_files() {
    let name = |part| format!("community/community_N400_Nc5_seed0_{part}.csv");
    let (edges, nodes) = (data(&name("edges")), data(&name("nodes")));
    let options = ReadOptions {
        features: Some(nodes.clone()),
        labels: Some(nodes),
        ..ReadOptions::default()
    };
    let (graph, report) = read_graph(&edges, &options).unwrap();
    assert_eq!((graph.nodes(), graph.edges()), (400, 2 * 2952));
    assert_eq!(graph.features().width(), 2);
    assert_eq!(report.classes.unwrap(), ["0", "1", "2", "3", "4"]);
}
