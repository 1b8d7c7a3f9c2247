//! One voice for every message, and the exit codes behind them.

use crate::remedy;
use bnpool::task::TaskError;
use bnpool::train::CheckpointError;
use bnpool_graph::GraphError;
use bnpool_graph::dataset::DatasetError;
use bnpool_graph::format::{ReadError, WriteError};
use bnpool_graph::generate::GenerateError;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::OnceLock;

/// A line of the result, on standard output.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::message::write_result(format_args!($($part)*))
    };
}

/// A line about the work, on standard error.
macro_rules! tell {
    ($($part:tt)*) => {
        $crate::message::write_remark(format_args!($($part)*))
    };
}

/// Why standard output took no more.
static UNSAID: OnceLock<io::Error> = OnceLock::new();

/// Writes a line to standard output. `println!` would panic where nobody reads
/// on (`bnpool … | head`) or the disk is full.
pub fn write_result(line: fmt::Arguments<'_>) {
    if UNSAID.get().is_none()
        && let Err(error) = writeln!(io::stdout().lock(), "{line}")
    {
        let _ = UNSAID.set(error);
    }
}

/// Writes a line to standard error; a run goes on where nobody reads it.
pub fn write_remark(line: fmt::Arguments<'_>) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether the result could be written. Who has read enough of it misses
/// nothing.
pub fn all_said() -> Result<(), Failure> {
    match UNSAID.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::Running(format!(
            "standard output: cannot write: {error}; make room, or send it elsewhere"
        ))),
        _ => Ok(()),
    }
}

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
                tell!("{message}");
                return ExitCode::from(130);
            }
        };
        tell!("error: {message}");
        ExitCode::from(code)
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Diverged { .. } | TaskError::Checkpoint(CheckpointError::Write(_)) => {
                Self::Running(remedy::in_words(&error))
            }
            _ => Self::Input(remedy::in_words(&error)),
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
