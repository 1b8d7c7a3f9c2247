//! The graphs of a batch at one level of a hierarchy: input and output of
//! layers and poolers.
//!
//! A [`Level`] contains the features of all nodes as one flat tensor, and their
//! edges as a [`Structure`]. Graph b owns the rows `offsets[b]..offsets[b + 1]`
//! of its [`Segments`]. Coarsenings that a pooler computes before training are
//! passed along as [`Prepared`].

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
