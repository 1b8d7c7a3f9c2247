//! Launcher of child processes of the command.

use std::ffi::OsString;
use std::io;
use std::process::Command;

/// Program of the command, with its leading arguments.
///
/// ```
/// use bnpool_cli::Launcher;
///
/// let python = Launcher::new(["python3", "-m", "bnpool"]);
/// # let _ = python;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launcher {
    words: Vec<OsString>,
}

impl Launcher {
    /// Creates a launcher from these arguments; without any, uses the current
    /// program.
    pub fn new(words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            words: words.into_iter().map(Into::into).collect(),
        }
    }

    /// Returns the command without arguments, not yet started.
    pub(crate) fn command(&self) -> io::Result<Command> {
        let mut words = self.words.iter();
        let mut command = match words.next() {
            Some(program) => Command::new(program),
            None => Command::new(std::env::current_exe()?),
        };
        command.args(words);
        Ok(command)
    }
}
