//! Auxiliary losses as building blocks. A pooler combines those of its paper.
//!
//! All of them take soft assignments S, [nodes, K], of the graphs of a level,
//! and return one value: the mean over graphs, unless documented otherwise.
//!
//! If a batch is divided among the members of a team, its loss is the mean of the
//! members' losses, weighted by their number of graphs. Means over graphs satisfy
//! this directly; other losses communicate through the member of the pass
//! (`Mode::member`).

mod balance;
mod block_model;
mod cut;
mod link;
mod modularity;
mod orthogonality;
mod tensors;

pub use balance::{balance_loss, collapse_loss};
pub use block_model::{GraphWeights, LossNormalisation, Normalisation, block_prior};
pub use cut::{cut_loss, higher_order_cut_loss};
pub use link::{entropy_loss, link_loss};
pub(super) use link::{entropy_loss_among, link_loss_among};
pub use modularity::modularity_loss;
pub use orthogonality::{orthogonality_loss, spread_loss};
