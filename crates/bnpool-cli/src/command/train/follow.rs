//! What the ranks other than the first do: as they are told.

use super::Plan;
use super::progress::Progress;
use super::source::Input;
use super::work::{Shared, Work};
use crate::interrupt;
use crate::message::Failure;
use crate::ranks::{Order, agree, engine, next_order};
use crate::remedy::flag;
use crate::run::RunFlags;
use crate::session::checkpoint_of_bytes;
use bnpool_graph::split::Split;
use bnpool_io::remedy::Remedied;
use bnpool_task::TaskError;
use bnpool_task::learn::{FoldTrainer, LearnConfig};
use bnpool_task::run::RunDirectory;
use std::path::Path;

/// Follows rank 0 to the end; gives the exit code that it says.
pub fn follow(flags: &RunFlags) -> Result<u8, Failure> {
    // It is for rank 0 to react to a signal.
    let _training = interrupt::Training::begin();
    loop {
        match next_order()? {
            Order::Train { config, source } => {
                let input = source.read(&config, flags.data_dir.as_deref());
                let ready = input.and_then(|input| {
                    let splits = input.data.splits(&config)?;
                    Ok((input, splits))
                });
                let agreed = agree(match &ready {
                    Ok((input, _)) => Ok(fingerprint(input)),
                    Err(failure) => Err(failure.problem()),
                });
                // Rank 0 learns of every problem and says it.
                if let (Ok((input, splits)), Ok(())) = (ready, agreed)
                    && let Ok(input) = input.prepared(&config, &*engine())
                {
                    return folds(&config, &input, &splits);
                }
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// What must be the same on all ranks.
pub fn fingerprint(input: &Input) -> String {
    let sha256 = input.sha256.as_deref().unwrap_or("none");
    format!("{sha256}, {} graphs", input.data.len())
}

/// Fold after fold.
fn folds(config: &LearnConfig, input: &Input, splits: &[Split]) -> Result<u8, Failure> {
    let mut order = next_order()?;
    loop {
        match order {
            Order::Fold { fold } => order = one_fold(fold, config, input, splits)?,
            Order::Groups(shared) => {
                in_group(&shared, config, input, splits)?;
                order = next_order()?;
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// The folds of the own group, then back to all ranks.
fn in_group(
    shared: &Shared,
    config: &LearnConfig,
    input: &Input,
    splits: &[Split],
) -> Result<(), Failure> {
    let leads = shared.is_led_here();
    let plan = leads.then(|| {
        Plan::read(RunDirectory::at(&shared.directory)).map_err(|failure| {
            let problem = failure.problem();
            format!(
                "{problem} (with --jobs the run directory must be on a disk that all ranks share)"
            )
        })
    });
    let plan = plan.transpose();
    agree(match &plan {
        Ok(_) => Ok(String::new()),
        Err(problem) => Err(problem.clone()),
    })?;
    match plan.ok().flatten() {
        Some(plan) => {
            let progress = Progress::silent(config.training.epochs, input.data.score);
            let work = Work {
                plan: &plan,
                input,
                splits,
                more_epochs: shared.more_epochs,
                progress: &progress,
                tensorboard: shared.tensorboard,
            };
            shared.lead(|own| work.in_turn(own))?;
        }
        None => {
            shared.follow(|| folds(config, input, splits))?;
        }
    }
    agree(Ok(String::new()))
}

/// One fold; gives the first order that is not about it.
fn one_fold(
    fold: usize,
    config: &LearnConfig,
    input: &Input,
    splits: &[Split],
) -> Result<Order, Failure> {
    let bytes = engine().broadcast(&[]);
    let count = splits.len();
    let trainer = splits
        .get(fold)
        .ok_or(TaskError::NoFold { fold, folds: count }.into())
        .and_then(|split| trainer(fold, config, input, split, &bytes));
    let agreed = agree(match &trainer {
        Ok(_) => Ok(String::new()),
        Err(failure) => Err(failure.problem()),
    });
    let (Ok(mut trainer), Ok(())) = (trainer, agreed) else {
        return next_order();
    };
    loop {
        match next_order()? {
            Order::Epoch => {
                let ended = trainer.advance();
                // Rank 0 has found the same and says it.
                if let Err(error) = ended.map(|_| ())
                    && !matches!(
                        error,
                        TaskError::Diverged { .. } | TaskError::Prediction { .. }
                    )
                {
                    return Err(Failure::Running(error.in_terms(&flag)));
                }
            }
            Order::Test => {
                if let Err(error) = trainer.finish().map(|_| ())
                    && !matches!(error, TaskError::Unfinished | TaskError::Prediction { .. })
                {
                    return Err(Failure::Running(error.in_terms(&flag)));
                }
            }
            other => return Ok(other),
        }
    }
}

/// The trainer of a fold: fresh, or from the bytes of a checkpoint.
fn trainer<'a>(
    fold: usize,
    config: &'a LearnConfig,
    input: &'a Input,
    split: &'a Split,
    checkpoint: &[u8],
) -> Result<FoldTrainer<'a>, Failure> {
    let trainer = match checkpoint {
        [] => FoldTrainer::new(&input.data, config, fold, split)?,
        bytes => {
            let (saved, _) = checkpoint_of_bytes(bytes, Path::new("the checkpoint of rank 0"))?;
            FoldTrainer::resume(&input.data, config, fold, split, saved)?
        }
    };
    Ok(trainer.among(engine()))
}
