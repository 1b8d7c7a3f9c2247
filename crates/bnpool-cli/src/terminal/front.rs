//! Front end of a run on the terminal.

use crate::Program;
use crate::process::interrupt;
use crate::terminal::message::write_line;
use crate::terminal::stage::Stage;
use bnpool_io::shown::escape;
use bnpool_task::front::{Context, Front, Guard};
use std::path::Path;

/// Front end with standard error and signals, for a run of this subcommand.
pub struct Terminal {
    /// Subcommand, for the advice to use `--resume`.
    pub command: &'static str,
    /// Whether to show only notes.
    pub quiet: bool,
}

impl Terminal {
    /// Returns the advice for continuing the run in a directory.
    pub fn go_on(&self, directory: &Path) -> String {
        format!(
            "go on with: bnpool {} --resume --out {}",
            self.command,
            directory.display()
        )
    }
}

impl Front for Terminal {
    fn note(&self, line: &str) {
        tell!("note: {line}");
    }

    fn describe(&self, line: &str) {
        if !self.quiet {
            tell!("{line}");
        }
    }

    fn stage(&self, name: &str) -> Guard {
        Box::new(Stage::begin(name.to_owned(), self.quiet))
    }

    fn training(&self) -> Guard {
        Box::new(interrupt::Training::begin())
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_asked()
    }

    fn enter(&self, directory: &Path) {
        interrupt::say_at_end(format!("interrupted; {}", self.go_on(directory)));
    }

    fn results_follow(&self) {
        interrupt::tell_results_follow();
    }

    fn last_words(&self, line: &str) {
        write_line(format_args!("{}", escape(line)));
    }
}

/// Front end of a rank that only prints its last message.
pub struct Silent;

impl Front for Silent {
    fn training(&self) -> Guard {
        Box::new(interrupt::Training::begin())
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_asked()
    }

    fn last_words(&self, line: &str) {
        write_line(format_args!("{}", escape(line)));
    }
}

impl Program {
    /// Returns the context of a run.
    pub fn context<'a>(&'a self, front: &'a dyn Front) -> Context<'a> {
        Context {
            front,
            terms: self.terms,
            ranks: &self.ranks,
        }
    }
}
