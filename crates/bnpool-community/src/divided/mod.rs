//! The search for communities on a graph in parts.
//!
//! [`find_divided`] is the counterpart of [`search::find`](crate::search::find) for a
//! graph that no process holds completely: it starts from communities by modularity,
//! applies moves, merges and splits while the description length Σ decreases, and
//! returns a verdict. Each rank holds the labels of all nodes (4 bytes per node) and
//! the statistics of the groups; rows are read part by part, by the rank that owns
//! them.
//!
//! **The result depends only on the graph and the seed**, not on the number of ranks
//! and threads or on the partition into parts. Nodes move in turns: in each turn, one in
//! eight nodes, chosen by a hash of their numbers, decides based on the labels before
//! the turn; then all labels change at once. Counts are integers, so the order of sums
//! does not matter. Few neighbours move in the same turn, so swaps are rare. The graph
//! of groups fits into the memory of each rank and is merged by the code for whole
//! graphs.
//!
//! Two rules keep it so: a node never uses a label of its own turn, and no floats are added
//! across parts. Labels, pairs and counts are all that ranks exchange.

mod descend;
mod evidence;
mod group_graph;
mod judge;
mod local_move;
mod pieces;
mod ranks;
mod settle;
mod turn;
mod world;

pub use evidence::find_divided;
pub use judge::Judged;

use crate::CommunityError;
use bnpool_graph::divide::PartError;
use thiserror::Error;

/// Error of the search on a divided graph.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DividedError {
    /// The graph or a setting is invalid, or the search was stopped; on all ranks.
    #[error(transparent)]
    Community(#[from] CommunityError),

    /// A part could not be read; only on the rank that owns it.
    #[error(transparent)]
    Read(#[from] PartError),
}
