//! One voice for every message, and the exit codes behind them.
//!
//! Whatever is printed passes through here, because names of nodes, files and
//! classes are foreign text: characters that would act on the terminal are shown
//! as escapes, and no message is longer than one can read.

use bnpool_io::remedy::Remedied;
use bnpool_io::shown::{escape, escape_lines, shorten};
use bnpool_task::{FailureKind, Terms};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

pub use bnpool_task::Failure;

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
    if crate::job::is_first() {
        write_line(line);
    }
}

/// Writes a line to standard error, from any rank.
pub fn write_line(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let line = escape_lines(shorten(&line, LONGEST).as_ref()).into_owned();
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Whether the result could be written. Who has read enough of it misses
/// nothing.
pub fn all_said() -> Result<(), Failure> {
    match UNSAID.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::running(format!(
            "standard output: cannot write: {error}; make room, or send it elsewhere"
        ))),
        _ => Ok(()),
    }
}

/// Prints why a command stopped, and returns the exit code.
pub fn report(failure: &Failure, terms: Terms) -> u8 {
    let message = failure.in_terms(&terms);
    match failure.kind() {
        // One line, whatever the names in it.
        FailureKind::Input | FailureKind::Missing | FailureKind::Running => {
            tell!("error: {}", escape(&message));
        }
        FailureKind::Interrupted => tell!("{}", escape(&message)),
        FailureKind::Silent(_) => {}
    }
    failure.kind().code()
}
