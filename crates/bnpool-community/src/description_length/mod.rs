//! Description lengths of partitions, in nats.
//!
//! Σ of a partition is the length of a description of the groups, the
//! parameters of the model, the degrees, and the edges given all of these. The
//! models are microcanonical (Peixoto, 2017): they fix edge counts and degrees,
//! so every term is the logarithm of a number of possibilities.
//!
//! - The *planted partition* (Zhang and Peixoto, 2020) only distinguishes edges
//!   inside groups from edges between groups. Its groups are communities.
//! - The *block model* counts edges between every pair of groups. It also finds
//!   disassortative groups, at the cost of more parameters.
//!
//! [`description_length`] computes any of them from scratch. [`Planted`] and
//! [`Blocks`] are search states, which compute the change of Σ by a move of a node
//! or a merge of two groups in time independent of the size of the graph. Both have
//! a uniform prior on degrees and model weights ([`WeightModel`]). The block model
//! also models directions; the planted partition ignores them.

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
