//! The graphs of a batch at one level of a hierarchy: what layers and poolers
//! take and give.
//!
//! A [`Level`] has the features of all nodes as one flat tensor, and a
//! [`Structure`] that says which nodes are connected. Graph b owns the rows
//! `offsets[b]..offsets[b + 1]` of its [`Segments`]. What a pooler computed of
//! the graphs before training travels with them as [`Prepared`].

mod assignment;
mod input;
mod level;
mod prepared;
mod structure;
mod topology;

pub use crate::ops::Segments;
pub use assignment::Assignment;
pub use input::{ColumnScale, NodeInput};
pub use level::Level;
pub use prepared::{Coarsening, Prepared, PreparedLevel};
pub use structure::{DenseStructure, Structure};
pub use topology::Topology;
