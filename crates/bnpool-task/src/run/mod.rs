//! The run directory: where a run keeps its settings, its progress and its
//! results, and how nothing in it gets lost.
//!
//! - A run directory is one that bnpool made: it holds the file
//!   [`MARKER`](RunDirectory::MARKER). Any other folder with files in it is left
//!   alone.
//! - One process at a time works in it, by a lock of the operating system.
//! - Every file appears whole or not at all.

mod checkpoint;
mod checksum;
mod directory;
mod error;
mod events;
mod files;
mod history;
mod lock;

pub use checkpoint::{Checkpoint, CheckpointError, NamedTensor, part};
pub use checksum::Checksum;
pub use directory::{Existing, RunDirectory, RunState};
pub use error::RunError;
pub use events::EventFile;
pub use history::History;
