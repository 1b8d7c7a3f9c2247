//! What cannot be searched.

use thiserror::Error;

/// Why a graph, a division or a setting was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CommunityError {
    /// A matrix that is not an adjacency.
    #[error(
        "a matrix of {rows} rows and {columns} columns is no adjacency: there must be one of each for a node"
    )]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },

    /// A directed graph.
    #[error("the graph is directed: read it by `Links::directed`, or make it undirected first")]
    Directed,

    /// A weight that is no strength of a connection.
    #[error(
        "weight {weight} between nodes {row} and {column}: weights must be finite and not negative"
    )]
    Weight {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The weight.
        weight: f32,
    },

    /// A graph without edges.
    #[error("the graph has no edges between different nodes, so there is nothing to divide it by")]
    NoEdges,

    /// Labels of other nodes.
    #[error("{labels} labels for {nodes} nodes: there must be one for each")]
    LabelCount {
        /// Number of labels.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },

    /// Feature rows of other nodes.
    #[error("{values} feature values for {nodes} nodes of {width} columns each")]
    FeatureCount {
        /// Number of values.
        values: usize,
        /// Number of nodes.
        nodes: usize,
        /// Columns.
        width: usize,
    },

    /// A setting outside its range.
    #[error("{name} = {value} is out of range: {bound}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        bound: &'static str,
    },

    /// A divided graph with something that only whole graphs are searched for.
    #[error(
        "{what} on a divided graph: only communities of graphs without weights can be looked for part by part"
    )]
    Divided {
        /// What was asked for, or found.
        what: &'static str,
    },

    /// The observer ended the search.
    #[error("the search was stopped")]
    Stopped,
}
