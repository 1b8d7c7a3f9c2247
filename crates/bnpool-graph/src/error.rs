//! Everything that can be wrong with a graph.

use bnpool_math::memory::NotEnoughMemory;
use thiserror::Error;

/// Why a matrix, a graph, a batch or a transform was refused.
///
/// Rows, columns, entries, nodes and graphs are counted from zero, as in the
/// data that were handed over.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// More rows, columns, nodes or graphs than an index can name.
    #[error(
        "{count} {what} are too many: indices have 32 bits, so at most {}; split the data",
        u32::MAX
    )]
    TooMany {
        /// What was counted.
        what: &'static str,
        /// How many there are.
        count: usize,
    },

    /// More memory than is free.
    #[error("{0}; use less data, or free some memory")]
    Memory(#[from] NotEnoughMemory),

    /// A compressed-row matrix whose offsets do not match its rows.
    #[error("offsets hold {found} values, but {rows} rows need {rows} + 1")]
    OffsetsLength {
        /// Length of the offsets.
        found: usize,
        /// Rows of the matrix.
        rows: usize,
    },

    /// Offsets that skip the first entries.
    #[error("offsets start at {found}, but the first row must start at entry 0")]
    OffsetsStart {
        /// First offset.
        found: usize,
    },

    /// Offsets that run backwards.
    #[error("offsets of row {row} fall from {start} to {end}: a row must not end before it starts")]
    OffsetsFall {
        /// Row with the negative length.
        row: usize,
        /// Where it starts.
        start: usize,
        /// Where it ends.
        end: usize,
    },

    /// Offsets that do not cover all entries.
    #[error(
        "offsets end at {found}, but there are {entries} entries: the last offset must equal their number"
    )]
    OffsetsEnd {
        /// Last offset.
        found: usize,
        /// Number of entries.
        entries: usize,
    },

    /// A column that the matrix does not have.
    #[error(
        "column {column} of entry {entry} in row {row} is out of range: there are {columns_count} columns, counted from 0"
    )]
    ColumnOutOfRange {
        /// Row of the entry.
        row: usize,
        /// Position among all entries.
        entry: usize,
        /// The column.
        column: u32,
        /// Columns of the matrix.
        columns_count: usize,
    },

    /// Columns that do not rise inside a row.
    #[error(
        "column {column} of entry {entry} in row {row} follows column {previous}: sort the columns of every row"
    )]
    UnsortedColumn {
        /// Row of the entry.
        row: usize,
        /// Position among all entries.
        entry: usize,
        /// The column.
        column: u32,
        /// The column before it.
        previous: u32,
    },

    /// The same place twice.
    #[error(
        "column {column} stands twice in row {row} (again at entry {entry}): merge the two entries"
    )]
    DuplicateColumn {
        /// Row of the entry.
        row: usize,
        /// Position of the second one among all entries.
        entry: usize,
        /// The column.
        column: u32,
    },

    /// A weight that is not a number, or infinite, or became so in a sum.
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
        /// Where the edge starts.
        row: u32,
        /// Where it ends.
        column: u32,
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns_count: usize,
    },

    /// An adjacency matrix must have one row and one column for each node.
    #[error(
        "the adjacency has {rows} rows and {columns_count} columns: it must be square, a row and a column for each node"
    )]
    NotSquare {
        /// Rows of the matrix.
        rows: usize,
        /// Columns of the matrix.
        columns_count: usize,
    },

    /// A flat array of another length than its shape says.
    #[error("{found} values do not fill a matrix of {rows} rows and {columns} columns")]
    ShapeMismatch {
        /// Number of values.
        found: usize,
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },

    /// A row of another length than the first.
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

    /// A matrix value that is not a number, or infinite.
    #[error("value {value} at row {row}, column {column} is not finite: fix or drop it")]
    NonFiniteValue {
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f32,
    },

    /// A part of a graph that has another size than the graph.
    #[error("{found} {what} for {expected} {owners}: there must be one for each")]
    CountMismatch {
        /// The part, such as `node labels`.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many the graph needs.
        expected: usize,
        /// What needs them, such as `nodes`.
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

    /// A target of no values at all.
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

    /// Nothing to put side by side.
    #[error("a batch needs at least one graph, but got none")]
    EmptyBatch,

    /// Graphs of one batch whose features or targets are not equally wide.
    #[error(
        "graph {first} has {first_width} {what}, but graph {graph} has {width}: all graphs of a batch need the same number"
    )]
    WidthMismatch {
        /// What differs, such as `node features`.
        what: &'static str,
        /// The graph that sets the width.
        first: usize,
        /// Its width.
        first_width: usize,
        /// The graph that departs from it.
        graph: usize,
        /// Its width.
        width: usize,
    },

    /// Something that only some graphs of one batch have.
    #[error(
        "graph {with} has {what}, but graph {without} has none: give it to all graphs of a batch or to none"
    )]
    PartlyMissing {
        /// What is missing, such as `edge features`.
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
        /// The strength asked for.
        delta: f64,
    },

    /// A weight for new self-loops that is not a number, or infinite.
    #[error("self-loop weight {weight} is not finite: give a finite one")]
    LoopWeight {
        /// The weight asked for.
        weight: f32,
    },
}

impl GraphError {
    /// Refuses a count that an index of 32 bits cannot name.
    ///
    /// # Errors
    ///
    /// When the count exceeds 2³² − 1.
    pub fn check_limit(what: &'static str, count: usize) -> Result<(), Self> {
        match u32::try_from(count) {
            Ok(_) => Ok(()),
            Err(_) => Err(Self::TooMany { what, count }),
        }
    }
}
