//! Graph files and data sets: everything that turns bytes into a
//! [`Graph`](bnpool_graph::Graph) and back.
//!
//! [`mod@format`] reads and writes files, [`dataset`] finds, fetches, checks and caches
//! the public data sets, [`pickle`] reads the tensors that some of them are
//! published as. No reader trusts its input: sizes are bounded before memory is
//! taken, and an error names the file, the place and a [`remedy`].

mod bytes;
pub mod dataset;
pub mod format;
pub mod pickle;
pub mod remedy;
pub mod shown;
