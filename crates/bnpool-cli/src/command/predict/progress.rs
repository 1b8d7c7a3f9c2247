//! Progress of predictions, on standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Progress is only shown after this time.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time between plain lines if there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// A bar on a terminal, occasional plain lines otherwise.
pub struct Progress {
    bar: ProgressBar,
    terminal: bool,
    next: Instant,
}

impl Progress {
    /// Starts the progress of `graphs` graphs.
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

    /// Counts a finished graph.
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
