//! Output of all messages, and exit codes.
//!
//! All output passes through this module, because names of nodes, files and
//! classes are foreign text. Control characters are escaped, and the length of
//! messages is limited.

use bnpool_io::remedy::Remedied;
use bnpool_io::shown::{escape, escape_lines, shorten};
use bnpool_task::{FailureKind, Terms};
use std::fmt;
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

pub use bnpool_task::Failure;

/// Prints a line of the result to standard output.
macro_rules! say {
    ($($part:tt)*) => {
        $crate::terminal::message::write_result(format_args!($($part)*))
    };
}

/// Prints a line about the work to standard error.
macro_rules! tell {
    ($($part:tt)*) => {
        $crate::terminal::message::write_remark(format_args!($($part)*))
    };
}

/// First error of standard output.
static UNSAID: OnceLock<io::Error> = OnceLock::new();

/// Largest number of characters of a message.
const LONGEST: usize = 2000;

/// Writes a line to standard output. `println!` would panic on a closed pipe
/// (`bnpool … | head`) or a full disk.
pub fn write_result(line: fmt::Arguments<'_>) {
    write_text(&escape_lines(&line.to_string()));
}

/// Writes a table to standard output: unchanged for another program, escaped on
/// a terminal.
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

/// Writes a line to standard error, only from rank 0. Ignores a closed pipe.
pub fn write_remark(line: fmt::Arguments<'_>) {
    if crate::process::job::is_first() {
        write_line(line);
    }
}

/// Writes a line to standard error, from any rank.
pub fn write_line(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let line = escape_lines(shorten(&line, LONGEST).as_ref()).into_owned();
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Returns an error if the result could not be written. A closed pipe is not an
/// error.
pub fn all_said() -> Result<(), Failure> {
    match UNSAID.get() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::running(format!(
            "standard output: cannot write: {error}; make room, or send it elsewhere"
        ))),
        _ => Ok(()),
    }
}

/// Prints the failure of a command, and returns the exit code.
pub fn report(failure: &Failure, terms: Terms) -> u8 {
    let message = failure.in_terms(&terms);
    match failure.kind() {
        // A single line, even if names contain line breaks.
        FailureKind::Input | FailureKind::Missing | FailureKind::Running => {
            tell!("error: {}", escape(&message));
        }
        FailureKind::Interrupted => tell!("{}", escape(&message)),
        FailureKind::Silent(_) => {}
    }
    failure.kind().code()
}
