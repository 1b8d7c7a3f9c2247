//! The search for communities on a graph in parts.
//!
//! [`find_divided`] does for a graph that nobody holds what
//! [`search::find`](crate::search::find) does for one in memory: communities by
//! modularity to start from, moves, merges and splits while the description length Σ
//! falls, and a verdict. Every rank holds the labels of all nodes (4 bytes a node) and
//! what is known of groups; rows are read part by part, by the rank that owns them.
//!
//! **The result depends on the graph, the seed and nothing else**, neither on ranks and
//! threads nor on where the graph was cut. Nodes take turns: one of eight nodes, chosen
//! by a hash of their numbers, decides by the labels as they were before the turn, then
//! all labels change at once. Counts are integers, so the order of sums does not
//! matter. Few neighbours move in the same turn, so that they seldom pass each other.
//! What remains of a graph of groups fits every rank, and is merged by the code for
//! whole graphs.

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

/// Why a divided graph could not be searched.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DividedError {
    /// The graph or a setting was refused, or the search was stopped; on all ranks.
    #[error(transparent)]
    Community(#[from] CommunityError),

    /// A part could not be read. Only the rank that owns it knows.
    #[error(transparent)]
    Read(#[from] PartError),
}
