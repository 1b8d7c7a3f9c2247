//! Training of one fold with checkpoints, and its result.

use super::Plan;
use super::source::Input;
use super::work::WatchFold;
use crate::TaskError;
use crate::front::Context;
use crate::learn::{FoldResult, FoldTrainer, LearnConfig, LearnEpoch};
use crate::ranks::{Order, Ranks};
use crate::run::EventFile;
use crate::run::{Ended, Session, checkpoint_of_bytes, read_bytes, read_history};
use crate::{Failure, FailureKind};
use bnpool_graph::split::Split;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Result of a fold, as stored in its file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FinishedFold {
    /// Result.
    #[serde(flatten)]
    pub result: FoldResult,
    /// Duration of the training in seconds.
    pub seconds: f64,
    /// Whether the training was stopped early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
}

impl FinishedFold {
    /// Reads the file of a fold; `None` if it does not exist.
    pub(super) fn read(
        plan: &Plan,
        input: &Input,
        fold: usize,
        split: &Split,
    ) -> Result<Option<Self>, Failure> {
        let name = FoldFiles::of(plan, fold).result;
        let Some(read) = plan.directory.read_written::<Self>(&name)? else {
            return Ok(None);
        };
        let damaged = |problem: &str| {
            Failure::input(format!(
                "{}: it is damaged: {problem}; remove it to have the fold trained again",
                plan.directory.file(&name).display()
            ))
        };
        read.check(fold, split, input.data.objective.outputs())
            .map_err(damaged)?;
        Ok(Some(read))
    }

    /// Returns the result of a fold, or that of its best epoch so far; `None` before
    /// its first checkpoint.
    pub(super) fn so_far(
        plan: &Plan,
        input: &Input,
        fold: usize,
        split: &Split,
    ) -> Result<Option<Self>, Failure> {
        if let Some(finished) = Self::read(plan, input, fold, split)? {
            return Ok(Some(finished));
        }
        let path = FoldFiles::of(plan, fold).checkpoint;
        if !path.exists() {
            return Ok(None);
        }
        let saved = read_bytes(&path)?;
        let (trainer, seconds) = make(&plan.config, input, fold, split, (&saved, &path))?;
        Ok(Some(Self {
            seconds,
            result: trainer.finish()?,
            unfinished: true,
        }))
    }

    /// Returns an error that names the first part that does not match the fold.
    fn check(&self, fold: usize, split: &Split, outputs: usize) -> Result<(), &'static str> {
        let result = &self.result;
        let graphs = split.test.len();
        let parts = [&split.train, &split.validation, &split.test].map(Vec::len);
        if result.fold != fold || result.graphs != parts || result.test_graphs != split.test {
            return Err("it is the result of another fold");
        }
        let predictions = &result.predictions;
        if predictions.len() != graphs * outputs || !predictions.iter().all(|p| p.is_finite()) {
            return Err("there is not one prediction for every test graph");
        }
        if !result.clusters.is_empty() && result.clusters.len() != graphs {
            return Err("there is not one number of clusters for every test graph");
        }
        if result.best_epoch > result.epochs {
            return Err("its best epoch comes after its last");
        }
        Ok(())
    }
}

/// Files of a fold.
pub(super) struct FoldFiles {
    pub(super) checkpoint: PathBuf,
    pub(super) history: PathBuf,
    pub(super) model: PathBuf,
    /// Name of the result in the run directory.
    pub(super) result: String,
    pub(super) events: PathBuf,
}

impl FoldFiles {
    /// Returns the files of a fold of a run.
    pub(super) fn of(plan: &Plan, fold: usize) -> Self {
        let file = |name: String| plan.directory.file(&name);
        Self {
            checkpoint: file(format!("checkpoint.fold-{fold}.safetensors")),
            history: file(format!("history.fold-{fold}.jsonl")),
            model: file(format!("model.fold-{fold}.safetensors")),
            result: format!("fold-{fold}.json"),
            events: file(format!("tensorboard/fold-{fold}")),
        }
    }
}

/// Running training of a fold.
pub(super) struct FoldSession<'a> {
    plan: &'a Plan,
    input: &'a Input,
    session: Session<'a, FoldTrainer<'a>>,
    ranks: &'a Ranks,
    events: Option<EventFile>,
    files: FoldFiles,
    fold: usize,
}

impl<'a> FoldSession<'a> {
    /// Starts a fold, or continues it if there is a checkpoint.
    pub(super) fn begin(
        plan: &'a Plan,
        input: &'a Input,
        (fold, split): (usize, &'a Split),
        tensorboard: bool,
        context: Context<'a>,
    ) -> Result<Self, Failure> {
        let files = FoldFiles::of(plan, fold);
        let saved = if files.checkpoint.exists() {
            read_bytes(&files.checkpoint)?
        } else {
            Vec::new()
        };
        let ranks = context.ranks;
        ranks.order(&Order::Fold { fold });
        ranks.engine().broadcast(&saved);
        let made = make(
            &plan.config,
            input,
            fold,
            split,
            (&saved, &files.checkpoint),
        );
        let agreed = context.agree(&made, String::new());
        let (trainer, before) = made?;
        agreed?;
        let trainer = trainer.among(ranks.engine());
        let checkpoint = files.checkpoint.clone();
        let session = Session::new(trainer, before, &files.history, checkpoint, context)?;
        let events = tensorboard.then(|| begin_events(&files)).transpose()?;
        Ok(Self {
            plan,
            input,
            session,
            ranks,
            events,
            files,
            fold,
        })
    }

    /// Trains until the end or a stop by the user, and tests; returns `None` if
    /// there is no epoch to test.
    pub(super) fn run(mut self, watch: &dyn WatchFold) -> Result<Option<FinishedFold>, Failure> {
        let events = &mut self.events;
        let ended = self.session.train(|_, epoch| {
            watch.epoch(epoch);
            if let Some(events) = events {
                add_events(events, epoch)?;
                events.flush()?;
            }
            Ok(())
        });
        match ended {
            Ok(ended) => self.finish(ended == Ended::Interrupted).map(Some),
            Err(failure) if failure.kind() == FailureKind::Running => {
                Err(failure.within(format_args!("fold {}", self.fold)))
            }
            Err(other) => Err(other),
        }
    }

    /// Tests the best model and writes the result. The file marks a finished fold, so an
    /// unfinished fold has no file.
    fn finish(self, unfinished: bool) -> Result<FinishedFold, Failure> {
        let finished = FinishedFold {
            seconds: self.session.seconds(),
            result: {
                self.ranks.order(&Order::Test);
                self.session.trainer().finish()?
            },
            unfinished,
        };
        let model = &finished.result.model;
        super::output::write_model(&self.files.model, self.plan, self.input, self.fold, model)?;
        if !unfinished {
            self.plan
                .directory
                .write_json(&self.files.result, &finished)?;
        }
        Ok(finished)
    }
}

/// Creates the trainer of a fold, new or from the bytes of a checkpoint, with its
/// previous duration in seconds.
pub(super) fn make<'a>(
    config: &'a LearnConfig,
    input: &'a Input,
    fold: usize,
    split: &'a Split,
    (saved, path): (&[u8], &Path),
) -> Result<(FoldTrainer<'a>, f64), Failure> {
    if saved.is_empty() {
        return Ok((FoldTrainer::new(&input.data, config, fold, split)?, 0.0));
    }
    let (saved, seconds) = checkpoint_of_bytes(saved, path)?;
    let trainer = FoldTrainer::resume(&input.data, config, fold, split, saved);
    let trainer = trainer.map_err(|error| match error {
        TaskError::OtherFold { .. } => Failure::input(format!(
            "{}: it is damaged: {error}; remove it to have the fold trained again",
            path.display()
        )),
        other => other.into(),
    })?;
    Ok((trainer, seconds))
}

/// Writes the previous curves from the history, so that none is drawn twice.
fn begin_events(files: &FoldFiles) -> Result<EventFile, Failure> {
    let mut events = EventFile::create(&files.events)?;
    for epoch in read_history::<LearnEpoch>(&files.history)? {
        add_events(&mut events, &epoch)?;
    }
    Ok(events)
}

fn add_events(events: &mut EventFile, epoch: &LearnEpoch) -> Result<(), Failure> {
    let mut values = vec![
        ("train/loss", epoch.train_loss),
        ("validation/loss", epoch.val_loss),
        ("validation/auxiliary", epoch.val_aux),
        ("schedule/gamma", epoch.gamma),
        ("schedule/learning_rate", epoch.learning_rate),
        ("train/gradient_norm", epoch.gradient_norm),
    ];
    values.extend(epoch.val.map(|val| ("validation/metric", val)));
    values.extend(epoch.clusters.map(|c| ("train/clusters", c)));
    let names: Vec<String> = epoch.losses.keys().map(|k| format!("train/{k}")).collect();
    values.extend(
        names
            .iter()
            .map(String::as_str)
            .zip(epoch.losses.values().copied()),
    );
    Ok(events.add(epoch.epoch as u64, values)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Mismatches that a checksum cannot detect are reported, so no index is out of
    /// range later.
    #[test]
    fn results_that_do_not_fit_the_fold_are_refused() {
        let split = Split {
            train: vec![0, 1],
            validation: vec![2],
            test: vec![3, 4],
        };
        let whole = json!({
            "fold": 1, "graphs": [2, 1, 2], "val": 0.5, "test": null, "epochs": 3,
            "best_epoch": 2, "test_graphs": [3, 4], "predictions": [0.1, 0.9, 0.8, 0.2],
            "clusters": [2, 3], "parameters": 7, "seconds": 0.5,
        });
        let check = |value: Value| {
            let fold: FinishedFold = serde_json::from_value(value).expect("a result");
            fold.check(1, &split, 2)
        };
        assert_eq!(check(whole.clone()), Ok(()));
        for (key, value, problem) in [
            ("fold", json!(0), "another fold"),
            ("graphs", json!([2, 2, 2]), "another fold"),
            ("test_graphs", json!([3, 99]), "another fold"),
            ("predictions", json!([0.1, 0.9, 0.8]), "prediction"),
            ("clusters", json!([2]), "number of clusters"),
            ("best_epoch", json!(4), "best epoch"),
        ] {
            let mut damaged = whole.clone();
            damaged[key] = value;
            let found = check(damaged).expect_err(key);
            assert!(found.contains(problem), "{key}: {found}");
        }
    }
}
