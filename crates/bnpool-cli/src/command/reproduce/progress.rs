//! How far a reproduction is, on standard error.

use crate::stage::about;
use indicatif::{ProgressBar, ProgressStyle};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A line with a clock on a terminal, a line for each run elsewhere, nothing when
/// quiet.
pub struct Progress {
    quiet: bool,
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    runs: u64,
    /// Runs of this process, and since when.
    made: AtomicU64,
    since: Instant,
}

impl Progress {
    /// Of so many runs.
    pub fn new(runs: usize, quiet: bool) -> Self {
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(runs as u64)
        };
        if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed}  {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self {
            quiet,
            bar,
            runs: runs as u64,
            made: AtomicU64::new(0),
            since: Instant::now(),
        }
    }

    /// A line that stays.
    pub fn say(&self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| tell!("{line}"));
        }
    }

    /// A run was finished before.
    pub fn known(&self) {
        self.bar.inc(1);
    }

    /// What a run is about.
    pub fn line(&self, line: String) {
        self.bar.set_message(line);
    }

    /// A run has come to its end.
    pub fn done(&self, name: &str, started: Instant) {
        self.bar.inc(1);
        let done = self.bar.position();
        let made = self.made.fetch_add(1, Ordering::SeqCst) + 1;
        let seconds = started.elapsed().as_secs_f64();
        let left = self.runs.saturating_sub(done);
        // All runs of the process together, so that it counts those side by side.
        let rest = self.since.elapsed().as_secs_f64() / made as f64 * left as f64;
        let rest = match left {
            0 => String::new(),
            _ => format!("; {} left", about(rest)),
        };
        let runs = self.runs;
        self.say(&format!("{done} of {runs}: {name}: {seconds:.1} s{rest}"));
    }

    /// Nothing more comes.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
