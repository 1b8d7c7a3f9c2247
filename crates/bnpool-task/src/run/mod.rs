//! Run directories, with the settings, progress and results of a run, protected
//! against loss of data.
//!
//! - A run directory is created by bnpool and contains the file
//!   [`MARKER`](RunDirectory::MARKER). Any other non-empty folder is never
//!   changed.
//! - Only one process at a time uses it, by a lock of the operating system.
//! - Each file is written atomically.

mod checkpoint;
mod checksum;
mod clock;
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
pub(crate) use clock::{Clock, Times};
pub use csv::csv_field;
pub use directory::{Existing, RunDirectory, RunState};
pub use error::RunError;
pub use events::EventFile;
pub use history::History;
pub use metrics::{forget_peak, read_metrics};
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
