//! The run directory: where a run keeps its settings, its progress and its
//! results, and how nothing in it gets lost.
//!
//! - A run directory is one that bnpool made: it holds the file
//!   [`MARKER`](RunDirectory::MARKER). Any other folder with files in it is left
//!   alone.
//! - One process at a time works in it, by a lock of the operating system.
//! - Every file appears whole or not at all.
//! - `checksums.txt` lists the checksums of all files but checkpoints and histories. A
//!   file that was changed, or that another run wrote, is refused.

mod checkpoint;
mod checksum;
mod csv;
mod directory;
mod error;
mod events;
mod files;
mod history;
mod lock;
mod metrics;
pub(crate) mod page;
mod place;
mod plan;
mod session;
mod sums;

pub use checkpoint::{Checkpoint, CheckpointError, NamedTensor, part};
pub use checksum::Checksum;
pub use csv::csv_field;
pub use directory::{Existing, RunDirectory, RunState};
pub use error::RunError;
pub use events::EventFile;
pub use history::History;
pub use metrics::read_metrics;
pub(crate) use metrics::{peak_rss_mb, write_metrics};
pub use place::{Inputs, make_folder, path_part};
pub use plan::{
    Entry, OWN_GRAPH, Place, Plan, Resumption, RunConfig, Source, check_inputs, task_of,
    without_run_section,
};
pub(crate) use session::{
    Ended, Session, checkpoint_of_bytes, read_bytes, read_checkpoint, read_history,
    write_checkpoint,
};
