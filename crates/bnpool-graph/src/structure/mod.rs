//! Structural properties of communities, and post-processing.
//!
//! Communities are labels, one per node, with arbitrary values. Edges are
//! entries of the adjacency as stored: an undirected edge counts twice, and a
//! stored weight of zero is still an edge.
//!
//! ```
//! use bnpool_graph::{Csr, structure};
//!
//! // Two triangles joined by an edge, and a label that covers parts of both.
//! let pairs = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)];
//! let both = pairs.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
//! let graph = Csr::from_edges(6, both)?;
//! let labels = [8, 8, 3, 3, 3, 8];
//!
//! let split = structure::split_disconnected(&graph, &labels)?;
//! assert_eq!(split, [0, 0, 1, 1, 1, 2]);
//! let merged = structure::merge_small(&graph, &split, 2)?;
//! assert_eq!(structure::rank_by_size(&merged), [1, 1, 0, 0, 0, 0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canonical;
mod components;
mod merge;
mod numbering;
mod order;
mod statistics;

pub use bnpool_math::kernel::Components;
pub use components::connected_components;
pub use components::split_disconnected;
pub use merge::merge_small;
pub use numbering::rank_by_size;
pub use order::NodeOrder;
pub use statistics::modularity;
pub use statistics::{CommunityStatistics, community_statistics};
