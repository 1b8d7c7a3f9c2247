//! Progress bars of a run on standard error: one for all folds, and one for
//! each running fold.

use super::summary::shown;
use crate::command::cluster::{gamma_words, loss_words};
use crate::run::RunFlags;
use bnpool_task::learn::run::{Extent, FinishedFold, Watch, WatchFold};
use bnpool_task::learn::{LearnEpoch, Score};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time between plain lines if there is no terminal.
const PLAIN_INTERVAL: Duration = Duration::from_secs(5);

/// Bars on a terminal, occasional plain lines otherwise, nothing if quiet.
pub struct Progress {
    bars: Option<(MultiProgress, ProgressBar)>,
    plain: bool,
    verbose: bool,
    epochs: usize,
    score: Score,
}

impl Progress {
    /// Starts the progress of a training.
    pub fn new(extent: Extent, flags: &RunFlags) -> Self {
        let Extent {
            folds,
            epochs,
            score,
        } = extent;
        let quiet = flags.quiet;
        let terminal = std::io::stderr().is_terminal();
        let bars = (terminal && !quiet).then(|| {
            let all = MultiProgress::new();
            let bar = ProgressBar::new(folds as u64)
                .with_style(style("folds  {bar:24} {pos}/{len}  {msg}"));
            (all.clone(), all.add(bar))
        });
        Self {
            bars,
            plain: !terminal && !quiet,
            verbose: flags.verbose,
            epochs,
            score,
        }
    }

    fn line(&self, message: &str) {
        if let Some((all, bar)) = &self.bars {
            bar.inc(1);
            bar.set_message(message.to_owned());
            // The line is printed above the bars.
            let _ = all.println(message);
        } else if self.plain {
            tell!("{message}");
        }
    }
}

impl Watch for Progress {
    fn fold(&self, fold: usize, graphs: usize) -> Box<dyn WatchFold> {
        let bar = self.bars.as_ref().map(|(all, _)| {
            let template = format!("fold {fold} {{bar:20}} {{msg}}");
            all.add(ProgressBar::new(self.epochs as u64).with_style(style(&template)))
        });
        let now = Instant::now();
        Box::new(FoldProgress {
            bar,
            plain: self.plain,
            verbose: self.verbose,
            epochs: self.epochs,
            graphs,
            score: self.score,
            clock: Mutex::new(Clock {
                last_epoch: now,
                next_line: now + Duration::from_secs(2),
            }),
        })
    }

    fn finished(&self, fold: &FinishedFold) {
        let result = &fold.result;
        self.line(&format!(
            "fold {}: {} {} on test graphs after {} epochs",
            result.fold,
            self.score.name(),
            shown(self.score, result.test),
            result.epochs
        ));
    }

    fn done_before(&self, fold: usize) {
        self.line(&format!("fold {fold}: done before"));
    }

    fn end(&self) {
        if let Some((all, _)) = &self.bars {
            let _ = all.clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Progress bar of one fold.
struct FoldProgress {
    bar: Option<ProgressBar>,
    plain: bool,
    verbose: bool,
    epochs: usize,
    graphs: usize,
    score: Score,
    clock: Mutex<Clock>,
}

struct Clock {
    last_epoch: Instant,
    next_line: Instant,
}

impl WatchFold for FoldProgress {
    fn epoch(&self, e: &LearnEpoch) {
        let Ok(mut clock) = self.clock.lock() else {
            return;
        };
        let now = Instant::now();
        let speed = self.graphs as f64 / (now - clock.last_epoch).as_secs_f64().max(1e-9);
        clock.last_epoch = now;
        let line = || {
            let val = match e.val {
                Some(_) => format!(" · {} on validation", shown(self.score, e.val)),
                None => String::new(),
            };
            let clusters = e
                .clusters
                .map_or(String::new(), |c| format!(" · {c:.1} clusters"));
            let details = if self.verbose {
                format!(
                    " · loss {:.4}  {}  lr {:.1e}{}  {speed:.0} graphs/s",
                    e.train_loss,
                    loss_words(&e.losses),
                    e.learning_rate,
                    gamma_words(&e.losses, e.gamma),
                )
            } else {
                String::new()
            };
            format!(
                "epoch {} of {}{val}{clusters}{details}",
                e.epoch, self.epochs
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_position(e.epoch as u64);
            bar.set_message(line());
        } else if self.plain && now >= clock.next_line {
            tell!("fold {} · {}", e.fold, line());
            clock.next_line = now + PLAIN_INTERVAL;
        }
    }
}

impl Drop for FoldProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
