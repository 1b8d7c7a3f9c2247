//! The table of data sets.
//!
//! Counts are those of the publications and the loaders of PyTorch Geometric;
//! where a publication counts undirected edges they are doubled here.
//!
//! Checksums are those of files that are known byte for byte as their publishers offer
//! them: the Planetoid files and `hard_small.npz`. The others have none. Archives of the
//! TU sets, the npz of DBLP and the tables of ogbg-molhiv are passed on repacked, and
//! GCB-H and Multipartite regenerated; a checksum of such a copy would refuse the
//! published file. Copies that are known to be good are listed in `copies.txt`, and
//! `fetch` records the checksum of what it downloads.

use super::entry::{Entry, Metric, Published, Reader, SourceFile, Task};
use super::sources;

const fn counts(
    graphs: usize,
    nodes: f64,
    edges: f64,
    features: usize,
    edge_features: usize,
    classes: usize,
) -> Published {
    Published {
        graphs,
        nodes,
        edges,
        features,
        edge_features,
        classes,
    }
}

/// A node-clustering set of one graph.
const fn one_graph(
    name: &'static str,
    title: &'static str,
    reader: Reader,
    places: &'static [&'static str],
    sources: &'static [SourceFile],
    published: Published,
) -> Entry {
    Entry {
        name,
        title,
        aliases: &[],
        task: Task::Cluster,
        metric: Metric::Accuracy,
        reader,
        places,
        sources,
        cleaned: None,
        cleaned_graphs: None,
        licence: None,
        synthetic: false,
        published,
    }
}

/// A TU set, by its name as published.
macro_rules! tu {
    ($name:literal, $title:literal, $aliases:expr, $published:expr, $cleaned:expr) => {
        Entry {
            name: $name,
            title: $title,
            aliases: $aliases,
            task: Task::Classify,
            metric: Metric::Accuracy,
            reader: Reader::Tu,
            places: &[
                concat!("tu/", $title, ".zip"),
                concat!("tu/", $title),
                concat!($title, ".zip"),
                $title,
            ],
            sources: &[SourceFile {
                path: concat!("tu/", $title, ".zip"),
                address: concat!(
                    "https://www.chrsmrrs.com/graphkerneldatasets/",
                    $title,
                    ".zip"
                ),
                sha256: None,
                size: None,
            }],
            cleaned: Some(SourceFile {
                path: concat!("tu/cleaned/", $title, ".zip"),
                address: concat!(
                    "https://raw.githubusercontent.com/nd7141/graph_datasets/master/datasets/",
                    $title,
                    ".zip"
                ),
                sha256: None,
                size: None,
            }),
            cleaned_graphs: $cleaned,
            licence: None,
            synthetic: false,
            published: $published,
        }
    };
}

/// Every data set of the paper, node clustering first, in the paper's order.
pub(super) static ENTRIES: &[Entry] = &[
    Entry {
        synthetic: true,
        ..one_graph(
            "community",
            "Community",
            Reader::BuiltIn,
            &[],
            &[],
            counts(1, 400.0, 5904.0, 2, 0, 5),
        )
    },
    one_graph(
        "cora",
        "Cora",
        Reader::Planetoid,
        &["planetoid", "cora", "Cora/raw", ""],
        sources::CORA,
        counts(1, 2708.0, 10_556.0, 1433, 0, 7),
    ),
    one_graph(
        "citeseer",
        "CiteSeer",
        Reader::Planetoid,
        &["planetoid", "citeseer", "CiteSeer/raw", ""],
        sources::CITESEER,
        counts(1, 3327.0, 9104.0, 3703, 0, 6),
    ),
    one_graph(
        "pubmed",
        "PubMed",
        Reader::Planetoid,
        &["planetoid", "pubmed", "PubMed/raw", ""],
        sources::PUBMED,
        counts(1, 19_717.0, 88_648.0, 500, 0, 3),
    ),
    one_graph(
        "dblp",
        "DBLP",
        Reader::Citation,
        &["citation/dblp.npz", "dblp.npz"],
        &[SourceFile {
            path: "citation/dblp.npz",
            address: "https://github.com/abojchevski/graph2gauss/raw/master/data/dblp.npz",
            sha256: None,
            size: None,
        }],
        counts(1, 17_716.0, 105_734.0, 1639, 0, 4),
    ),
    Entry {
        aliases: &["gcb", "gcb-hard"],
        task: Task::Classify,
        synthetic: true,
        ..one_graph(
            "gcb-h",
            "GCB-H",
            Reader::Gcb,
            &["gcb/hard.npz", "hard.npz", "gcb/hard_regenerated_seed0.npz"],
            &[SourceFile {
                path: "gcb/hard.npz",
                address: "https://github.com/FilippoMB/Benchmark_dataset_for_graph_classification/raw/master/datasets/hard.npz",
                sha256: None,
                size: None,
            }],
            counts(1800, 148.32, 572.32, 5, 0, 3),
        )
    },
    Entry {
        aliases: &["gcb-h-small"],
        task: Task::Classify,
        ..one_graph(
            "gcb-small",
            "GCB-H small",
            Reader::Gcb,
            &["gcb/hard_small.npz", "hard_small.npz"],
            &[SourceFile {
                path: "gcb/hard_small.npz",
                address: "https://github.com/FilippoMB/Benchmark_dataset_for_graph_classification/raw/master/datasets/hard_small.npz",
                sha256: Some("d9a91ce97c21f7a8c17ad3a5e470e9d16dc0f7f98c01787100b2f4ca23e54385"),
                size: Some(1_159_209),
            }],
            counts(300, 58.64, 224.95, 5, 0, 3),
        )
    },
    tu!(
        "collab",
        "COLLAB",
        &[],
        counts(5000, 74.49, 4914.43, 1, 0, 3),
        Some(4064)
    ),
    Entry {
        cleaned: None,
        synthetic: true,
        ..tu!(
            "colors-3",
            "COLORS-3",
            &["colors3", "colors"],
            counts(10_500, 61.31, 182.05, 4, 0, 11),
            None
        )
    },
    tu!(
        "imdb-binary",
        "IMDB-BINARY",
        &["imdb", "imdb-b"],
        counts(1000, 19.77, 193.06, 1, 0, 2),
        Some(493)
    ),
    tu!(
        "mutagenicity",
        "Mutagenicity",
        &[],
        counts(4337, 30.32, 61.54, 14, 3, 2),
        Some(3335)
    ),
    tu!(
        "nci1",
        "NCI1",
        &[],
        counts(4110, 29.87, 64.60, 37, 0, 2),
        Some(3785)
    ),
    tu!(
        "reddit-binary",
        "REDDIT-BINARY",
        &["reddit-b", "redditb"],
        counts(2000, 429.63, 995.51, 1, 0, 2),
        Some(1998)
    ),
    tu!(
        "dd",
        "DD",
        &["d&d"],
        counts(1178, 284.32, 1431.32, 89, 0, 2),
        Some(1178)
    ),
    tu!(
        "mutag",
        "MUTAG",
        &[],
        counts(188, 17.93, 39.59, 7, 4, 2),
        Some(135)
    ),
    tu!(
        "proteins",
        "PROTEINS",
        &[],
        counts(1113, 39.06, 145.63, 4, 0, 2),
        Some(975)
    ),
    tu!(
        "enzymes",
        "ENZYMES",
        &[],
        counts(600, 32.63, 124.27, 21, 0, 6),
        Some(595)
    ),
    Entry {
        aliases: &["molhiv"],
        task: Task::Classify,
        metric: Metric::Auroc,
        licence: Some("MIT"),
        ..one_graph(
            "ogbg-molhiv",
            "ogbg-molhiv",
            Reader::Ogb,
            &["ogb/ogbg_molhiv", "ogbg_molhiv", "ogb/hiv.zip", "hiv.zip"],
            &[SourceFile {
                path: "ogb/hiv.zip",
                address: "https://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download/hiv.zip",
                sha256: None,
                size: None,
            }],
            counts(41_127, 25.51, 54.94, 9, 3, 2),
        )
    },
    Entry {
        aliases: &["pep-struct", "peptides"],
        task: Task::Regress,
        metric: Metric::Mae,
        licence: Some("CC BY-NC 4.0"),
        ..one_graph(
            "peptides-struct",
            "Peptides-struct",
            Reader::Lrgb,
            &[
                "lrgb/peptides-struct",
                "peptides-struct",
                "lrgb/peptidesstruct",
                "lrgb/peptidesstruct.zip",
                "peptidesstruct.zip",
            ],
            &[SourceFile {
                path: "lrgb/peptidesstruct.zip",
                address: "https://www.dropbox.com/s/zgv4z8fcpmknhs8/peptidesstruct.zip?dl=1",
                sha256: None,
                size: None,
            }],
            counts(15_535, 150.94, 307.30, 9, 3, 11),
        )
    },
    Entry {
        task: Task::Classify,
        synthetic: true,
        ..one_graph(
            "multipartite",
            "Multipartite",
            Reader::Multipartite,
            &[
                "multipartite/Multipartite.pkl",
                "Multipartite.pkl",
                "multipartite/multipartite_regenerated_seed777.npz",
            ],
            &[SourceFile {
                path: "multipartite/Multipartite.pkl",
                address: "https://zenodo.org/records/11617423/files/Multipartite.pkl?download=1",
                sha256: None,
                size: None,
            }],
            counts(5000, 99.79, 8954.86, 3, 0, 10),
        )
    },
];
