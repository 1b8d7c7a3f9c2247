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
//!
//! Four models describe communities, and the lowest Σ decides. The planted partition
//! ([`Density::Own`]) describes edges between groups as if all pairs of groups were alike.
//! That is expensive for many small groups: on Enron it puts 30 000 nodes into one group.
//! [`Density::Relative`] and [`Density::RelativeOwn`] expect edges in proportion to degrees,
//! which is 150 000 nats shorter there. The block model is the fourth, if its groups prefer
//! themselves. A model is represented by its best partition only. Σ of one group is equal
//! in all models, so they can be compared. Weights that do not depend on groups
//! ([`WeightModel::Ignored`]) are one of the hypotheses.

mod blocks;
mod flow;
mod group_graph;
mod ln_factorial;
mod partitions;
mod planted;
mod scratch;
mod weights;

pub use blocks::Blocks;
pub(crate) use group_graph::GroupGraph;
pub use ln_factorial::{ln_binomial, ln_factorial};
pub use planted::{Density, Planted};
pub(crate) use planted::{Group, PlantedCode, Taken, Whole};
pub use scratch::{Degrees, Model, description_length};
pub(crate) use weights::WeightCode;
pub use weights::{Moments, WeightModel};
