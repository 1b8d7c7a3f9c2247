//! Communities of a graph, with the evidence for them.
//!
//! A division of the nodes into groups is a hypothesis about a graph, and its
//! description length Σ says how good it is: the nats it takes to write down
//! the groups, what the model needs to know of them, and the edges given all
//! that (Peixoto, 2017). The lowest Σ is the most probable division, and says
//! by itself how many groups there are.
//!
//! [`Links`] is the graph, [`Partition`] a division.

pub mod description_length;
pub mod divided;
mod error;
pub mod leiden;
mod links;
pub mod merge;
mod order;
mod partition;
pub mod search;
pub mod starts;

pub use error::CommunityError;
pub use links::{Direction, Links};
pub use order::order_by_neighbours;
pub use partition::Partition;
