//! The live line of a run, on standard error.

use bnpool::task::cluster::Epoch;
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Time between plain lines where there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// The losses in a line, by the names of the paper.
pub fn loss_words(losses: &BTreeMap<String, f64>) -> String {
    // The reconstruction first, as the paper lists them.
    let mut terms: Vec<_> = losses.iter().collect();
    terms.sort_by_key(|term| std::cmp::Reverse(term.0.clone()));
    let words = terms.into_iter().map(|(name, value)| {
        let name = match name.as_str() {
            "loss_rec" => "L_rec",
            "loss_kl" => "γL_π",
            "loss_k" => "L_K",
            other => other.strip_prefix("loss_").unwrap_or(other),
        };
        format!("{name} {value:.4}")
    });
    words.collect::<Vec<_>>().join("  ")
}

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
            let losses = loss_words(&e.losses);
            format!("{losses}  γ {:.2}  {} clusters", e.gamma, e.clusters)
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(line());
        } else if self.plain && Instant::now() >= self.next_line {
            let speed = done as f64 / self.started.elapsed().as_secs_f64();
            tell!(
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
