//! The live line of a run, on standard error.

use bnpool::task::cluster::Epoch;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between plain lines where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// A bar on a terminal, sparse plain lines elsewhere, nothing when quiet.
pub struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    epochs: usize,
    started: Instant,
    next_line: Instant,
}

impl Progress {
    /// Starts a run of at most `epochs` epochs.
    pub fn new(epochs: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !quiet).then(|| {
            let style =
                ProgressStyle::with_template("{bar:24} {pos}/{len}  {msg}  {per_sec}  {eta} left")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::new(epochs as u64).with_style(style)
        });
        let now = Instant::now();
        Self {
            bar,
            plain: !terminal && !quiet,
            epochs,
            started: now,
            next_line: now + Duration::from_secs(2),
        }
    }

    /// Shows an epoch, the `done`-th of all starts.
    pub fn show(&mut self, e: &Epoch, done: usize) {
        let line = || {
            format!(
                "L_rec {:.4}  γL_π {:.4}  L_K {:.4}  γ {:.2}  {} clusters",
                e.loss_rec, e.loss_kl, e.loss_k, e.gamma, e.clusters
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(line());
        } else if self.plain && Instant::now() >= self.next_line {
            let speed = done as f64 / self.started.elapsed().as_secs_f64();
            eprintln!(
                "epoch {done}/{}  {}  {speed:.0} epochs/s",
                self.epochs,
                line()
            );
            self.next_line = Instant::now() + PLAIN_INTERVAL;
        }
    }

    /// Clears the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
