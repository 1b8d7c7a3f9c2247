//! Ranks other than rank 0 in a training, which follow its instructions.

use super::Plan;
use super::fold::make;
use super::source::Input;
use super::work::{Shared, Work};
use crate::TaskError;
use crate::front::Context;
use crate::learn::LearnConfig;
use crate::ranks::Order;
use crate::run::RunDirectory;
use crate::{Failure, FailureKind};
use bnpool_graph::split::Split;
use std::path::Path;

/// Follows rank 0 until its end; returns the exit code that it sends.
///
/// # Errors
///
/// Returns an error if only this rank fails.
pub fn follow(data_dir: Option<&Path>, context: Context<'_>) -> Result<u8, Failure> {
    // Signals are handled by rank 0.
    let _training = context.front.training();
    loop {
        match context.ranks.next_order()? {
            Order::Train { config, source } => {
                let input = source.read(&config, data_dir, context.terms);
                let ready = input.and_then(|input| {
                    let splits = input.data.splits(&config)?;
                    Ok((input, splits))
                });
                let found = ready.as_ref().map(|(input, _)| fingerprint(input));
                let agreed = context.agree(&ready, found.unwrap_or_default());
                // Rank 0 receives and reports all errors.
                if let (Ok((input, splits)), Ok(())) = (ready, agreed)
                    && let Ok(input) = input.prepared(&config, &*context.ranks.engine())
                {
                    return folds(&config, &input, &splits, context);
                }
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// Returns a summary that must be equal on all ranks.
pub(super) fn fingerprint(input: &Input) -> String {
    let sha256 = input.sha256.as_deref().unwrap_or("none");
    format!("{sha256}, {} graphs", input.data.len())
}

/// Runs all folds.
fn folds(
    config: &LearnConfig,
    input: &Input,
    splits: &[Split],
    context: Context<'_>,
) -> Result<u8, Failure> {
    let mut order = context.ranks.next_order()?;
    loop {
        match order {
            Order::Fold { fold } => order = one_fold(fold, config, input, splits, context)?,
            Order::Groups(shared) => {
                in_group(&shared, config, input, splits, context)?;
                order = context.ranks.next_order()?;
            }
            Order::End { code } => return Ok(code),
            other => return Err(other.unexpected()),
        }
    }
}

/// Runs the folds of the own group, then returns to all ranks.
fn in_group(
    shared: &Shared,
    config: &LearnConfig,
    input: &Input,
    splits: &[Split],
    context: Context<'_>,
) -> Result<(), Failure> {
    let (group, number) = context.ranks.in_groups(shared.groups);
    let within = Context {
        ranks: &group,
        ..context
    };
    let plan = group.leads_group().then(|| {
        Plan::read(RunDirectory::at(&shared.directory)).map_err(|failure| {
            Failure::input(format!(
                "{} (groups of ranks need a run directory on a disk that all ranks share)",
                context.words(&failure)
            ))
        })
    });
    let plan = plan.transpose();
    context.agree(&plan, String::new())?;
    match plan.ok().flatten() {
        Some(plan) => {
            let work = Work {
                plan: &plan,
                input,
                splits,
                more_epochs: shared.more_epochs,
                watch: &(),
                tensorboard: shared.tensorboard,
                context: within,
            };
            work.lead_group(shared, number)?;
        }
        None => {
            folds(config, input, splits, within)?;
        }
    }
    context.agree(&Ok(()), String::new())
}

/// Runs one fold; returns the first order that does not belong to it.
fn one_fold(
    fold: usize,
    config: &LearnConfig,
    input: &Input,
    splits: &[Split],
    context: Context<'_>,
) -> Result<Order, Failure> {
    let ranks = context.ranks;
    let bytes = ranks.engine().broadcast(&[]);
    let from = Path::new("the checkpoint of rank 0");
    let count = splits.len();
    let trainer = splits
        .get(fold)
        .ok_or(TaskError::NoFold { fold, folds: count }.into())
        .and_then(|split| make(config, input, fold, split, (&bytes, from)));
    let agreed = context.agree(&trainer, String::new());
    let (Ok((trainer, _)), Ok(())) = (trainer, agreed) else {
        return ranks.next_order();
    };
    let mut trainer = trainer.among(ranks.engine());
    loop {
        match ranks.next_order()? {
            Order::Epoch => {
                let ended = trainer.advance();
                // Rank 0 has the same error and reports it.
                if let Err(error) = ended.map(|_| ())
                    && !matches!(
                        error,
                        TaskError::Diverged { .. } | TaskError::Prediction { .. }
                    )
                {
                    return Err(Failure::of(FailureKind::Running, &error));
                }
            }
            Order::Test => {
                if let Err(error) = trainer.finish().map(|_| ())
                    && !matches!(error, TaskError::Unfinished | TaskError::Prediction { .. })
                {
                    return Err(Failure::of(FailureKind::Running, &error));
                }
            }
            other => return Ok(other),
        }
    }
}
