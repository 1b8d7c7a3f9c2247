//! The data sets of the paper as their official files hold them. Where they are
//! not at hand the tests say so and pass.

use std::path::{Path, PathBuf};
use std::time::Instant;

use bnpool_graph::{Graph, Target};
use bnpool_io::format::tu::{TuOptions, TuSet, read_tu};
use bnpool_io::format::{ReadOptions, read_graph};

/// A file or folder of the raw data sets, or `None` with a word on the terminal.
fn data(name: &str) -> Option<PathBuf> {
    let folder = match std::env::var_os("BNPOOL_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
    };
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: no {name} in BNPOOL_DATA");
    None
}

fn tu(name: &str, options: &TuOptions) -> Option<TuSet> {
    let path = data(name)?;
    let start = Instant::now();
    let set = read_tu(&path, options).unwrap();
    println!("{name}: {:.3} s", start.elapsed().as_secs_f64());
    Some(set)
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
            [2000, 859_254, 1_991_016, 0, 0, 2],
        ),
        ("COLORS-3", attributes, [10500, 643_773, 1_911_576, 5, 0, 0]),
    ] {
        let Some(set) = tu(&format!("tu/{name}.zip"), &options) else {
            continue;
        };
        println!("{name} {:?} {:?}", counts(&set), set.notes);
        if name == "COLORS-3" {
            let one_value = |graph: &Graph| matches!(graph.target(), Some(Target::Values(values)) if values.len() == 1);
            assert!(set.graphs.iter().all(one_value));
        }
        assert_eq!(counts(&set), expected, "{name}");
        assert_eq!(set.name, name);
    }
}

#[test]
fn cleaned_tu_sets_have_their_published_counts() {
    for (name, graphs) in [("MUTAG", 135), ("ENZYMES", 595), ("NCI1", 3785)] {
        if let Some(set) = tu(&format!("tu/cleaned/{name}.zip"), &TuOptions::default()) {
            assert_eq!(set.graphs.len(), graphs, "{name}");
        }
    }
    for (name, graphs) in [("DD", 1178), ("REDDIT-BINARY", 1998)] {
        let Some(keep) = data(&format!("tu/cleaned/{name}_keep_ids.txt")) else {
            continue;
        };
        let keep = std::fs::read_to_string(keep).unwrap();
        let options = TuOptions {
            keep: Some(
                keep.split_whitespace()
                    .map(|id| id.parse().unwrap())
                    .collect(),
            ),
            ..TuOptions::default()
        };
        if let Some(set) = tu(&format!("tu/{name}.zip"), &options) {
            assert_eq!(set.graphs.len(), graphs, "{name}");
        }
    }
}

#[test]
fn the_community_graph_is_read_from_its_csv_files() {
    let name = |part| format!("community/community_N400_Nc5_seed0_{part}.csv");
    let (Some(edges), Some(nodes)) = (data(&name("edges")), data(&name("nodes"))) else {
        return;
    };
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
