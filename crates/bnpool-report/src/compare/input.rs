//! Input of a comparison: plain, borrowed results.

use bnpool_graph::Graph;

use crate::ReportError;
use crate::learn::SampleGraph;
use crate::page::{Cell, Column};

/// A graph pooled by one pooler, with N nodes and C clusters.
#[derive(Debug, Clone, Copy)]
pub struct PooledBy<'a> {
    /// Name of the pooler.
    pub pooler: &'a str,
    /// One-line summary of the pooler.
    pub summary: &'a str,
    /// Memberships S [N × C]; empty if the pooler has none.
    pub assignments: &'a [f32],
    /// The kept nodes, in the order of the pooled graph, if the pooler drops
    /// nodes; empty otherwise.
    pub kept: &'a [usize],
    /// C.
    pub clusters: usize,
    /// Adjacency of the pooled graph [C × C]; may be empty.
    pub pooled_adjacency: &'a [f32],
    /// Features of the pooled graph X_pool [C × F]; may be empty.
    pub pooled_features: &'a [f32],
    /// Number of linear maps whose results are concatenated in X_pool: the
    /// modes of EigenPool, 1 otherwise.
    pub feature_maps: usize,
}

impl<'a> PooledBy<'a> {
    /// Data for drawing the graph as a sample.
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

/// Content of a comparison.
#[derive(Debug, Clone, Copy)]
pub struct CompareReport<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Description of the table, in one sentence.
    pub lead: &'a str,
    /// Columns of the table.
    pub columns: &'a [Column],
    /// One row per pooler, with one cell per column.
    pub rows: &'a [Vec<Cell>],
    /// Remarks on the table.
    pub remarks: &'a [String],
    /// The graph that is shown for all poolers.
    pub graph: Option<&'a Graph>,
    /// Name of the graph.
    pub graph_name: &'a str,
    /// Names of the classes of its nodes, if known.
    pub class_names: &'a [String],
    /// The graph, pooled by each pooler.
    pub pooled: &'a [PooledBy<'a>],
    /// Description of the features in X_pool, following "a column for each of 64
    /// features", such as `of the trained network`.
    pub feature_words: &'a str,
    /// The common configuration of all poolers.
    pub config_toml: &'a str,
    /// Version of the program.
    pub version: &'a str,
}

impl CompareReport<'_> {
    pub(super) fn check(&self) -> Result<(), ReportError> {
        for row in self.rows {
            ReportError::check_length("cells in a row", row.len(), self.columns.len())?;
        }
        let Some(graph) = self.graph else {
            return Ok(());
        };
        for pooled in self.pooled {
            pooled.sample(graph).check()?;
            ReportError::check_indices("kept node", pooled.kept, graph.nodes())?;
        }
        Ok(())
    }
}
