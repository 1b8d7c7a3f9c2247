//! The entry of a data set, known without opening it.

/// The task of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Communities of one graph, judged by the classes of its nodes.
    Cluster,
    /// The class of each graph.
    Classify,
    /// Numbers for each graph.
    Regress,
}

impl Task {
    /// The word for it on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Classify => "classify",
            Self::Regress => "regress",
        }
    }
}

/// The metric of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Share of right answers.
    Accuracy,
    /// Area under the receiver operating characteristic.
    Auroc,
    /// Mean absolute error.
    Mae,
}

impl Metric {
    /// The word for it in the results.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "acc",
            Self::Auroc => "auroc",
            Self::Mae => "mae",
        }
    }
}

/// The kind of files a data set consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reader {
    /// None: part of the program.
    BuiltIn,
    /// Eight pickles, `ind.NAME.*`.
    Planetoid,
    /// An npz bundle of compressed rows.
    Citation,
    /// A TU archive or folder.
    Tu,
    /// An npz of object arrays.
    Gcb,
    /// Gzipped csv tables of the Open Graph Benchmark.
    Ogb,
    /// Three PyTorch files of the Long Range Graph Benchmark.
    Lrgb,
    /// A PyTorch file of PyTorch Geometric's objects, or an npz of parts.
    Multipartite,
}

/// A file that belongs to a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path below the data directory.
    pub path: &'static str,
    /// Its address at its publishers.
    pub address: &'static str,
    /// SHA-256 of the file as published, if it is known; if not, that of
    /// the first download is recorded.
    pub sha256: Option<&'static str>,
    /// Its size in bytes, if it is known. No more is ever taken.
    pub size: Option<u64>,
}

/// Counts as published: totals for one graph, means for many. Edges are directed
/// entries of the adjacency, whatever the publication counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// Number of graphs.
    pub graphs: usize,
    /// Nodes of a graph.
    pub nodes: f64,
    /// Directed edges of a graph.
    pub edges: f64,
    /// Features of a node, as preset `paper` loads them.
    pub features: usize,
    /// Features of an edge.
    pub edge_features: usize,
    /// Classes of nodes or graphs, or numbers to regress on.
    pub classes: usize,
}

/// One data set: what it is, where it comes from and how it is read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// Its name, in small letters.
    pub name: &'static str,
    /// Its name as its publishers write it.
    pub title: &'static str,
    /// Other names for it, in small letters.
    pub aliases: &'static [&'static str],
    /// The task.
    pub task: Task,
    /// The metric.
    pub metric: Metric,
    /// The kind of its files.
    pub reader: Reader,
    /// Its possible paths below a data directory, the best first.
    pub places: &'static [&'static str],
    /// The files to fetch.
    pub sources: &'static [SourceFile],
    /// The file of the version without isomorphic graphs.
    pub cleaned: Option<SourceFile>,
    /// Number of graphs in that version, if it is known.
    pub cleaned_graphs: Option<usize>,
    /// Its licence, if one is stated.
    pub licence: Option<&'static str>,
    /// Whether it can be made from a seed.
    pub synthetic: bool,
    /// Counts as published.
    pub published: Published,
}

impl Entry {
    /// Whether this is one of the names of the data set, in any case of letters.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || self.title.eq_ignore_ascii_case(name)
            || self.aliases.iter().any(|a| a.eq_ignore_ascii_case(name))
    }
}
