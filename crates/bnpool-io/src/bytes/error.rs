//! Everything that can be wrong with a file.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use bnpool_math::memory::NotEnoughMemory;
use thiserror::Error;

use crate::remedy::{Change, Remedied, Remedy};
use crate::shown;
pub(crate) use crate::shown::quote;
use bnpool_graph::GraphError;

/// A place in a file.
///
/// A member of an archive is named as if the archive were a folder:
/// `MUTAG.zip/MUTAG/MUTAG_A.txt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The line, counted from 1, if the file has lines.
    pub line: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown::path(&self.path))?;
        match self.line {
            Some(line) => write!(f, ", line {line}"),
            None => Ok(()),
        }
    }
}

/// The refusal of a file. Every message names the file, the line if there
/// is one, what is wrong and what to do about it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The system would not hand over the file.
    #[error("{}: cannot read: {source}; {}", shown::path(path), io_remedy(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },

    /// More data than the [`Limits`](crate::format::Limits) allow.
    #[error("{place}: {what} exceeds the limit of {limit}; {remedy}")]
    TooLarge {
        /// The place of the data.
        place: Place,
        /// The part that is too large, with its size if it is known.
        what: String,
        /// The largest size allowed, with its unit.
        limit: String,
        /// The remedy; boxed, so that results stay small.
        remedy: Box<Remedy>,
    },

    /// Content that the format does not allow.
    #[error("{place}: {problem}; {remedy}")]
    Malformed {
        /// The place.
        place: Place,
        /// The problem.
        problem: String,
        /// The remedy; boxed, so that results stay small.
        remedy: Box<Remedy>,
    },

    /// Content that needs more memory than there is.
    #[error("{}: {source}; free some memory, or split the data", shown::path(path))]
    Memory {
        /// The file.
        path: PathBuf,
        /// The part that needs memory.
        source: NotEnoughMemory,
    },

    /// Content that makes no graph.
    #[error("{}: {source}", shown::path(path))]
    Graph {
        /// The file.
        path: PathBuf,
        /// The problem of the graph.
        source: GraphError,
    },
}

impl ReadError {
    /// Whether there is no such file.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
    }

    /// The system would not hand over the file at `path`.
    pub fn io(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::Io {
            path: path.into(),
            source,
        }
    }

    /// Something is wrong with a whole file.
    pub fn in_file(
        path: impl Into<PathBuf>,
        problem: impl Into<String>,
        remedy: impl Into<Remedy>,
    ) -> Self {
        Self::malformed(path.into(), None, problem.into(), remedy.into())
    }

    /// Something is wrong at a line, counted from 1.
    pub fn at_line(
        path: impl Into<PathBuf>,
        line: usize,
        problem: impl Into<String>,
        remedy: impl Into<Remedy>,
    ) -> Self {
        Self::malformed(path.into(), Some(line), problem.into(), remedy.into())
    }

    fn malformed(path: PathBuf, line: Option<usize>, problem: String, remedy: Remedy) -> Self {
        Self::Malformed {
            place: Place { path, line },
            problem,
            remedy: Box::new(remedy),
        }
    }

    /// The content of the file at `path` makes no graph.
    pub fn graph(path: impl Into<PathBuf>, source: GraphError) -> Self {
        Self::Graph {
            path: path.into(),
            source,
        }
    }

    /// The file at `path` holds more than is allowed.
    pub(crate) fn too_large(
        path: impl Into<PathBuf>,
        what: impl Into<String>,
        limit: impl Into<String>,
        remedy: impl Into<Remedy>,
    ) -> Self {
        Self::TooLarge {
            place: Place {
                path: path.into(),
                line: None,
            },
            what: what.into(),
            limit: limit.into(),
            remedy: Box::new(remedy.into()),
        }
    }

    /// This error at a line, counted from 1.
    pub(crate) fn on_line(mut self, number: usize) -> Self {
        if let Self::TooLarge { place, .. } | Self::Malformed { place, .. } = &mut self {
            place.line = Some(number);
        }
        self
    }

    /// The file that was refused.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Io { path, .. } | Self::Memory { path, .. } | Self::Graph { path, .. } => path,
            Self::TooLarge { place, .. } | Self::Malformed { place, .. } => &place.path,
        }
    }

    /// The line that was refused, counted from 1, if there is one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self {
            Self::Io { .. } | Self::Memory { .. } | Self::Graph { .. } => None,
            Self::TooLarge { place, .. } | Self::Malformed { place, .. } => place.line,
        }
    }
}

fn io_remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "check the path",
        io::ErrorKind::PermissionDenied => "check the permissions of the file",
        io::ErrorKind::IsADirectory => "name a file, or a folder of graphs where many are read",
        io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
            "the file is cut off or damaged: fetch or write it again"
        }
        _ => "try again, or copy the file to another disk",
    }
}

impl Remedied for ReadError {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::TooLarge { remedy, .. } | Self::Malformed { remedy, .. } => {
                Some(Remedy::clone(remedy))
            }
            Self::Io { .. } | Self::Memory { .. } | Self::Graph { .. } => None,
        }
    }
}

/// The error of a file that lacks something the options ask for.
pub(crate) fn lacks(
    path: &Path,
    what: &str,
    name: &str,
    there: impl IntoIterator<Item = impl AsRef<str>>,
    change: Change,
) -> ReadError {
    ReadError::in_file(
        path,
        format!(
            "there is no {what} {}; there are: {}",
            quote(name.as_bytes()),
            shown::list(there)
        ),
        ("name one of them", change),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_file_line_problem_and_remedy() {
        let error = ReadError::at_line("a.csv", 3, "weight `x` is not a number", "give a number");
        assert_eq!(
            error.to_string(),
            "a.csv, line 3: weight `x` is not a number; give a number"
        );
        assert_eq!((error.path(), error.line()), (Path::new("a.csv"), Some(3)));
        let error = ReadError::in_file("a.csv", "there is no edge", "add one");
        assert_eq!(error.to_string(), "a.csv: there is no edge; add one");
        assert_eq!(error.line(), None);
        let error = ReadError::graph("a.csv", GraphError::EmptyBatch);
        assert_eq!(
            error.to_string(),
            "a.csv: a batch needs at least one graph, but got none"
        );
        let error = ReadError::io("a.csv", io::Error::from(io::ErrorKind::NotFound));
        assert!(error.to_string().ends_with("; check the path"), "{error}");
    }
}
