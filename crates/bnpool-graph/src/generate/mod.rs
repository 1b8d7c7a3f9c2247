//! Synthetic graphs, made from a seed.
//!
//! The synthetic sets of the paper follow the published descriptions, drawn from
//! our own random streams: the same rules, not the published draws. A struct
//! holds the parameters of a generator, its `Default` those of the paper, and
//! `generate` makes the graphs; the same seed gives the same graphs on any
//! machine.

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

/// Why nothing was generated.
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
        /// What it must be.
        bound: &'static str,
    },

    /// More of something than a graph can hold.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

/// The generators, each with random streams of its own.
#[derive(Clone, Copy)]
enum Kind {
    Community = 1,
    Colors3 = 2,
    GcbHard = 3,
    Multipartite = 4,
    Sbm = 5,
}

/// The random stream of a generator. Never renumber: seeds depend on it.
fn stream(seed: u64, kind: Kind) -> Stream {
    Stream::new(seed, Purpose::Generator, kind as u64)
}

/// Refuses graphs for which there is no memory.
fn check_memory(what: String, bytes: u64) -> Result<(), GenerateError> {
    memory::check(what, bytes).map_err(|error| GraphError::from(error).into())
}

/// Bytes of a graph of so many nodes and undirected edges while it is made.
fn graph_bytes(nodes: f64, edges: f64) -> u64 {
    // Nodes have a place, a label, features and a row; an edge is listed twice,
    // sorted and put into rows.
    (64.0 * nodes + 40.0 * edges) as u64
}

/// Refuses a count that is too small.
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
