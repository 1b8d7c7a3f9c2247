//! Progress of the current pooler.

use crate::terminal::progress::Bar;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Instant;

/// A line with a clock on a terminal, sparse plain lines otherwise, nothing if quiet.
pub struct Progress {
    quiet: bool,
    poolers: usize,
    bar: RefCell<Bar>,
    /// Prefix of the lines of the current pooler.
    name: RefCell<String>,
    started: Cell<Instant>,
    /// Poolers share their data, so they share most notes.
    notes: RefCell<BTreeSet<String>>,
}

impl Progress {
    /// The progress of a comparison of so many poolers.
    pub fn new(poolers: usize, quiet: bool) -> Self {
        Self {
            quiet,
            poolers,
            bar: RefCell::new(Bar::new(0, "", true)),
            name: RefCell::default(),
            started: Cell::new(Instant::now()),
            notes: RefCell::default(),
        }
    }

    /// Starts or resumes a pooler.
    pub fn begin(&self, place: usize, name: &str, goes_on: bool) {
        let name = format!("{name} ({} of {})", place + 1, self.poolers);
        self.started.set(Instant::now());
        let bar = Bar::new(0, "{spinner} {msg}  {elapsed}", self.quiet);
        if bar.is_shown() {
            bar.message(name.clone());
        } else {
            bar.keep(&format!(
                "{name}: {}",
                if goes_on { "goes on" } else { "begins" }
            ));
        }
        self.bar.replace(bar);
        self.name.replace(name);
    }

    /// Shows how far the pooler is.
    pub fn line(&self, line: &str) {
        let (bar, line) = (self.bar.borrow(), format!("{}: {line}", self.name.borrow()));
        if bar.is_shown() {
            bar.message(line);
        } else {
            bar.keep(&line);
        }
    }

    /// Shows a note, once for all poolers.
    pub fn note(&self, note: &str) {
        if self.notes.borrow_mut().insert(note.to_owned()) {
            self.bar.borrow().keep(&format!("note: {note}"));
        }
    }

    /// The process of the pooler has ended.
    pub fn end(&self) {
        self.bar.replace(Bar::new(0, "", self.quiet));
    }

    /// The pooler has come to its end.
    pub fn finished(&self, place: usize, name: &str) {
        let seconds = self.started.get().elapsed().as_secs_f64();
        self.keep(place, name, &format!("done in {seconds:.1} s"));
    }

    /// The pooler was run before.
    pub fn known(&self, place: usize, name: &str) {
        self.keep(place, name, "done before");
    }

    fn keep(&self, place: usize, name: &str, words: &str) {
        if !self.quiet {
            tell!("{name} ({} of {}): {words}", place + 1, self.poolers);
        }
    }
}
