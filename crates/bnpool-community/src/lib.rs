//! Community detection with statistical evidence.
//!
//! A partition of the nodes into groups is a hypothesis about a graph. Its
//! quality is the description length Σ: the number of nats needed to encode the
//! groups, the parameters of the model, and the edges given both (Peixoto,
//! 2017). The partition with the lowest Σ is the most probable one; this also
//! determines the number of groups.
//!
//! [`Links`] is the graph, and [`Partition`] assigns its nodes to groups.

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
