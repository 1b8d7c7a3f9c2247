//! How the command starts itself again.

use std::ffi::OsString;
use std::io;
use std::process::Command;

/// The program that is the command, and the words before its arguments.
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
    /// These words; none stand for the program that is running.
    pub fn new(words: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        Self {
            words: words.into_iter().map(Into::into).collect(),
        }
    }

    /// The command without arguments, not started yet.
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
