//! What a comparison is made of: plain, borrowed results.

use bnpool_graph::Graph;

use crate::learn::SampleGraph;
use crate::page::{Cell, Column};

/// A graph as one pooler pools it. N nodes, C clusters.
#[derive(Debug, Clone, Copy)]
pub struct PooledBy<'a> {
    /// Name of the pooler.
    pub pooler: &'a str,
    /// What it does, in a line.
    pub summary: &'a str,
    /// Memberships S [N × C]; empty where the pooler has none.
    pub assignments: &'a [f32],
    /// The nodes that are kept, in the order of the pooled graph, if the pooler
    /// keeps some and drops others; else empty.
    pub kept: &'a [usize],
    /// C.
    pub clusters: usize,
    /// Adjacency of the pooled graph [C × C]; may be empty.
    pub pooled_adjacency: &'a [f32],
    /// Features of the pooled graph X_pool [C × F]; may be empty.
    pub pooled_features: &'a [f32],
    /// Linear maps whose results stand side by side in X_pool: the modes of
    /// EigenPool, else 1.
    pub feature_maps: usize,
}

impl<'a> PooledBy<'a> {
    /// A graph that is not pooled.
    pub(crate) const NOTHING: PooledBy<'static> = PooledBy {
        pooler: "",
        summary: "",
        assignments: &[],
        kept: &[],
        clusters: 0,
        pooled_adjacency: &[],
        pooled_features: &[],
        feature_maps: 1,
    };

    /// What the drawing of a sample needs of it.
    pub(crate) fn sample(&self, graph: &'a Graph) -> SampleGraph<'a> {
        SampleGraph {
            name: String::new(),
            graph,
            truth: String::new(),
            prediction: String::new(),
            assignments: self.assignments,
            clusters: self.clusters,
            pooled_adjacency: self.pooled_adjacency,
            pooled_features: self.pooled_features,
            feature_maps: self.feature_maps,
        }
    }
}

/// Everything a comparison shows.
#[derive(Debug, Clone, Copy)]
pub struct CompareReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// What the table shows, in a sentence.
    pub lead: &'a str,
    /// Columns of the table.
    pub columns: &'a [Column],
    /// A row for each pooler, a cell for each column.
    pub rows: &'a [Vec<Cell>],
    /// How to read the table.
    pub remarks: &'a [String],
    /// The graph that all poolers are shown on.
    pub graph: Option<&'a Graph>,
    /// What it is called.
    pub graph_name: &'a str,
    /// Names of the classes of its nodes, where they are known.
    pub class_names: &'a [String],
    /// The graph as each pooler pools it.
    pub pooled: &'a [PooledBy<'a>],
    /// What the features in X_pool are, behind "a column for each of 64 features",
    /// such as `of the trained network`.
    pub feature_words: &'a str,
    /// The configuration that all poolers share.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}
