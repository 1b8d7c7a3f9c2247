//! Errors of data sets.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::format::{ReadError, WriteError};
use crate::remedy::{Change, Remedied, Remedy};
use crate::shown;
use bnpool_graph::GraphError;
use bnpool_graph::generate::GenerateError;
use bnpool_graph::split::SplitError;

/// An error of a data set; every message has a remedy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// No data set has this name.
    #[error("there is no data set `{name}`; known are: {}", known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// All names.
        known: Vec<&'static str>,
    },

    /// The files of a data set are nowhere.
    #[error(
        "the files of `{name}` are not there (looked for {what} in {}); {}",
        list(searched),
        not_found(name)
    )]
    NotFound {
        /// The data set.
        name: &'static str,
        /// The file that was looked for.
        what: String,
        /// The folders that were searched.
        searched: Vec<PathBuf>,
    },

    /// A data set has no version without isomorphic graphs.
    #[error("`{name}` has no cleaned version; {NOT_CLEANED}")]
    NotCleanable {
        /// The data set.
        name: &'static str,
    },

    /// A file could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),

    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),

    /// The built-in graph is damaged.
    #[error(transparent)]
    Graph(#[from] GraphError),

    /// A synthetic set could not be made.
    #[error(transparent)]
    Generate(#[from] GenerateError),

    /// The split that belongs to a data set contradicts it.
    #[error("{}: {source}; fetch the file again", shown::path(path))]
    Split {
        /// The file or folder.
        path: PathBuf,
        /// The problem.
        source: SplitError,
    },

    /// There is nothing to fetch, because the set is part of the program.
    #[error("`{name}` is built in: there is nothing to fetch")]
    NothingToFetch {
        /// The data set.
        name: &'static str,
    },

    /// The network or the server would not hand over a file.
    #[error("{address}: cannot fetch: {problem}; {remedy}")]
    Fetch {
        /// The file.
        address: String,
        /// The problem.
        problem: String,
        /// The remedy.
        remedy: String,
    },

    /// A file is not the one that was published or fetched first.
    #[error(
        "{}: the {what} is {found}, but should be {expected}; the file is damaged or another one: delete it and fetch it again",
        shown::path(path)
    )]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// The value that differs: `size` or `sha256`.
        what: &'static str,
        /// Its kind.
        found: String,
        /// The expected value.
        expected: String,
    },

    /// The system would not do something with a file.
    #[error(
        "{}: {source}; check the folder, its permissions and the free space",
        shown::path(path)
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
}

const NOT_CLEANED: Remedy = Remedy::new("", &[Change::NotCleaned]);

fn not_found(name: &'static str) -> Remedy {
    Remedy::from_iter([Change::Fetch(name), Change::DataDir])
}

impl Remedied for DatasetError {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::NotFound { name, .. } => Some(not_found(name)),
            Self::NotCleanable { .. } => Some(NOT_CLEANED),
            Self::Read(error) => error.remedy(),
            _ => None,
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let paths = paths.iter().map(|path| shown::path(path));
    let paths: Vec<_> = paths.collect();
    if paths.is_empty() {
        "no folder at all".to_owned()
    } else {
        paths.join(", ")
    }
}
