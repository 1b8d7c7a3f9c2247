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
use super::error::DatasetError;

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

/// A file without a checksum.
const fn unchecked(path: &'static str, address: &'static str) -> SourceFile {
    SourceFile {
        path,
        address,
        sha256: None,
        size: None,
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
            sources: &[unchecked(
                concat!("tu/", $title, ".zip"),
                concat!(
                    "https://www.chrsmrrs.com/graphkerneldatasets/",
                    $title,
                    ".zip"
                ),
            )],
            cleaned: Some(unchecked(
                concat!("tu/cleaned/", $title, ".zip"),
                concat!(
                    "https://raw.githubusercontent.com/nd7141/graph_datasets/master/datasets/",
                    $title,
                    ".zip"
                ),
            )),
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
        CORA,
        counts(1, 2708.0, 10_556.0, 1433, 0, 7),
    ),
    one_graph(
        "citeseer",
        "CiteSeer",
        Reader::Planetoid,
        &["planetoid", "citeseer", "CiteSeer/raw", ""],
        CITESEER,
        counts(1, 3327.0, 9104.0, 3703, 0, 6),
    ),
    one_graph(
        "pubmed",
        "PubMed",
        Reader::Planetoid,
        &["planetoid", "pubmed", "PubMed/raw", ""],
        PUBMED,
        counts(1, 19_717.0, 88_648.0, 500, 0, 3),
    ),
    one_graph(
        "dblp",
        "DBLP",
        Reader::Citation,
        &["citation/dblp.npz", "dblp.npz"],
        &[unchecked(
            "citation/dblp.npz",
            "https://github.com/abojchevski/graph2gauss/raw/master/data/dblp.npz",
        )],
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
            &[unchecked(
                "gcb/hard.npz",
                "https://github.com/FilippoMB/Benchmark_dataset_for_graph_classification/raw/master/datasets/hard.npz",
            )],
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
            &[unchecked(
                "ogb/hiv.zip",
                "https://snap.stanford.edu/ogb/data/graphproppred/csv_mol_download/hiv.zip",
            )],
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
            &[unchecked(
                "lrgb/peptidesstruct.zip",
                "https://www.dropbox.com/s/zgv4z8fcpmknhs8/peptidesstruct.zip?dl=1",
            )],
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
            &[unchecked(
                "multipartite/Multipartite.pkl",
                "https://zenodo.org/records/11617423/files/Multipartite.pkl?download=1",
            )],
            counts(5000, 99.79, 8954.86, 3, 0, 10),
        )
    },
];

macro_rules! planetoid {
    ($($file:literal $sha256:literal $size:expr),* $(,)?) => {
        &[$(SourceFile {
            path: concat!("planetoid/", $file),
            address: concat!("https://github.com/kimiyoung/planetoid/raw/master/data/", $file),
            sha256: Some($sha256),
            size: $size,
        }),*]
    };
}

pub(super) const CORA: &[SourceFile] = planetoid![
    "ind.cora.x" "23cfa55d91c6f624233f5eb7b6e3f141f1bd2b2ae39608a63cf5d084bb27baab" Some(22_119),
    "ind.cora.tx" "b9afbaa4a400df991f6f02ef677e1e44da55ffc04801fd02f9e673987829226a" Some(148_025),
    "ind.cora.allx" "9419ba2f26f5c35243db64aba110e0f35a04851609e0dc5433450676ca6b8543" Some(257_305),
    "ind.cora.y" "94465c14eb53e04ca262198dcbb2521ee8af60fb3f3d546cd6ca24a511b0e7d1" Some(4054),
    "ind.cora.ty" "41f5ac76596a1699cc33f53084a2419e92961c42bb75f36fc38e616d348532ad" Some(28_135),
    "ind.cora.ally" "2b998f5cc7fedc86e7f97ca2498f47a1ffc1462c29e2d578b23bf3f62b6e7d71" Some(47_959),
    "ind.cora.graph" "58f13302f39dde8852dad6fe6d15b89b077b6d7f837626bce671ef80344b383d" Some(59_847),
    "ind.cora.test.index" "297ce89af2b51a6a194181c7dbe1796c6a1cf9cd9349a88383b1b1e227867875" Some(5000),
];

pub(super) const CITESEER: &[SourceFile] = planetoid![
    "ind.citeseer.x" "d20de19150741e555de0ed037195630fc194114ebc7fd72ced62810148aa22f6" Some(31_087),
    "ind.citeseer.tx" "539a8906a2da97628d212f2fdd668c109a8b3f0d36574b59e5d3fd5b5303da21" Some(260_321),
    "ind.citeseer.allx" "2ac30345d95c9ec933a817ee0bdd6a5f077f8c184a20e696910192d534414668" Some(595_021),
    "ind.citeseer.y" "8ba87e515d8e3ee3cf52f6d2c5b86aa73f11ecad825a808455209ec26cd54924" Some(3014),
    "ind.citeseer.ty" "55e5bd1ba1e733a04598753ad1a8d57957f4b8f89e74519f41f4f4938767e4ce" Some(24_135),
    "ind.citeseer.ally" "f704b2d986dde6c2669934de1f3ae5696a6cf9455c0f6b2646a2d135ea0a1c95" Some(55_623),
    "ind.citeseer.graph" "d79a4ef9d3e7169aee8946145f6b7306e35bc79bffad26346cfb94e10e9912a7" Some(61_987),
    "ind.citeseer.test.index" "2af990671580b6b2df5d158d1038f8292e30c9cd821b5453f399659b25b723d4" Some(5000),
];

pub(super) const PUBMED: &[SourceFile] = planetoid![
    "ind.pubmed.x" "fbe9cb5c47200d1b7769a26e579be3b7130b556831f9d850e77c4c74f2599b33" Some(23_172),
    "ind.pubmed.tx" "4eb5f5d0f30f26497eb0ac6ac9719d09c67e284f1ed0385c93f3ef27a671da3d" Some(405_505),
    "ind.pubmed.allx" "508e538e2abdccdd54c4d3e9f49d638b4af7107d85845f66ddea5a5152658b7e" Some(7_578_385),
    "ind.pubmed.y" "e6c807633307a07ed659249006536a147c7999c797f11a2560752990181b41b3" Some(854),
    "ind.pubmed.ty" "ee2e0d4819d9fbcc403689c3bf2e49face401b605932f093bc58ab6461130fdd" Some(12_135),
    "ind.pubmed.ally" "0c37bbe3b5014ec365e9d393cf4791925e5ed94fb194305d74f064a8d7b50f0e" Some(224_739),
    "ind.pubmed.graph" "5b89f0036ca22909471f1e6558eb42fa06e0c730a577bde5b058b40638f81dc9" Some(471_808),
    "ind.pubmed.test.index" "b101d421688bbaecbd82e8a18f1e282378d6830f3a37666f28ebc47f844341b5" Some(6000),
];

/// All data sets, node clustering first, in the paper's order.
///
/// ```
/// use bnpool_io::dataset;
///
/// assert!(dataset::registry().iter().any(|entry| entry.name == "mutag"));
/// ```
#[must_use]
pub fn registry() -> &'static [Entry] {
    ENTRIES
}

/// The data set of a name; case does not matter.
///
/// # Errors
///
/// When there is none; the message lists all names.
///
/// ```
/// let entry = bnpool_io::dataset::find("RedditB")?;
/// assert_eq!(entry.name, "reddit-binary");
/// # Ok::<(), bnpool_io::dataset::DatasetError>(())
/// ```
pub fn find(name: &str) -> Result<&'static Entry, DatasetError> {
    let found = ENTRIES.iter().find(|entry| entry.is_called(name.trim()));
    found.ok_or_else(|| DatasetError::Unknown {
        name: name.to_owned(),
        known: ENTRIES.iter().map(|entry| entry.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dataset::{Reader, Task};

    #[test]
    fn names_are_unique_and_in_small_letters() {
        let mut names = HashSet::new();
        for entry in registry() {
            for name in entry.aliases.iter().chain([&entry.name]) {
                assert!(names.insert(*name), "{name} stands twice");
                assert_eq!(*name, name.to_lowercase());
                assert_eq!(find(&name.to_uppercase()).unwrap().name, entry.name);
            }
        }
        let promised = "community cora citeseer pubmed dblp gcb-h collab colors-3 imdb-binary \
                        mutagenicity nci1 reddit-binary dd mutag proteins enzymes ogbg-molhiv \
                        peptides-struct multipartite";
        for name in promised.split_whitespace() {
            assert_eq!(find(name).unwrap().name, name);
        }
        let error = find("nowhere").unwrap_err().to_string();
        assert!(
            error.contains("`nowhere`") && error.contains("cora"),
            "{error}"
        );
    }

    #[test]
    fn every_set_has_a_source_over_https() {
        for entry in registry() {
            let built_in = entry.reader == Reader::BuiltIn;
            assert_eq!(entry.sources.is_empty(), built_in);
            assert_eq!(entry.places.is_empty(), built_in);
            for file in entry.sources.iter().chain(&entry.cleaned) {
                assert!(file.address.starts_with("https://"), "{}", file.address);
                assert!(!file.path.starts_with('/') && !file.path.contains(".."));
                if let Some(sha256) = file.sha256 {
                    assert_eq!(sha256.len(), 64);
                    assert!(sha256.bytes().all(|c| c.is_ascii_hexdigit()));
                }
            }
            assert_eq!(entry.task == Task::Cluster, entry.published.graphs == 1);
        }
    }
}
