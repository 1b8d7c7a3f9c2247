//! Synthetic graphs, generated from a seed.
//!
//! The synthetic sets of the paper follow the published descriptions but use our
//! own random streams, so they are not the published draws. A struct holds the
//! parameters of a generator, its `Default` is that of the paper, and `generate`
//! builds the graphs. A seed gives the same graphs on any machine.

mod builtin;
mod colors;
mod community;
mod gcb;
mod multipartite;
mod neighbours;
mod sbm;

pub use builtin::builtin_community;
pub use colors::Colors3;
pub use community::Community;
pub use gcb::GcbHard;
pub use multipartite::{Multipartite, complete_between_parts};
pub use sbm::Sbm;

use bnpool_math::memory;
use bnpool_math::stream::{Purpose, Stream};
use thiserror::Error;

use crate::error::GraphError;

/// Error of a generator.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// A parameter outside its range.
    #[error("{name} = {value} is out of range: {bound}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its valid range.
        bound: &'static str,
    },

    /// The graph would be too large.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// The generators, each with its own random streams.
#[derive(Clone, Copy)]
enum Kind {
    Community = 1,
    Colors3 = 2,
    GcbHard = 3,
    Multipartite = 4,
    Sbm = 5,
}

/// Random stream of a generator. Never renumber: seeds depend on it.
fn stream(seed: u64, kind: Kind) -> Stream {
    Stream::new(seed, Purpose::Generator, kind as u64)
}

/// Checks that there is enough memory for the graphs.
fn check_memory(what: String, bytes: u64) -> Result<(), GenerateError> {
    memory::check(what, bytes).map_err(|error| GraphError::from(error).into())
}

/// Bytes needed to generate a graph with this many nodes and undirected edges.
fn graph_bytes(nodes: f64, edges: f64) -> u64 {
    // Nodes have a position, a label, features and a row; an edge is listed
    // twice, sorted and stored in rows.
    (64.0 * nodes + 40.0 * edges) as u64
}

/// Checks that a count is large enough.
fn at_least(
    name: &'static str,
    value: usize,
    least: usize,
    bound: &'static str,
) -> Result<(), GenerateError> {
    if value >= least {
        return Ok(());
    }
    Err(GenerateError::Parameter {
        name,
        value: value as f64,
        bound,
    })
}
