//! One voice for every message, and the exit codes behind them.

use bnpool::task::TaskError;
use bnpool::train::CheckpointError;
use bnpool_graph::GraphError;
use bnpool_graph::dataset::DatasetError;
use bnpool_graph::format::{ReadError, WriteError};
use bnpool_graph::generate::GenerateError;
use std::process::ExitCode;

/// Why a command stopped.
#[derive(Debug)]
pub enum Failure {
    /// The user can mend it: bad usage or bad input. Exit code 2.
    Input(String),
    /// Something went wrong while running. Exit code 1.
    Running(String),
    /// The user ended it; a checkpoint was written. Exit code 130.
    Interrupted(String),
}

impl Failure {
    /// Prints the message and gives the exit code.
    pub fn report(self) -> ExitCode {
        let (message, code) = match self {
            Self::Input(message) => (message, 2),
            Self::Running(message) => (message, 1),
            Self::Interrupted(message) => {
                eprintln!("{message}");
                return ExitCode::from(130);
            }
        };
        eprintln!("error: {message}");
        ExitCode::from(code)
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Diverged { .. } | TaskError::Checkpoint(CheckpointError::Write(_)) => {
                Self::Running(error.to_string())
            }
            _ => Self::Input(error.to_string()),
        }
    }
}

/// What the user's files or words made impossible.
macro_rules! input_errors {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Self::Input(error.to_string())
            }
        })*
    };
}

input_errors!(GraphError, ReadError, DatasetError, GenerateError);

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::Running(error.to_string())
    }
}
