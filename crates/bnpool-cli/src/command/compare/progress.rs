//! Progress of a comparison, on standard error.

use indicatif::{ProgressBar, ProgressStyle};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// A line with a clock on a terminal, occasional plain lines otherwise, nothing
/// if quiet.
pub struct Progress {
    quiet: bool,
    terminal: bool,
    poolers: usize,
    bar: RefCell<Option<ProgressBar>>,
    /// Prefix of the lines of the current pooler.
    name: RefCell<String>,
    started: Cell<Instant>,
    /// Printed notes. Poolers share their data, so most notes are equal.
    notes: RefCell<BTreeSet<String>>,
}

impl Progress {
    /// Creates the progress of a comparison of `poolers` poolers.
    pub fn new(poolers: usize, quiet: bool) -> Self {
        Self {
            quiet,
            terminal: std::io::stderr().is_terminal(),
            poolers,
            bar: RefCell::default(),
            name: RefCell::default(),
            started: Cell::new(Instant::now()),
            notes: RefCell::default(),
        }
    }

    /// Starts or continues a pooler.
    pub fn begin(&self, place: usize, name: &str, goes_on: bool) {
        let name = format!("{name} ({} of {})", place + 1, self.poolers);
        self.started.set(Instant::now());
        if !self.quiet && self.terminal {
            let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}")
                .unwrap_or_else(|_| ProgressStyle::default_spinner());
            let bar = ProgressBar::new_spinner().with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(name.clone());
            *self.bar.borrow_mut() = Some(bar);
        } else if !self.quiet {
            tell!("{name}: {}", if goes_on { "goes on" } else { "begins" });
        }
        *self.name.borrow_mut() = name;
    }

    /// Shows the progress of the current pooler.
    pub fn line(&self, line: &str) {
        let name = self.name.borrow();
        if let Some(bar) = self.bar.borrow().as_ref() {
            bar.set_message(format!("{name}: {line}"));
        } else if !self.quiet {
            tell!("{name}: {line}");
        }
    }

    /// Prints a note of the current pooler, once for all poolers.
    pub fn note(&self, note: &str) {
        if self.quiet || !self.notes.borrow_mut().insert(note.to_owned()) {
            return;
        }
        let line = format!("note: {note}");
        match self.bar.borrow().as_ref() {
            Some(bar) => bar.suspend(|| tell!("{line}")),
            None => tell!("{line}"),
        }
    }

    /// Ends the current pooler, successful or not.
    pub fn end(&self) {
        if let Some(bar) = self.bar.borrow_mut().take() {
            bar.finish_and_clear();
        }
    }

    /// Reports a finished pooler.
    pub fn finished(&self, place: usize, name: &str) {
        if !self.quiet {
            let seconds = self.started.get().elapsed().as_secs_f64();
            tell!(
                "{name} ({} of {}): done in {seconds:.1} s",
                place + 1,
                self.poolers
            );
        }
    }

    /// Reports a pooler that was finished before.
    pub fn known(&self, place: usize, name: &str) {
        if !self.quiet {
            tell!("{name} ({} of {}): done before", place + 1, self.poolers);
        }
    }
}
