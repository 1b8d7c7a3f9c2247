//! One voice for every message, and the exit codes behind them.
//!
//! Whatever is printed passes through here, because names of nodes, files and
//! classes are foreign text: characters that would act on the terminal are shown
//! as escapes, and no message is longer than one can read.

use crate::remedy::flag;
use bnpool_graph::GraphError;
use bnpool_graph::divide::PartError;
use bnpool_graph::generate::GenerateError;
use bnpool_io::dataset::DatasetError;
use bnpool_io::format::{ReadError, WriteError};
use bnpool_io::remedy::Remedied;
use bnpool_io::shown::{escape, escape_lines, shorten};
use bnpool_task::TaskError;
use bnpool_task::run::CheckpointError;
use std::fmt;
use std::io::{self, IsTerminal, Write};
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

/// Most characters of a message.
const LONGEST: usize = 2000;

/// Writes a line to standard output. `println!` would panic on a closed pipe
/// (`bnpool … | head`) or the disk is full.
pub fn write_result(line: fmt::Arguments<'_>) {
    write_text(&escape_lines(&line.to_string()));
}

/// Writes a table to standard output: as it is for another program, but never
/// so to a terminal.
pub fn write_table(table: &str) {
    if io::stdout().is_terminal() {
        write_text(&escape_lines(table));
    } else {
        write_text(table);
    }
}

fn write_text(text: &str) {
    if UNSAID.get().is_none()
        && let Err(error) = writeln!(io::stdout().lock(), "{text}")
    {
        let _ = UNSAID.set(error);
    }
}

/// Writes a line to standard error; ignores a closed pipe. Of several ranks only the
/// first does.
pub fn write_remark(line: fmt::Arguments<'_>) {
    if crate::ranks::leads() {
        write_line(line);
    }
}

fn write_line(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let line = escape_lines(shorten(&line, LONGEST).as_ref()).into_owned();
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
    /// The user can fix it: bad usage or bad input. Exit code 2.
    Input(String),
    /// The same, for a file that is not there.
    Missing(String),
    /// Something went wrong while running. Exit code 1.
    Running(String),
    /// The user ended it; the command wrote a checkpoint. Exit code 130.
    Interrupted(String),
    /// Another rank says it. With this exit code.
    Silent(u8),
}

impl Failure {
    /// Prints the message and gives the exit code.
    pub(crate) fn report(self) -> u8 {
        let code = self.code();
        match &self {
            // One line, whatever the names in it.
            Self::Input(message) | Self::Missing(message) | Self::Running(message) => {
                tell!("error: {}", escape(message));
            }
            Self::Interrupted(message) => tell!("{}", escape(message)),
            Self::Silent(_) => {}
        }
        code
    }

    /// The exit code.
    fn code(&self) -> u8 {
        match self {
            Self::Running(_) => 1,
            Self::Input(_) | Self::Missing(_) => 2,
            Self::Interrupted(_) => 130,
            Self::Silent(code) => *code,
        }
    }

    /// The message, for another rank to print.
    pub(crate) fn problem(&self) -> String {
        match self {
            Self::Input(message)
            | Self::Missing(message)
            | Self::Running(message)
            | Self::Interrupted(message) => message.clone(),
            Self::Silent(code) => format!("it ended with code {code}"),
        }
    }

    /// Prints the message from whichever rank it is, and ends all.
    pub(crate) fn end_all_ranks(self) -> ! {
        let code = self.code();
        let engine = crate::ranks::job();
        let message = self.problem();
        write_line(format_args!(
            "error: rank {}: {}",
            engine.rank(),
            escape(&message)
        ));
        engine.abort(code.into())
    }
}

impl From<TaskError> for Failure {
    fn from(error: TaskError) -> Self {
        match error {
            TaskError::Diverged { .. } | TaskError::Checkpoint(CheckpointError::Write(_)) => {
                Self::Running(error.in_terms(&flag))
            }
            _ => Self::Input(error.in_terms(&flag)),
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

input_errors!(GraphError, GenerateError, PartError);

impl From<DatasetError> for Failure {
    fn from(error: DatasetError) -> Self {
        match error {
            DatasetError::NotFound { .. } => Self::Missing(error.in_terms(&flag)),
            DatasetError::Read(error) => error.into(),
            _ => Self::Input(error.in_terms(&flag)),
        }
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Self {
        if error.is_missing() {
            Self::Missing(error.in_terms(&flag))
        } else {
            Self::Input(error.in_terms(&flag))
        }
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::Running(error.to_string())
    }
}
