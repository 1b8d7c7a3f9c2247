//! Auxiliary losses as building blocks. A pooler combines those of its paper.
//!
//! All of them take soft assignments S, [nodes, K], of the graphs of a level,
//! and return one value: the mean over graphs, unless documented otherwise.
//!
//! If a batch is divided among the members of a team, its loss is the mean of the
//! members' losses, weighted by their number of graphs. Means over graphs satisfy
//! this directly; other losses communicate through the member of the pass
//! (`Mode::member`).

mod block_model;
mod link;
mod terms;

pub use block_model::{GraphWeights, LossNormalisation, Normalisation, block_prior};
pub use link::{entropy_loss, link_loss};
pub use terms::{
    balance_loss, collapse_loss, cut_loss, higher_order_cut_loss, modularity_loss,
    orthogonality_loss, spread_loss,
};
