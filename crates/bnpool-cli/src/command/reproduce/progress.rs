//! Progress of a reproduction.

use crate::terminal::progress::{Bar, about};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A bar with a clock on a terminal, a line for each run elsewhere, nothing when quiet.
pub struct Progress {
    bar: Bar,
    runs: usize,
    /// Runs that are done, also in earlier processes.
    done: AtomicUsize,
    /// Runs of this process, and its start.
    made: AtomicUsize,
    since: Instant,
}

impl Progress {
    /// The progress of so many runs.
    pub fn new(runs: usize, quiet: bool) -> Self {
        Self {
            bar: Bar::new(runs, "{bar:24} {pos}/{len} {elapsed}  {msg}", quiet),
            runs,
            done: AtomicUsize::new(0),
            made: AtomicUsize::new(0),
            since: Instant::now(),
        }
    }

    /// Shows a line that stays.
    pub fn say(&self, line: &str) {
        self.bar.keep(line);
    }

    /// A run was finished before.
    pub fn known(&self) {
        self.done.fetch_add(1, Ordering::SeqCst);
        self.bar.step();
    }

    /// Shows a line about the run under way.
    pub fn line(&self, line: String) {
        self.bar.message(line);
    }

    /// A run has come to its end.
    pub fn done(&self, name: &str, started: Instant) {
        self.bar.step();
        let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        let made = self.made.fetch_add(1, Ordering::SeqCst) + 1;
        let seconds = started.elapsed().as_secs_f64();
        let left = self.runs.saturating_sub(done);
        // All runs of the process together, so that runs side by side count.
        let rest = self.since.elapsed().as_secs_f64() / made as f64 * left as f64;
        let rest = match left {
            0 => String::new(),
            _ => format!("; {} left", about(rest)),
        };
        let runs = self.runs;
        self.say(&format!("{done} of {runs}: {name}: {seconds:.1} s{rest}"));
    }
}
