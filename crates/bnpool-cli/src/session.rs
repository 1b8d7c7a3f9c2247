//! A training under way: its history, its checkpoints, and its end when the
//! user asks for it. The same for every command that trains.

use crate::interrupt;
use crate::message::Failure;
use crate::ranks::{self, Order};
use crate::remedy::flag;
use bnpool_io::remedy::Remedied;
use bnpool_task::TaskError;
use bnpool_task::cluster::{ClusterState, Epoch, Trainer};
use bnpool_task::learn::{FoldTrainer, LearnEpoch, LearnState};
use bnpool_task::run::{Checkpoint, CheckpointError, History};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

/// What is trained an epoch at a time and can be written down after any.
pub trait Training {
    /// A line of the history.
    type Epoch: Serialize;
    /// All but the arrays of a checkpoint.
    type State: Serialize + DeserializeOwned;

    /// Runs one epoch; none at the end.
    fn advance(&mut self) -> Result<Option<Self::Epoch>, TaskError>;
    /// Finished epochs.
    fn epochs(&self) -> usize;
    /// All that going on needs.
    fn checkpoint(&self) -> Checkpoint<Self::State>;
}

impl Training for Trainer {
    type Epoch = Epoch;
    type State = ClusterState;

    fn advance(&mut self) -> Result<Option<Epoch>, TaskError> {
        if self.is_divided() {
            ranks::order(&Order::Epoch);
        }
        self.advance()
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

    fn advance(&mut self) -> Result<Option<LearnEpoch>, TaskError> {
        ranks::order(&Order::Epoch);
        self.advance()
    }

    fn epochs(&self) -> usize {
        self.epochs()
    }

    fn checkpoint(&self) -> Checkpoint<LearnState> {
        self.checkpoint()
    }
}

/// What a checkpoint of a command holds beside the arrays.
#[derive(Serialize, Deserialize)]
struct Saved<S> {
    training: S,
    seconds: f64,
}

/// Reads a checkpoint: what the trainer needs, and the seconds it took.
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

/// The same from the bytes of the file `path`.
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
        .map_err(|e| Failure::Running(format!("{}: cannot read: {e}", path.display())))
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
pub struct Session<T> {
    trainer: T,
    history: History,
    checkpoint: PathBuf,
    started: Instant,
    /// Seconds of training before this process.
    before: f64,
}

impl<T: Training> Session<T> {
    /// Goes on with a trainer that has taken `before` seconds so far.
    pub fn new(
        trainer: T,
        before: f64,
        history: &Path,
        checkpoint: PathBuf,
    ) -> Result<Self, Failure> {
        let history_path = history;
        let history = History::open(history_path, trainer.epochs())?;
        if history.lost() > 0 {
            tell!(
                "note: {} lacks {} epochs, so the curves of the report have a gap; nothing else depends on them",
                history_path.display(),
                history.lost()
            );
        }
        Ok(Self {
            trainer,
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
        let _training = interrupt::Training::begin();
        let mut last = Instant::now();
        loop {
            let epoch = match self.trainer.advance() {
                Ok(Some(epoch)) => epoch,
                Ok(None) => break,
                Err(error) => {
                    self.save()?;
                    return Err(Failure::Running(format!(
                        "{}; the last good state is kept in {}",
                        error.in_terms(&flag),
                        self.checkpoint.display()
                    )));
                }
            };
            self.history.push(&epoch)?;
            watch(&self.trainer, &epoch)?;
            if interrupt::is_asked() {
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
