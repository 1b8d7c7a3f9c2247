//! One fold: training with checkpoints, then its result.

use super::source::Input;
use super::{Plan, progress::FoldProgress};
use crate::message::Failure;
use crate::run::Interrupt;
use bnpool::task::TaskError;
use bnpool::task::learn::{FoldResult, FoldTrainer, LearnEpoch, LearnState};
use bnpool::train::{Checkpoint, EventFile, History};
use bnpool_graph::split::Split;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Time between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

/// What a checkpoint of the command holds beside the arrays.
#[derive(Serialize, Deserialize)]
struct Saved {
    training: LearnState,
    seconds: f64,
}

/// A finished fold, as its file keeps it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FinishedFold {
    /// What came out.
    #[serde(flatten)]
    pub result: FoldResult,
    /// Seconds of training.
    pub seconds: f64,
}

/// The files of a fold.
pub struct FoldFiles {
    pub checkpoint: PathBuf,
    pub history: PathBuf,
    pub model: PathBuf,
    /// Name of the result in the run directory.
    pub result: String,
    pub events: PathBuf,
}

impl FoldFiles {
    /// Of a fold of a run.
    pub fn of(plan: &Plan, fold: usize) -> Self {
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

/// A fold under way.
pub struct FoldSession<'a> {
    plan: &'a Plan,
    trainer: FoldTrainer<'a>,
    history: History,
    events: Option<EventFile>,
    files: FoldFiles,
    started: Instant,
    before: f64,
    fold: usize,
}

impl<'a> FoldSession<'a> {
    /// Begins a fold, or goes on with it where a checkpoint is there.
    pub fn begin(
        plan: &'a Plan,
        input: &'a Input,
        fold: usize,
        split: &'a Split,
        tensorboard: bool,
    ) -> Result<Self, Failure> {
        let files = FoldFiles::of(plan, fold);
        let (trainer, before) = if files.checkpoint.exists() {
            let file = Checkpoint::<Saved>::read(&files.checkpoint).map_err(TaskError::from)?;
            let checkpoint = Checkpoint {
                tensors: file.tensors,
                state: file.state.training,
            };
            let trainer = FoldTrainer::resume(&input.data, &plan.config, fold, split, checkpoint)?;
            (trainer, file.state.seconds)
        } else {
            let trainer = FoldTrainer::new(&input.data, &plan.config, fold, split)?;
            (trainer, 0.0)
        };
        let history = History::open(&files.history, trainer.epochs())?;
        let events = tensorboard.then(|| begin_events(&files)).transpose()?;
        Ok(Self {
            plan,
            trainer,
            history,
            events,
            files,
            started: Instant::now(),
            before,
            fold,
        })
    }

    /// Trains to the end and tests; none when the user asked for the end.
    pub fn run(
        mut self,
        interrupt: &Interrupt,
        progress: &FoldProgress,
    ) -> Result<Option<FinishedFold>, Failure> {
        let mut last = Instant::now();
        loop {
            let epoch = match self.trainer.advance() {
                Ok(Some(epoch)) => epoch,
                Ok(None) => break,
                Err(error) => {
                    self.save()?;
                    return Err(Failure::Running(format!(
                        "fold {}: {error}; the last good state is kept in {}",
                        self.fold,
                        self.files.checkpoint.display()
                    )));
                }
            };
            self.history.push(&epoch)?;
            if let Some(events) = &mut self.events {
                add_events(events, &epoch)?;
            }
            progress.show(&epoch);
            if interrupt.is_asked() {
                self.save()?;
                return Ok(None);
            }
            if last.elapsed() >= CHECKPOINT_INTERVAL {
                self.save()?;
                last = Instant::now();
            }
        }
        self.save()?;
        self.finish().map(Some)
    }

    fn elapsed(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    /// History first: the checkpoint relies on its lines.
    fn save(&mut self) -> Result<(), Failure> {
        self.history.flush()?;
        if let Some(events) = &mut self.events {
            events.flush()?;
        }
        let Checkpoint { tensors, state } = self.trainer.checkpoint();
        let saved = Checkpoint {
            tensors,
            state: Saved {
                training: state,
                seconds: self.elapsed(),
            },
        };
        Ok(saved
            .write(&self.files.checkpoint)
            .map_err(TaskError::from)?)
    }

    /// Tests the best model and writes what came out.
    fn finish(self) -> Result<FinishedFold, Failure> {
        let seconds = self.elapsed();
        let finished = FinishedFold {
            result: self.trainer.finish()?,
            seconds,
        };
        super::output::write_model(&self.files.model, &finished.result.model)?;
        self.plan
            .directory
            .write_json(&self.files.result, &finished)?;
        Ok(finished)
    }
}

/// The curves so far, from the history, so that none is drawn twice.
fn begin_events(files: &FoldFiles) -> Result<EventFile, Failure> {
    let mut events = EventFile::create(&files.events)?;
    for epoch in super::output::read_history(&files.history)? {
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
