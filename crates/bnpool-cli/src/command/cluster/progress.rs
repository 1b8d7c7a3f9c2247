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

/// γ in a line, for poolers with a loss that it weighs.
pub fn gamma_words(losses: &BTreeMap<String, f64>, gamma: f64) -> String {
    match losses.contains_key("loss_kl") {
        true => format!("  γ {gamma:.2}"),
        false => String::new(),
    }
}

/// Epochs a second of this process: those before a resumed run do not count.
fn rate(before: usize, done: usize, seconds: f64) -> f64 {
    done.saturating_sub(before) as f64 / seconds.max(1e-9)
}

/// A bar whose speed and time left are those of this process.
fn bar(epochs: usize, before: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:24} {pos}/{len}  {msg}  {per_sec}  {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(epochs as u64)
        .with_style(style)
        .with_position(before as u64);
    // A tick takes note of the position, and the estimate begins behind it.
    bar.tick();
    bar.reset_eta();
    bar
}

/// A bar on a terminal, sparse plain lines elsewhere, nothing when quiet.
pub struct Progress {
    bar: Option<ProgressBar>,
    plain: bool,
    epochs: usize,
    /// Epochs that were done before this process began.
    before: usize,
    started: Instant,
    next_line: Instant,
}

impl Progress {
    /// Starts a run of at most `epochs` epochs, of which `before` are done
    /// already.
    pub fn new(epochs: usize, before: usize, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = (terminal && !quiet).then(|| bar(epochs, before));
        let now = Instant::now();
        Self {
            bar,
            plain: !terminal && !quiet,
            epochs,
            before,
            started: now,
            next_line: now + Duration::from_secs(2),
        }
    }

    /// Shows an epoch, the `done`-th of all starts.
    pub fn show(&mut self, e: &Epoch, done: usize) {
        let line = || {
            let losses = loss_words(&e.losses);
            let gamma = gamma_words(&e.losses, e.gamma);
            format!("{losses}{gamma}  {} clusters", e.clusters)
        };
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(line());
        } else if self.plain && Instant::now() >= self.next_line {
            let elapsed = self.started.elapsed().as_secs_f64();
            tell!(
                "epoch {done}/{}  {}  {:.0} epochs/s",
                self.epochs,
                line(),
                rate(self.before, done, elapsed)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epochs_before_a_resumed_run_do_not_count() {
        assert_eq!(rate(0, 100, 10.0), 10.0);
        assert_eq!(rate(900, 1000, 10.0), 10.0);
        assert_eq!(rate(900, 900, 0.0), 0.0);
        let bar = bar(1_000_000, 900_000);
        assert_eq!(bar.position(), 900_000);
        std::thread::sleep(Duration::from_millis(20));
        bar.set_position(900_001);
        bar.tick();
        // One epoch in at least 20 ms.
        assert!(bar.per_sec() <= 51.0, "{} epochs/s", bar.per_sec());
    }

    #[test]
    fn gamma_is_shown_where_it_weighs_something() {
        let losses = |name: &str| BTreeMap::from([(name.to_owned(), 1.0)]);
        assert_eq!(gamma_words(&losses("loss_kl"), 0.5), "  γ 0.50");
        assert_eq!(gamma_words(&losses("loss_cut"), 0.5), "");
    }
}
