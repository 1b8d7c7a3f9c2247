//! The tables and figures of the paper by name.

use crate::message::Failure;

/// A table or figure of the paper.
#[derive(Debug)]
pub struct Item {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it shows.
    pub what: &'static str,
    /// Its labels in the paper.
    pub labels: &'static [&'static str],
    pub kind: Kind,
}

/// How an item is made.
#[derive(Debug)]
pub enum Kind {
    /// Poolers are run on data sets, and a table compares.
    Poolers(Grid),
    /// Data sets are counted.
    Datasets,
    /// A picture.
    Figure(Figure),
}

/// Which command a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Task {
    /// `bnpool cluster`, repeated by seed.
    Cluster,
    /// `bnpool train`, repeated by fold.
    Train,
    /// A data set is counted, within this process.
    Count,
}

/// Poolers × data sets × variants.
#[derive(Debug)]
pub struct Grid {
    pub task: Task,
    pub datasets: &'static [&'static str],
    pub poolers: &'static [&'static str],
    pub variants: Variants,
    /// The data sets of `--quick`.
    pub quick: &'static [&'static str],
    pub measure: Measure,
}

/// What is changed from run to run beside pooler and data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variants {
    /// Nothing.
    None,
    /// κ = 0.25 and 0.1.
    Ratios,
    /// μ_K ∈ {1, 10, 30}, σ_K ∈ {0.1, 1}, α_DP ∈ {0.1, 1, 10}.
    Sensitivity,
    /// All values of `tab:hyperparameters`.
    Search,
    /// A few epochs; BN-Pool by the dense and by the sparse loss.
    Losses,
}

/// What a table shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// ACC and COS of S and the known classes.
    Agreement,
    /// The metric on test graphs.
    Test,
    /// The metric on validation graphs.
    Validation,
    /// The setting that is best by validation.
    Search,
    /// Non-empty clusters of test graphs.
    Clusters,
    /// Seconds of an epoch and peak memory.
    Resources,
    /// Epochs of a training.
    Epochs,
}

/// The figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Dp,
    Sticks,
    Urn,
    Communities,
    Spy,
    S,
    GcbH,
    Histograms,
}

pub const CITATIONS: &[&str] = &["community", "cora", "citeseer", "pubmed", "dblp"];
pub const SOFT: &[&str] = &["diff", "mincut", "dmon", "jb", "bn"];
const GRAPH_SETS: &[&str] = &[
    "collab",
    "colors-3",
    "mutagenicity",
    "nci1",
    "reddit-binary",
    "mutag",
    "enzymes",
    "proteins",
    "ogbg-molhiv",
    "peptides-struct",
    "multipartite",
];
/// All sets of many graphs, in the order of the paper's table of them.
pub const ALL_GRAPH_SETS: &[&str] = &[
    "gcb-h",
    "collab",
    "colors-3",
    "imdb-binary",
    "mutagenicity",
    "nci1",
    "reddit-binary",
    "dd",
    "mutag",
    "proteins",
    "enzymes",
    "ogbg-molhiv",
    "peptides-struct",
    "multipartite",
];
const POOLERS: &[&str] = &[
    "none", "graclus", "ec", "kmis", "topk", "sep", "diff", "mincut", "dmon", "jb", "eigen",
    "hosc", "bn",
];
/// Without those that prepare their coarsening.
const TIMED: &[&str] = &[
    "graclus", "ec", "kmis", "topk", "diff", "mincut", "dmon", "jb", "hosc", "bn",
];

macro_rules! figure {
    ($name:literal, $what:literal, $label:literal, $figure:ident) => {
        Item {
            name: $name,
            what: $what,
            labels: &[$label],
            kind: Kind::Figure(Figure::$figure),
        }
    };
}

/// Every item, in the order in which the paper has them.
pub static ITEMS: &[Item] = &[
    Item {
        name: "clustering",
        what: "ACC and COS of five poolers on five graphs",
        labels: &["tab:results_clustering"],
        kind: Kind::Poolers(Grid {
            task: Task::Cluster,
            datasets: CITATIONS,
            poolers: SOFT,
            variants: Variants::None,
            quick: &["community", "cora"],
            measure: Measure::Agreement,
        }),
    },
    Item {
        name: "graphs",
        what: "13 poolers on 11 sets of graphs",
        labels: &["tab:graph-classification"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: GRAPH_SETS,
            poolers: POOLERS,
            variants: Variants::None,
            quick: &["mutag"],
            measure: Measure::Test,
        }),
    },
    Item {
        name: "graphs-extra",
        what: "13 poolers on three more sets of graphs",
        labels: &["tab:graph-classification-extra"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: &["gcb-h", "imdb-binary", "dd"],
            poolers: POOLERS,
            variants: Variants::None,
            quick: &["imdb-binary"],
            measure: Measure::Test,
        }),
    },
    Item {
        name: "varying-k",
        what: "five soft poolers with κ = 0.25 and 0.1",
        labels: &["tab:graph-classification-varying-k"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: GRAPH_SETS,
            poolers: &["diff", "mincut", "dmon", "jb", "hosc"],
            variants: Variants::Ratios,
            quick: &["mutag"],
            measure: Measure::Test,
        }),
    },
    Item {
        name: "clusters",
        what: "non-empty clusters of BN-Pool, table and histograms",
        labels: &["tab:nonempty", "fig:non-empty-clust"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: GRAPH_SETS,
            poolers: &["bn"],
            variants: Variants::None,
            quick: &["mutag", "enzymes"],
            measure: Measure::Clusters,
        }),
    },
    Item {
        name: "sensitivity",
        what: "18 settings of BN-Pool by validation on ENZYMES and COLORS-3",
        labels: &["tab:sensitivity"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: &["enzymes", "colors-3"],
            poolers: &["bn"],
            variants: Variants::Sensitivity,
            quick: &["enzymes"],
            measure: Measure::Validation,
        }),
    },
    Item {
        name: "hyperparameters",
        what: "search of α_DP, μ_K and σ_K by validation, 32 settings",
        labels: &["tab:hyperparameters", "tab:optimal-hyperparams"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: ALL_GRAPH_SETS,
            poolers: &["bn"],
            variants: Variants::Search,
            quick: &["mutag"],
            measure: Measure::Search,
        }),
    },
    Item {
        name: "resources-nodes",
        what: "seconds of an epoch and peak memory on four graphs",
        labels: &["tab:clust_gpu+time"],
        kind: Kind::Poolers(Grid {
            task: Task::Cluster,
            datasets: &["citeseer", "cora", "dblp", "pubmed"],
            poolers: SOFT,
            variants: Variants::Losses,
            quick: &["cora"],
            measure: Measure::Resources,
        }),
    },
    Item {
        name: "resources-graphs",
        what: "seconds of an epoch and peak memory on four sets of graphs",
        labels: &["tab:clf_gpu+time-combined"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: &["dd", "reddit-binary", "ogbg-molhiv", "peptides-struct"],
            poolers: TIMED,
            variants: Variants::Losses,
            quick: &["dd"],
            measure: Measure::Resources,
        }),
    },
    Item {
        name: "epochs",
        what: "epochs to train, ten poolers on five sets of graphs",
        labels: &["tab:clf_epochs"],
        kind: Kind::Poolers(Grid {
            task: Task::Train,
            datasets: &["gcb-h", "colors-3", "imdb-binary", "ogbg-molhiv", "dd"],
            poolers: TIMED,
            variants: Variants::None,
            quick: &["imdb-binary"],
            measure: Measure::Epochs,
        }),
    },
    Item {
        name: "datasets",
        what: "the two tables of data sets, densities included",
        labels: &["tab:nc_dataset", "tab:gc_dataset"],
        kind: Kind::Datasets,
    },
    figure!(
        "figure-dp",
        "draws of a Dirichlet process, α_DP = 10, 100, 1000",
        "fig:dp-example",
        Dp
    ),
    figure!(
        "figure-sticks",
        "a stick broken again and again",
        "fig:sbp_example",
        Sticks
    ),
    figure!(
        "figure-urn",
        "the urn of Blackwell and MacQueen: colours of balls",
        "eq:polya3",
        Urn
    ),
    figure!(
        "figure-communities",
        "clusters of Community by BN-Pool and MinCut",
        "fig:synth",
        Communities
    ),
    figure!(
        "figure-spy",
        "A, Y Yᵀ, S K Sᵀ and S Sᵀ of Cora",
        "fig:spy",
        Spy
    ),
    figure!(
        "figure-s",
        "S of Cora by class, of BN-Pool and MinCut",
        "fig:s_class_split",
        S
    ),
    figure!(
        "figure-gcb-h",
        "a graph of GCB-H pooled by four poolers",
        "fig:gcbh-large",
        GcbH
    ),
    figure!(
        "figure-histograms",
        "histograms of non-empty clusters",
        "fig:non-empty-clust",
        Histograms
    ),
];

/// The item of a name.
pub fn find(name: &str) -> Result<&'static Item, Failure> {
    ITEMS.iter().find(|item| item.name == name).ok_or_else(|| {
        let names: Vec<&str> = ITEMS.iter().map(|item| item.name).collect();
        Failure::input(format!(
            "there is no item `{name}`; there are {}; `bnpool reproduce --list` says what they are",
            names.join(", ")
        ))
    })
}

impl Item {
    /// The grid of its runs: its own, or that of the table that a figure draws.
    pub fn grid(&self) -> Option<&'static Grid> {
        let name = match &self.kind {
            Kind::Poolers(_) => self.name,
            Kind::Figure(Figure::Histograms) => "clusters",
            _ => return None,
        };
        let item = ITEMS.iter().find(|item| item.name == name)?;
        match &item.kind {
            Kind::Poolers(grid) => Some(grid),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool::pool::find_pooler;
    use bnpool_io::dataset;

    #[test]
    fn items_name_what_there_is() {
        let mut names = std::collections::BTreeSet::new();
        for item in ITEMS {
            assert!(names.insert(item.name), "{} stands twice", item.name);
            assert_eq!(find(item.name).expect("it is there").what, item.what);
            let Some(grid) = item.grid() else { continue };
            for name in grid.datasets {
                let entry = dataset::find(name).expect("a data set");
                assert_eq!(entry.name, *name);
                let one = entry.task == dataset::Task::Cluster;
                assert_eq!(one, grid.task == Task::Cluster, "{name}");
            }
            for name in grid.poolers {
                find_pooler(name).expect("a pooler");
            }
            assert!(grid.quick.iter().all(|name| grid.datasets.contains(name)));
        }
        let Err(message) = find("table-7").map_err(|e| e.to_string()) else {
            panic!("an unknown item is refused");
        };
        assert!(message.contains("`table-7`") && message.contains("figure-urn"));
    }
}
