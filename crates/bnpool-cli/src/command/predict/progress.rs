//! How many graphs are done, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Nothing is shown of work that is done sooner.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between plain lines where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// A bar on a terminal, sparse plain lines elsewhere.
pub struct Progress {
    bar: ProgressBar,
    terminal: bool,
    next: Instant,
}

impl Progress {
    /// Starts on `graphs` graphs.
    pub fn new(graphs: usize) -> Self {
        let style = ProgressStyle::with_template("graphs  {bar:24} {pos}/{len}  {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        let hidden = ProgressDrawTarget::hidden();
        Self {
            bar: ProgressBar::with_draw_target(Some(graphs as u64), hidden).with_style(style),
            terminal: std::io::stderr().is_terminal(),
            next: Instant::now() + PATIENCE,
        }
    }

    /// One graph more is done.
    pub fn advance(&mut self) {
        self.bar.inc(1);
        if Instant::now() < self.next {
            return;
        }
        self.next = Instant::now() + PLAIN_INTERVAL;
        if self.terminal {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        } else {
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            tell!("{done} of {all} graphs");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
