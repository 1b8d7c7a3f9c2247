//! The terminal as the front end of a run.

use crate::message::write_line;
use crate::stage::Stage;
use crate::{Program, interrupt};
use bnpool_io::shown::escape;
use bnpool_task::front::{Context, Front, Guard};
use std::path::Path;

/// Standard error and signals, for a run of this subcommand.
pub struct Terminal {
    /// The subcommand, which `--resume` goes on with.
    pub command: &'static str,
    /// Show nothing but notes.
    pub quiet: bool,
}

impl Terminal {
    /// Words on how to go on with the run in a directory.
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

/// A rank that shows nothing but its last words.
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
    /// The context of a run.
    pub fn context<'a>(&'a self, front: &'a dyn Front) -> Context<'a> {
        Context {
            front,
            terms: self.terms,
            ranks: &self.ranks,
        }
    }
}
