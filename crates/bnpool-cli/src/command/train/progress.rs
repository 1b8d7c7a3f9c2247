//! Progress bars of a run on standard error: one for all folds, and one for
//! each running fold.

use crate::command::cluster::{gamma_words, loss_words};
use crate::flags::run::RunFlags;
use crate::terminal::progress::Bar;
use bnpool_task::learn::run::{Extent, FinishedFold, Watch, WatchFold};
use bnpool_task::learn::{LearnEpoch, Score};
use std::cell::Cell;
use std::time::Instant;

/// The bar of all folds, with those of the folds under way below it.
pub struct Progress {
    bar: Bar,
    verbose: bool,
    epochs: usize,
    score: Score,
}

impl Progress {
    /// Starts a training.
    pub fn new(extent: Extent, flags: &RunFlags) -> Self {
        Self {
            bar: Bar::new(
                extent.folds,
                "folds  {bar:24} {pos}/{len}  {msg}",
                flags.quiet,
            ),
            verbose: flags.verbose,
            epochs: extent.epochs,
            score: extent.score,
        }
    }

    /// A fold has come to its end.
    fn done(&self, line: String) {
        self.bar.keep(&line);
        self.bar.step();
        self.bar.message(line);
    }
}

impl Watch for Progress {
    fn fold(&self, fold: usize, graphs: usize) -> Box<dyn WatchFold> {
        let template = format!("fold {fold} {{bar:20}} {{msg}}");
        Box::new(FoldProgress {
            bar: self.bar.below(self.epochs, &template),
            verbose: self.verbose,
            epochs: self.epochs,
            graphs,
            score: self.score,
            last_epoch: Cell::new(Instant::now()),
        })
    }

    fn finished(&self, fold: &FinishedFold) {
        let result = &fold.result;
        self.done(format!(
            "fold {}: {} {} on test graphs after {} epochs",
            result.fold,
            self.score.name(),
            self.score.shown(result.test),
            result.epochs
        ));
    }

    fn done_before(&self, fold: usize) {
        self.done(format!("fold {fold}: done before"));
    }
}

/// The bar of one fold.
struct FoldProgress {
    bar: Bar,
    verbose: bool,
    epochs: usize,
    graphs: usize,
    score: Score,
    last_epoch: Cell<Instant>,
}

impl WatchFold for FoldProgress {
    fn epoch(&self, e: &LearnEpoch) {
        let seconds = self.last_epoch.replace(Instant::now()).elapsed();
        let speed = self.graphs as f64 / seconds.as_secs_f64().max(1e-9);
        self.bar.show(e.epoch, || {
            let line = self.line(e, speed);
            if self.bar.is_shown() {
                line
            } else {
                format!("fold {} · {line}", e.fold)
            }
        });
    }
}

impl FoldProgress {
    fn line(&self, e: &LearnEpoch, speed: f64) -> String {
        let val = match e.val {
            Some(_) => format!(" · {} on validation", self.score.shown(e.val)),
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
    }
}
