//! From too many groups to the right number: merges and moves while Σ falls.
//!
//! [`agglomerate`] merges groups two by two, always the pair that Σ likes best,
//! down to one group. The path is a [`Dendrogram`]: a hierarchy, and a division
//! into any number of groups. [`settle`] moves single nodes. [`improve`] goes
//! back and forth between the two, splits what it has and merges again, until
//! nothing helps.

mod agglomerate;
mod between;
mod blocks;
mod contract;
mod dendrogram;
mod improve;
mod sweep;

pub use agglomerate::agglomerate;
pub(crate) use agglomerate::{Grouped, Until, merge_groups};
pub(crate) use between::Neighbours;
pub use blocks::{agglomerate_blocks, improve_blocks, settle_blocks};
pub(crate) use contract::contract;
pub use dendrogram::Dendrogram;
pub use improve::{Effort, improve};
pub(crate) use improve::{RESOLUTIONS, in_one_piece, place_isolated};
pub(crate) use sweep::LEAST;
pub use sweep::settle;
