//! A training under way: its history, its checkpoints, and its end when the user stops
//! it.

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

/// A training that takes an epoch at a time and can be saved after any.
pub trait Training {
    /// A line of the history.
    type Epoch: Serialize;
    /// All but the arrays of a checkpoint.
    type State: Serialize + DeserializeOwned;

    /// Runs one epoch on all ranks; none at the end.
    fn advance(&mut self, ranks: &Ranks) -> Result<Option<Self::Epoch>, TaskError>;
    /// Finished epochs.
    fn epochs(&self) -> usize;
    /// The state to go on from.
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

/// The part of a checkpoint beside its arrays.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    training: S,
    seconds: f64,
}

/// Reads a checkpoint, with the seconds that its training took.
pub fn read_checkpoint<S: Serialize + DeserializeOwned>(
    path: &Path,
) -> Result<(Checkpoint<S>, f64), Failure> {
    checkpoint_of_bytes(&read_bytes(path)?, path)
}

/// The bytes of a checkpoint.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    };
    Ok(std::fs::read(path)
        .map_err(cannot)
        .map_err(TaskError::from)?)
}

/// The checkpoint in the bytes of the file `path`.
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

/// Writes a checkpoint of a training that took so many seconds.
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

/// The epochs of a history; none when there is no file.
pub fn read_history<E: DeserializeOwned>(path: &Path) -> Result<Vec<E>, Failure> {
    History::read(path)
        .map_err(|e| Failure::running(format!("{}: cannot read: {e}", path.display())))
}

/// How a training came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing left to train. The user may have asked for the end
    /// while the last checkpoint was written.
    Finished,
    /// The user asked for it; a checkpoint is written.
    Interrupted,
}

/// A training under way.
pub struct Session<'a, T> {
    trainer: T,
    context: Context<'a>,
    history: History,
    checkpoint: PathBuf,
    started: Instant,
    /// Seconds of training before this process.
    before: f64,
}

impl<'a, T: Training> Session<'a, T> {
    /// Goes on with a trainer that has taken `before` seconds so far.
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

    /// The trainer.
    pub fn trainer(&self) -> &T {
        &self.trainer
    }

    /// Seconds of training, all processes together.
    pub fn seconds(&self) -> f64 {
        self.before + self.started.elapsed().as_secs_f64()
    }

    /// Trains to the end, or until the user asks for it. Every epoch goes into
    /// the history and to `watch`.
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

    /// History first: the checkpoint relies on its lines.
    fn save(&mut self) -> Result<(), Failure> {
        self.history.flush()?;
        let seconds = self.seconds();
        write_checkpoint(&self.checkpoint, self.trainer.checkpoint(), seconds)
    }
}
