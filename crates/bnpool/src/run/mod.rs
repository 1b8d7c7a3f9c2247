//! The run directory: where a run keeps its settings, its progress and its
//! results, and how nothing in it gets lost.
//!
//! - A run directory is one that bnpool made: it holds the file
//!   [`MARKER`](RunDirectory::MARKER). Any other folder with files in it is left
//!   alone.
//! - One process at a time works in it, by a lock of the operating system.
//! - Every file appears whole or not at all.

mod directory;
mod error;
mod files;
mod lock;

pub use directory::{Existing, RunDirectory, RunState};
pub use error::RunError;
