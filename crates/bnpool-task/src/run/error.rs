//! Error of a run directory.

use bnpool_io::format::WriteError;
use bnpool_io::remedy::{Change, Remedied, Remedy};
use std::path::PathBuf;
use thiserror::Error;

/// Error of a run directory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The folder contains files that were not created by bnpool.
    #[error("{}: it has files in it that are not a run of bnpool, and they are left alone; {ANOTHER}", path.display())]
    Foreign {
        /// Path of the folder.
        path: PathBuf,
    },
    /// The directory contains a run that must be kept.
    #[error("{} holds {} run; {OCCUPIED}", path.display(), if *finished { "a finished" } else { "an unfinished" })]
    Occupied {
        /// Path of the directory.
        path: PathBuf,
        /// Whether the run is finished.
        finished: bool,
    },
    /// The directory contains no run.
    #[error("{}: it holds no run; name the directory of a run", path.display())]
    NoRun {
        /// Path of the directory.
        path: PathBuf,
    },
    /// The directory is used by another process.
    #[error("{}: another bnpool{} works in this directory; {IN_USE}", path.display(), pid.map_or(String::new(), |pid| format!(" (process {pid})")))]
    InUse {
        /// Path of the directory.
        path: PathBuf,
        /// Number of the other process, if known.
        pid: Option<u32>,
    },
    /// The run would replace an input.
    #[error("{}: the run would replace this input; {ANOTHER}", path.display())]
    InputIsOutput {
        /// Path of the input.
        path: PathBuf,
    },
    /// An output is a file of a run.
    #[error("{}: it belongs to the run in its folder, and would be replaced; choose another file for the result", path.display())]
    OutputIsOfRun {
        /// Path of the file.
        path: PathBuf,
    },
    /// The directory cannot be used.
    #[error("{}: cannot be used as the run directory: {source}; {ANOTHER}", path.display())]
    Unusable {
        /// Path of the directory.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A file cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: std::io::Error,
    },
    /// A file is damaged.
    #[error("{}: it is damaged: {problem}; remove it to have it made again", path.display())]
    Damaged {
        /// Path of the file.
        path: PathBuf,
        /// Problem.
        problem: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

const ANOTHER: Remedy = Remedy::new("", &[Change::Out]);

const OCCUPIED: Remedy = Remedy::new("", &[Change::Resume, Change::Overwrite, Change::Out]);

const IN_USE: Remedy = Remedy::new("wait for its end", &[Change::Out]);

impl Remedied for RunError {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Foreign { .. } | Self::InputIsOutput { .. } | Self::Unusable { .. } => {
                Some(ANOTHER)
            }
            Self::Occupied { .. } => Some(OCCUPIED),
            Self::InUse { .. } => Some(IN_USE),
            _ => None,
        }
    }
}
