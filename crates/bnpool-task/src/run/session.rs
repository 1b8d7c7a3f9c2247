//! Running training: history, checkpoints, and the end by a stop of the user.

use super::{Checkpoint, CheckpointError, History};
use crate::cluster::{ClusterState, Epoch, Trainer};
use crate::front::Context;
use crate::learn::{FoldTrainer, LearnEpoch, LearnState};
use crate::ranks::{Order, Ranks};
use crate::{Failure, FailureKind, TaskError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

/// A training that runs one epoch at a time and can be saved after each.
pub trait Training {
    /// A line of the history.
    type Epoch: Serialize;
    /// State of a checkpoint, without arrays.
    type State: Serialize + DeserializeOwned;

    /// Runs one epoch on all ranks; returns `None` at the end.
    fn advance(&mut self, ranks: &Ranks) -> Result<Option<Self::Epoch>, TaskError>;
    /// Returns the number of finished epochs.
    fn epochs(&self) -> usize;
    /// Returns the state to resume from.
    fn checkpoint(&self) -> Checkpoint<Self::State>;
}

impl Training for Trainer {
    type Epoch = Epoch;
    type State = ClusterState;

    fn advance(&mut self, ranks: &Ranks) -> Result<Option<Epoch>, TaskError> {
        if self.is_divided() {
            ranks.order(&Order::Epoch);
        }
        Self::advance(self)
    }

    fn epochs(&self) -> usize {
        self.epochs()
    }

    fn checkpoint(&self) -> Checkpoint<ClusterState> {
        self.checkpoint()
    }
}

impl Training for FoldTrainer<'_> {
    type Epoch = LearnEpoch;
    type State = LearnState;

    fn advance(&mut self, ranks: &Ranks) -> Result<Option<LearnEpoch>, TaskError> {
        ranks.order(&Order::Epoch);
        Self::advance(self)
    }

    fn epochs(&self) -> usize {
        self.epochs()
    }

    fn checkpoint(&self) -> Checkpoint<LearnState> {
        self.checkpoint()
    }
}

/// Header of a checkpoint.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    training: S,
    seconds: f64,
}

/// Reads a checkpoint, with the duration of its training in seconds.
pub fn read_checkpoint<S: Serialize + DeserializeOwned>(
    path: &Path,
) -> Result<(Checkpoint<S>, f64), Failure> {
    checkpoint_of_bytes(&read_bytes(path)?, path)
}

/// Reads the bytes of a checkpoint.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    };
    Ok(std::fs::read(path)
        .map_err(cannot)
        .map_err(TaskError::from)?)
}

/// Parses a checkpoint from the bytes of the file `path`.
pub fn checkpoint_of_bytes<S: Serialize + DeserializeOwned>(
    bytes: &[u8],
    path: &Path,
) -> Result<(Checkpoint<S>, f64), Failure> {
    let Checkpoint { tensors, state } =
        Checkpoint::<Saved<S>>::of_bytes(bytes, path).map_err(TaskError::from)?;
    let checkpoint = Checkpoint {
        tensors,
        state: state.training,
    };
    Ok((checkpoint, state.seconds))
}

/// Writes a checkpoint of a training that took `seconds`.
pub fn write_checkpoint<S: Serialize + DeserializeOwned>(
    path: &Path,
    checkpoint: Checkpoint<S>,
    seconds: f64,
) -> Result<(), Failure> {
    let Checkpoint { tensors, state } = checkpoint;
    let saved = Checkpoint {
        tensors,
        state: Saved {
            training: state,
            seconds,
        },
    };
    Ok(saved.write(path).map_err(TaskError::from)?)
}

/// Reads the epochs of a history; empty if there is no file.
pub fn read_history<E: DeserializeOwned>(path: &Path) -> Result<Vec<E>, Failure> {
    History::read(path)
        .map_err(|e| Failure::running(format!("{}: cannot read: {e}", path.display())))
}

/// Reason for the end of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The training is complete. The user may have requested a stop while the
    /// last checkpoint was written.
    Finished,
    /// The user requested a stop; a checkpoint was written.
    Interrupted,
}

/// A running training.
pub struct Session<'a, T> {
    trainer: T,
    context: Context<'a>,
    history: History,
    checkpoint: PathBuf,
    started: Instant,
    /// Duration of the training before this process, in seconds.
    before: f64,
}

impl<'a, T: Training> Session<'a, T> {
    /// Continues with a trainer that has taken `before` seconds so far.
    pub fn new(
        trainer: T,
        before: f64,
        history: &Path,
        checkpoint: PathBuf,
        context: Context<'a>,
    ) -> Result<Self, Failure> {
        let history_path = history;
        let history = History::open(history_path, trainer.epochs())?;
        if history.lost() > 0 {
            context.front.note(&format!(
                "{} lacks {} epochs, so the curves of the report have a gap; nothing else depends on them",
                history_path.display(),
                history.lost()
            ));
        }
        Ok(Self {
            trainer,
            context,
            history,
            checkpoint,
            started: Instant::now(),
            before,
        })
    }

    /// Returns the trainer.
    pub fn trainer(&self) -> &T {
        &self.trainer
    }

    /// Returns the total duration of the training over all processes, in
    /// seconds.
    pub fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    /// Trains until the end or a stop by the user. Each epoch is written to the
    /// history and passed to `watch`.
    pub fn train(
        &mut self,
        mut watch: impl FnMut(&T, &T::Epoch) -> Result<(), Failure>,
    ) -> Result<Ended, Failure> {
        let _training = self.context.front.training();
        let mut last = Instant::now();
        loop {
            let epoch = match self.trainer.advance(self.context.ranks) {
                Ok(Some(epoch)) => epoch,
                Ok(None) => break,
                Err(error) => {
                    self.save()?;
                    return Err(Failure::running(format!(
                        "{}; the last good state is kept in {}",
                        self.context
                            .words(&Failure::of(FailureKind::Running, &error)),
                        self.checkpoint.display()
                    )));
                }
            };
            self.history.push(&epoch)?;
            watch(&self.trainer, &epoch)?;
            if self.context.front.is_stopped() {
                self.save()?;
                return Ok(Ended::Interrupted);
            }
            if last.elapsed() >= CHECKPOINT_INTERVAL {
                self.save()?;
                last = Instant::now();
            }
        }
        self.save()?;
        Ok(Ended::Finished)
    }

    /// Saves the history first, because the checkpoint relies on its lines.
    fn save(&mut self) -> Result<(), Failure> {
        self.history.flush()?;
        let seconds = self.seconds();
        write_checkpoint(&self.checkpoint, self.trainer.checkpoint(), seconds)
    }
}
