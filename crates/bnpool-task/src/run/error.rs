//! Why a run directory cannot be used.

use bnpool_io::format::WriteError;
use bnpool_io::remedy::{Change, Remedied, Remedy};
use std::path::PathBuf;
use thiserror::Error;

/// Why a run directory cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// A folder with files that bnpool did not make.
    #[error("{}: it has files in it that are not a run of bnpool, and they are left alone; {ANOTHER}", path.display())]
    Foreign {
        /// The folder.
        path: PathBuf,
    },
    /// A run is there, and it is to be kept.
    #[error("{} holds {} run; {OCCUPIED}", path.display(), if *finished { "a finished" } else { "an unfinished" })]
    Occupied {
        /// The directory.
        path: PathBuf,
        /// Whether the run came to its end.
        finished: bool,
    },
    /// No run is there.
    #[error("{}: it holds no run; name the directory of a run", path.display())]
    NoRun {
        /// The directory.
        path: PathBuf,
    },
    /// Another process works in it.
    #[error("{}: another bnpool{} works in this directory; {IN_USE}", path.display(), pid.map_or(String::new(), |pid| format!(" (process {pid})")))]
    InUse {
        /// The directory.
        path: PathBuf,
        /// The other process, if it wrote its number down.
        pid: Option<u32>,
    },
    /// An input that the run would replace.
    #[error("{}: the run would replace this input; {ANOTHER}", path.display())]
    InputIsOutput {
        /// The input.
        path: PathBuf,
    },
    /// A file for other results that belongs to a run.
    #[error("{}: it belongs to the run in its folder, and would be replaced; choose another file for the result", path.display())]
    OutputIsOfRun {
        /// The file.
        path: PathBuf,
    },
    /// The system does not allow it.
    #[error("{}: cannot be used as the run directory: {source}; {ANOTHER}", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file in it cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file in it is damaged.
    #[error("{}: it is damaged: {problem}; remove it to have it made again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A file in it cannot be written.
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
