//! Description lengths of divisions, in nats.
//!
//! Σ of a division is what it takes to write down the groups, what the model
//! knows of them, the degrees, and the edges given all that. The models are
//! microcanonical (Peixoto, 2017): they fix counts of edges and degrees, so
//! every term is the logarithm of a number of possibilities.
//!
//! - The *planted partition* (Zhang and Peixoto, 2020) knows only edges inside
//!   groups and edges between groups, whatever the groups. It means communities.
//! - The *block model* counts edges between every pair of groups. It also finds
//!   groups that avoid each other, at the price of more to write down.
//!
//! [`description_length`] computes any of them from scratch. [`Planted`] and
//! [`Blocks`] are states of a search: they know what a move of a node or a
//! merge of two groups would change, in time that does not depend on the graph.
//! Both put a uniform prior on degrees and explain weights ([`WeightModel`]). The
//! block model also explains directions; to the planted partition they say nothing.

mod blocks;
mod flow;
mod ln_factorial;
mod partitions;
mod planted;
mod scratch;
mod weights;

pub use blocks::Blocks;
pub use ln_factorial::{ln_binomial, ln_factorial};
pub use planted::{Density, Planted};
pub(crate) use planted::{Group, PlantedCode, Step, Whole};
pub use scratch::{Degrees, Model, description_length};
pub(crate) use weights::WeightCode;
pub use weights::{Moments, WeightModel};
