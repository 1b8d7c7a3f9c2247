//! Merges and moves that lower Σ, from too many groups to the right number.
//!
//! [`agglomerate`] merges groups in pairs down to one group, always the pair
//! with the lowest Σ. The result is a [`Dendrogram`]: a hierarchy with a
//! partition into any number of groups. [`settle`] moves single nodes.
//! [`improve`] alternates between the two, splits groups and merges again,
//! until nothing lowers Σ.

mod agglomerate;
mod between;
mod blocks;
mod contract;
mod dendrogram;
mod improve;
mod sweep;

pub use agglomerate::agglomerate;
pub(crate) use agglomerate::{Grouped, Until, merge_groups, merged};
pub(crate) use between::Neighbours;
pub use blocks::{agglomerate_blocks, improve_blocks, settle_blocks};
pub(crate) use contract::contract;
pub use dendrogram::Dendrogram;
pub use improve::{Effort, improve};
pub(crate) use improve::{RESOLUTIONS, in_one_piece, place_isolated};
pub(crate) use sweep::LEAST;
pub use sweep::settle;
