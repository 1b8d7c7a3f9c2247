//! The data sets of the paper, by name.

mod community;

pub use community::builtin_community;
