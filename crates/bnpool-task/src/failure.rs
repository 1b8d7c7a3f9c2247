//! Failures of runs.

use crate::TaskError;
use crate::run::{CheckpointError, RunError};
use bnpool_graph::GraphError;
use bnpool_graph::divide::PartError;
use bnpool_graph::generate::GenerateError;
use bnpool_io::dataset::DatasetError;
use bnpool_io::format::{ReadError, WriteError};
use bnpool_io::remedy::{Change, Remedied, Remedy};
use std::fmt;

/// Kind of a failure, by who can resolve it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The input or a setting is wrong; for the user to resolve.
    Input,
    /// A file is missing; for the user to resolve.
    Missing,
    /// An error occurred during the work.
    Running,
    /// The user stopped the work.
    Interrupted,
    /// Another rank failed, which reports the problem and ends with this exit
    /// code.
    Silent(u8),
}

impl FailureKind {
    /// Returns the exit code of a process that fails this way.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Running => 1,
            Self::Input | Self::Missing => 2,
            Self::Interrupted => 130,
            Self::Silent(code) => code,
        }
    }
}

/// Failure of a run: one sentence, which ends with a remedy if there is one.
///
/// [`Display`](fmt::Display) names fields of this library. A front end shows
/// [`Remedied::in_terms`], which names its own flags or keywords instead.
#[derive(Debug)]
pub struct Failure {
    kind: FailureKind,
    message: String,
    remedy: Option<Remedy>,
}

impl Failure {
    fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            remedy: None,
        }
    }

    /// Creates a failure that the user can avoid.
    pub fn input(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Input, message)
    }

    /// Creates the failure of a missing file.
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Missing, message)
    }

    /// Creates a failure during the work.
    pub fn running(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Running, message)
    }

    /// Creates the failure of a run that was stopped by the user.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self::new(FailureKind::Interrupted, message)
    }

    /// Creates a failure that is reported by another rank.
    #[must_use]
    pub fn silent(code: u8) -> Self {
        Self::new(
            FailureKind::Silent(code),
            format!("it ended with code {code}"),
        )
    }

    /// Creates a failure that the user can avoid by a remedy.
    pub fn advised(problem: impl fmt::Display, remedy: impl Into<Remedy>) -> Self {
        let remedy = remedy.into();
        Self {
            kind: FailureKind::Input,
            message: format!("{problem}; {remedy}"),
            remedy: Some(remedy),
        }
    }

    /// Converts an error with its remedy.
    pub fn of(kind: FailureKind, error: &impl Remedied) -> Self {
        Self {
            kind,
            message: error.to_string(),
            remedy: error.remedy(),
        }
    }

    /// Returns the kind of the failure.
    #[must_use]
    pub fn kind(&self) -> FailureKind {
        self.kind
    }

    /// Prefixes the message with the failed part of the work.
    #[must_use]
    pub fn within(mut self, part: impl fmt::Display) -> Self {
        self.message = format!("{part}: {}", self.message);
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

impl Remedied for Failure {
    fn remedy(&self) -> Option<Remedy> {
        self.remedy.clone()
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        let kind = match error {
            TaskError::Diverged { .. } | TaskError::Checkpoint(CheckpointError::Write(_)) => {
                FailureKind::Running
            }
            _ => FailureKind::Input,
        };
        Self::of(kind, &error)
    }
}

impl From<CheckpointError> for Failure {
    fn from(error: CheckpointError) -> Self {
        TaskError::from(error).into()
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let kind = match error {
            RunError::Write(_) => FailureKind::Running,
            _ => FailureKind::Input,
        };
        Self::of(kind, &error)
    }
}

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::NotFound { .. } => Self::of(FailureKind::Missing, &error),
            DatasetError::Read(error) => error.into(),
            _ => Self::of(FailureKind::Input, &error),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        let kind = if error.is_missing() {
            FailureKind::Missing
        } else {
            FailureKind::Input
        };
        Self::of(kind, &error)
    }
}

/// Converts errors of the user's files or arguments, which have no remedy.
macro_rules! input_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::input(error.to_string())
            }
        })*
    };
}

input_errors!(GraphError, GenerateError, PartError);

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::running(error.to_string())
    }
}

/// Wording of a front end for a change; `None` if its users cannot make it.
pub type Terms = fn(Change) -> Option<String>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_in_the_words_of_the_front_end() {
        let flags = |change: Change| match change {
            Change::Directed => Some("give --directed".to_owned()),
            _ => None,
        };
        let failure = Failure::advised("a.csv: it is broken", Change::Directed).within("fold 1");
        assert_eq!(
            failure.to_string(),
            "fold 1: a.csv: it is broken; set `directed`"
        );
        assert_eq!(
            failure.in_terms(&flags),
            "fold 1: a.csv: it is broken; give --directed"
        );
        assert_eq!(failure.kind(), FailureKind::Input);
    }
}
