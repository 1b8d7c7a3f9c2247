//! Progress line of a run, on standard error.

use crate::flags::run::RunFlags;
use crate::terminal::progress::{Bar, about};
use bnpool_task::cluster::run::Watch;
use bnpool_task::cluster::{Epoch, Trainer};
use std::collections::BTreeMap;
use std::time::Instant;

/// Formats the losses in one line, with the names of the paper.
pub fn loss_words(losses: &BTreeMap<String, f64>) -> String {
    // The reconstruction is first, as in the paper.
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

/// Formats γ, for poolers with a loss that it weights.
pub fn gamma_words(losses: &BTreeMap<String, f64>, gamma: f64) -> String {
    if losses.contains_key("loss_kl") {
        format!("  γ {gamma:.2}")
    } else {
        String::new()
    }
}

/// Estimates the remaining seconds from the epochs of this process, without
/// those before a resumed run.
fn seconds_left(before: usize, done: usize, epochs: usize, seconds: f64) -> Option<f64> {
    let pace = seconds / done.checked_sub(before).filter(|&n| n > 0)? as f64;
    Some(pace * epochs.saturating_sub(done) as f64)
}

/// A bar on a terminal, sparse plain lines elsewhere, nothing when quiet.
pub struct Progress {
    bar: Bar,
    quiet: bool,
    verbose: bool,
    epochs: usize,
    /// Epochs done before this process started.
    before: usize,
    started: Instant,
}

impl Progress {
    /// Shows nothing before the training begins.
    pub fn new(flags: &RunFlags) -> Self {
        Self {
            bar: Bar::new(0, "{bar:20} {msg}", true),
            quiet: flags.quiet,
            verbose: flags.verbose,
            epochs: 0,
            before: 0,
            started: Instant::now(),
        }
    }

    fn line(&self, e: &Epoch, done: usize) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let left = seconds_left(self.before, done, self.epochs, seconds)
            .map_or(String::new(), |s| format!(" · {} left at most", about(s)));
        let clusters = match e.clusters {
            1 => "1 cluster".to_owned(),
            n => format!("{n} clusters"),
        };
        let details = if self.verbose {
            format!(
                " · {}{}",
                loss_words(&e.losses),
                gamma_words(&e.losses, e.gamma)
            )
        } else {
            String::new()
        };
        format!(
            "epoch {done} of {} · {clusters}{left}{details}",
            self.epochs
        )
    }
}

impl Watch for Progress {
    fn begin(&mut self, trainer: &Trainer) {
        self.before = trainer.epochs();
        self.epochs = self.before + trainer.epochs_left();
        self.bar = Bar::new(self.epochs, "{bar:20} {msg}", self.quiet);
        self.started = Instant::now();
    }

    fn epoch(&mut self, trainer: &Trainer, e: &Epoch) {
        let done = trainer.epochs();
        self.bar.show(done, || self.line(e, done));
    }

    fn end(&mut self) {
        self.bar = Bar::new(0, "", true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnpool_task::Preset;
    use bnpool_task::cluster::{ClusterConfig, WarmStart};
    use std::time::Duration;

    #[test]
    fn epochs_before_a_resumed_run_do_not_count() {
        assert_eq!(seconds_left(0, 100, 300, 10.0), Some(20.0));
        assert_eq!(seconds_left(900, 1000, 1200, 10.0), Some(20.0));
        assert_eq!(seconds_left(900, 900, 1000, 10.0), None);
        assert_eq!(seconds_left(0, 10, 10, 10.0), Some(0.0));
    }

    #[test]
    fn the_time_that_is_left_is_that_of_this_process() {
        use clap::Parser;
        #[derive(Parser)]
        struct Flags {
            #[command(flatten)]
            run: RunFlags,
        }
        let graph = bnpool_graph::generate::builtin_community().expect("a graph");
        let mut config: ClusterConfig = ClusterConfig::preset(Preset::Default);
        config.training.warm_start = WarmStart::Spectral;
        config.training.epochs = 9;
        config.pooler.max_clusters = 5;
        let mut trainer = Trainer::new(&graph, &config).expect("a trainer");
        for _ in 0..3 {
            trainer.advance().expect("an epoch");
        }
        let flags = Flags::parse_from(["bnpool", "--quiet"]).run;
        let mut progress = Progress::new(&flags);
        progress.begin(&trainer);
        assert_eq!((progress.before, progress.epochs), (3, 9));
        let epoch = trainer.advance().expect("an epoch").expect("one more");
        progress.started -= Duration::from_secs(600);
        let line = progress.line(&epoch, trainer.epochs());
        // Five epochs at the pace of one.
        let left = format!("{} left at most", about(5.0 * 600.0));
        assert!(
            line.starts_with("epoch 4 of 9") && line.contains(&left),
            "{line}"
        );
    }

    #[test]
    fn gamma_is_shown_where_it_weighs_something() {
        let losses = |name: &str| BTreeMap::from([(name.to_owned(), 1.0)]);
        assert_eq!(gamma_words(&losses("loss_kl"), 0.5), "  γ 0.50");
        assert_eq!(gamma_words(&losses("loss_cut"), 0.5), "");
    }
}
