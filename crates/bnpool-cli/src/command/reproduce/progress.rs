//! How far a reproduction is, on standard error.

use crate::stage::about;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A line with a clock on a terminal, a line for each run elsewhere, nothing when
/// quiet.
pub struct Progress {
    quiet: bool,
    bar: Option<ProgressBar>,
    runs: usize,
    /// Runs that are there, from before or from now.
    done: AtomicUsize,
    /// Those of this process, and since when.
    made: AtomicUsize,
    since: Instant,
    waits: AtomicBool,
}

impl Progress {
    /// Of so many runs.
    pub fn new(runs: usize, quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {elapsed}  {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(runs as u64).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self {
            quiet,
            bar,
            runs,
            done: AtomicUsize::new(0),
            made: AtomicUsize::new(0),
            since: Instant::now(),
            waits: AtomicBool::new(false),
        }
    }

    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| tell!("{line}")),
            None if !self.quiet => tell!("{line}"),
            None => {}
        }
    }

    /// A run was finished before.
    pub fn known(&self) {
        let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
    }

    /// A run begins.
    pub fn begin(&self, name: &str) -> Instant {
        if let Some(bar) = &self.bar {
            bar.set_message(name.to_owned());
        }
        Instant::now()
    }

    /// How far a run is.
    pub fn line(&self, name: &str, line: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(format!("{name}: {line}"));
        }
    }

    /// A run has come to its end.
    pub fn done(&self, name: &str, started: Instant) {
        let done = self.done.fetch_add(1, Ordering::SeqCst) + 1;
        let made = self.made.fetch_add(1, Ordering::SeqCst) + 1;
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
        }
        let seconds = started.elapsed().as_secs_f64();
        let left = self.runs.saturating_sub(done);
        // All runs of the process together, so that it counts those side by side.
        let rest = self.since.elapsed().as_secs_f64() / made as f64 * left as f64;
        let rest = match left {
            0 => String::new(),
            _ => format!("; {} left", about(rest)),
        };
        self.say(&format!(
            "{done} of {}: {name}: {seconds:.1} s{rest}",
            self.runs
        ));
    }

    /// A run failed; others go on.
    pub fn failed(&self, message: &str) {
        self.say(&format!("note: {message}"));
    }

    /// All that is left belongs to other workers.
    pub fn waits(&self) {
        if !self.waits.swap(true, Ordering::SeqCst) {
            self.say("other workers have the rest of the runs; waiting for them");
        }
    }

    /// Nothing more comes.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
