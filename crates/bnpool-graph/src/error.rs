//! Errors of graphs.

use bnpool_math::memory::NotEnoughMemory;
use thiserror::Error;

use crate::csr::Csr;

/// Error of a matrix, a graph, a batch or a transform.
///
/// Rows, columns, entries, nodes and graphs are numbered from zero, as in the
/// input.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// More rows, columns, nodes or graphs than fit an index.
    #[error(
        "{count} {what} are too many: indices have 32 bits, so at most {}; split the data",
        u32::MAX
    )]
    TooMany {
        /// The counted items.
        what: &'static str,
        /// Number found.
        count: usize,
    },

    /// Not enough free memory.
    #[error("{0}; use less data, or free some memory")]
    Memory(#[from] NotEnoughMemory),

    /// Offsets or columns that are no compressed rows.
    #[error("{0}")]
    Rows(String),

    /// A weight, or a sum of weights, that is NaN or infinite.
    #[error(
        "weight {value} at row {row}, column {column} is not a finite 32-bit number: fix or scale the weights"
    )]
    NonFiniteWeight {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        column: usize,
        /// The weight.
        value: f64,
    },

    /// An edge with an endpoint that does not exist.
    #[error(
        "edge number {position} ({row} -> {column}) leaves the matrix of {rows} rows and {columns_count} columns, counted from 0"
    )]
    EdgeOutOfRange {
        /// Position in the list of edges.
        position: usize,
        /// Source of the edge.
        row: u32,
        /// Target of the edge.
        column: u32,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns_count: usize,
    },

    /// An adjacency matrix that is not square.
    #[error(
        "the adjacency has {rows} rows and {columns_count} columns: it must be square, a row and a column for each node"
    )]
    NotSquare {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns_count: usize,
    },

    /// A flat array whose length does not match its shape.
    #[error("{found} values do not fill a matrix of {rows} rows and {columns} columns")]
    ShapeMismatch {
        /// Number of values.
        found: usize,
        /// Requested number of rows.
        rows: usize,
        /// Requested number of columns.
        columns: usize,
    },

    /// A row whose length differs from that of the first.
    #[error(
        "row {row} has {found} values, but row 0 has {expected}: all rows must be equally long"
    )]
    RaggedRow {
        /// The row.
        row: usize,
        /// Its length.
        found: usize,
        /// Length of the first row.
        expected: usize,
    },

    /// A matrix value that is NaN or infinite.
    #[error("value {value} at row {row}, column {column} is not finite: fix or drop it")]
    NonFiniteValue {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f32,
    },

    /// A component whose size does not match the graph.
    #[error("{found} {what} for {expected} {owners}: there must be one for each")]
    CountMismatch {
        /// The component, such as `node labels`.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Number expected.
        expected: usize,
        /// Their owners, such as `nodes`.
        owners: &'static str,
    },

    /// Two nodes with one name.
    #[error("nodes {first} and {second} are both called `{id}`: node ids must be unique")]
    DuplicateNodeId {
        /// The name.
        id: String,
        /// First node with it.
        first: usize,
        /// Second node with it.
        second: usize,
    },

    /// A target without values.
    #[error("the target holds no values: give at least one, or leave the target out")]
    EmptyTarget,

    /// A target value that is infinite (NaN is allowed: it marks a missing label).
    #[error("target value {value} at position {position} is infinite: use NaN for a missing label")]
    InfiniteTarget {
        /// Position in the target.
        position: usize,
        /// The value.
        value: f32,
    },

    /// A batch without graphs.
    #[error("a batch needs at least one graph, but got none")]
    EmptyBatch,

    /// Graphs of one batch whose features or targets differ in width.
    #[error(
        "graph {first} has {first_width} {what}, but graph {graph} has {width}: all graphs of a batch need the same number"
    )]
    WidthMismatch {
        /// The differing component, such as `node features`.
        what: &'static str,
        /// The graph that sets the width.
        first: usize,
        /// Its width.
        first_width: usize,
        /// The graph that differs.
        graph: usize,
        /// Its width.
        width: usize,
    },

    /// A component that only some graphs of a batch have.
    #[error(
        "graph {with} has {what}, but graph {without} has none: give it to all graphs of a batch or to none"
    )]
    PartlyMissing {
        /// The missing component, such as `edge features`.
        what: &'static str,
        /// A graph that has it.
        with: usize,
        /// A graph that lacks it.
        without: usize,
    },

    /// Class and value targets in one batch.
    #[error(
        "graph {class} has a class as its target, but graph {values} has values: one batch holds one kind of target"
    )]
    MixedTargets {
        /// A graph with a class.
        class: usize,
        /// A graph with values.
        values: usize,
    },

    /// A filter strength outside its range.
    #[error("delta = {delta} is out of range: the graph filter needs 0 < delta <= 1")]
    DeltaOutOfRange {
        /// The requested strength.
        delta: f64,
    },

    /// A weight for new self-loops that is NaN or infinite.
    #[error("self-loop weight {weight} is not finite: give a finite one")]
    LoopWeight {
        /// The requested weight.
        weight: f32,
    },
}

impl GraphError {
    /// Checks that a count fits a 32-bit index.
    ///
    /// # Errors
    ///
    /// Returns an error if the count exceeds 2³² − 1.
    pub fn check_limit(what: &'static str, count: usize) -> Result<(), Self> {
        match u32::try_from(count) {
            Ok(_) => Ok(()),
            Err(_) => Err(Self::TooMany { what, count }),
        }
    }

    /// Checks that there is one of `what` for each of `owners`.
    pub(crate) fn check_count(
        what: &'static str,
        found: usize,
        expected: usize,
        owners: &'static str,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        Err(Self::CountMismatch {
            what,
            found,
            expected,
            owners,
        })
    }

    /// Checks that a matrix has a row and a column for each node.
    pub(crate) fn check_square(adjacency: &Csr) -> Result<(), Self> {
        if adjacency.is_square() {
            return Ok(());
        }
        Err(Self::NotSquare {
            rows: adjacency.rows(),
            columns_count: adjacency.columns_count(),
        })
    }
}
