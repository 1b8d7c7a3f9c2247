//! Errors of the search.

use thiserror::Error;

/// Error of a graph, a partition or a setting.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum CommunityError {
    /// A matrix that is not square.
    #[error(
        "a matrix of {rows} rows and {columns} columns is no adjacency: there must be one of each for a node"
    )]
    NotSquare {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },

    /// A directed graph.
    #[error("the graph is directed: read it by `Links::directed`, or make it undirected first")]
    Directed,

    /// A weight that is negative or not finite.
    #[error(
        "weight {weight} between nodes {row} and {column}: weights must be 32-bit numbers (up to 3.4e38) and not negative"
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

    /// A graph whose edges all have the weight zero.
    #[error(
        "all edges between different nodes have the weight zero as 32-bit numbers, and such edges do not count: scale the weights, or leave them out"
    )]
    NoWeight,

    /// The number of labels is not the number of nodes.
    #[error("{labels} labels for {nodes} nodes: there must be one for each")]
    LabelCount {
        /// Number of labels.
        labels: usize,
        /// Number of nodes.
        nodes: usize,
    },

    /// The number of feature rows is not the number of nodes.
    #[error("{values} feature values for {nodes} nodes of {width} columns each")]
    FeatureCount {
        /// Number of values.
        values: usize,
        /// Number of nodes.
        nodes: usize,
        /// Number of columns.
        width: usize,
    },

    /// A setting outside its range.
    #[error("{name} = {value} is out of range: {bound}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its valid range.
        bound: &'static str,
    },

    /// A request that is not supported on divided graphs.
    #[error(
        "{what} on a divided graph: only communities of graphs without weights can be looked for part by part"
    )]
    Divided {
        /// The unsupported property.
        what: &'static str,
    },

    /// The observer stopped the search.
    #[error("the search was stopped")]
    Stopped,
}
