//! Training of the folds of a plan, sequentially or in parallel.

use super::Plan;
use super::fold::{FinishedFold, FoldSession};
use super::source::Input;
use crate::front::Context;
use crate::learn::LearnEpoch;
use crate::ranks::Order;
use crate::{Failure, TaskError};
use bnpool_graph::split::Split;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Result of a fold; `None` if the user stopped it before its first epoch.
type Outcome = Result<Option<FinishedFold>, Failure>;

/// Observer of the folds, which may run in parallel.
pub trait Watch: Sync {
    /// Called at the start of a fold, with its number of training graphs.
    fn fold(&self, _fold: usize, _graphs: usize) -> Box<dyn WatchFold> {
        Box::new(())
    }

    /// Called at the end of a fold.
    fn finished(&self, _fold: &FinishedFold) {}

    /// Called for a fold that was finished by an earlier process.
    fn done_before(&self, _fold: usize) {}

    /// Called at the end of the training.
    fn end(&self) {}
}

/// Observer of one fold.
pub trait WatchFold {
    /// Called after each epoch.
    fn epoch(&self, _epoch: &LearnEpoch) {}
}

/// No observer.
impl Watch for () {}

/// No observer.
impl WatchFold for () {}

/// Data shared by the folds.
pub(super) struct Work<'a> {
    pub(super) plan: &'a Plan,
    pub(super) input: &'a Input,
    pub(super) splits: &'a [Split],
    /// Whether folds that ended at the maximum number of epochs continue,
    /// because the maximum was raised.
    pub(super) more_epochs: bool,
    pub(super) watch: &'a dyn Watch,
    pub(super) tensorboard: bool,
    pub(super) context: Context<'a>,
}

impl Work<'_> {
    /// Runs folds, `jobs` at a time. Returns fewer if the user stops the work. The
    /// result of a fold does not depend on the others, and thus not on `jobs`.
    pub(super) fn all(&self, folds: &[usize], jobs: usize) -> Result<Vec<FinishedFold>, Failure> {
        match jobs.clamp(1, folds.len().max(1)) {
            1 => self.in_turn(folds),
            jobs if self.context.ranks.several() => self.in_groups(folds, jobs),
            jobs => self.side_by_side(folds, jobs),
        }
    }

    /// Runs folds one after another.
    fn in_turn(&self, folds: &[usize]) -> Result<Vec<FinishedFold>, Failure> {
        let mut finished = Vec::with_capacity(folds.len());
        for &fold in folds {
            finished.extend(self.one(fold)?);
            if self.context.front.is_stopped() {
                break;
            }
        }
        Ok(finished)
    }

    /// Runs folds on groups of ranks. The first rank of a group writes the files of its
    /// folds. The results of other groups are read from these files.
    fn in_groups(&self, folds: &[usize], groups: usize) -> Result<Vec<FinishedFold>, Failure> {
        let shared = Shared {
            directory: self.plan.directory.path().canonicalize().map_err(|e| {
                let path = self.plan.directory.path().display();
                Failure::running(format!("{path}: cannot be found any more: {e}"))
            })?,
            folds: folds.to_vec(),
            groups,
            more_epochs: self.more_epochs,
            tensorboard: self.tensorboard,
        };
        let context = self.context;
        context
            .ranks
            .order(&Order::Groups(Box::new(shared.clone())));
        context.agree(&Ok(()), String::new())?;
        let (group, number) = context.ranks.in_groups(groups);
        let within = Work {
            context: Context {
                ranks: &group,
                ..context
            },
            ..*self
        };
        // The other ranks accept no order until their folds are done.
        let own = within
            .lead_group(&shared, number)
            .unwrap_or_else(|failure| context.end_all_ranks(&failure));
        context.agree(&Ok(()), String::new())?;
        let mut own = own.into_iter().peekable();
        let mut finished = Vec::with_capacity(folds.len());
        for &fold in folds {
            let found = match own.next_if(|own| own.result.fold == fold) {
                Some(own) => Some(own),
                None => FinishedFold::so_far(self.plan, self.input, fold, self.split(fold)?)?
                    .inspect(|other| self.tell(other)),
            };
            finished.extend(found);
        }
        Ok(finished)
    }

    /// Runs the folds of the group of ranks that is led by this one.
    pub(super) fn lead_group(
        &self,
        shared: &Shared,
        number: usize,
    ) -> Result<Vec<FinishedFold>, Failure> {
        let folds = shared.folds.iter().skip(number).step_by(shared.groups);
        let done = self.in_turn(&folds.copied().collect::<Vec<_>>());
        self.context.ranks.order(&Order::End { code: 0 });
        done
    }

    /// Runs folds on separate threads.
    fn side_by_side(&self, folds: &[usize], jobs: usize) -> Result<Vec<FinishedFold>, Failure> {
        let threads = (rayon::current_num_threads() / jobs).max(1);
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let results: Mutex<Vec<(usize, Outcome)>> = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    while !failed.load(Ordering::SeqCst) {
                        let place = next.fetch_add(1, Ordering::SeqCst);
                        let Some(&fold) = folds.get(place) else {
                            break;
                        };
                        let result = self.on_own_threads(fold, threads);
                        if result.is_err() || self.context.front.is_stopped() {
                            failed.store(true, Ordering::SeqCst);
                        }
                        if let Ok(mut results) = results.lock() {
                            results.push((place, result));
                        }
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_by_key(|result| result.0);
        let outcomes = results.into_iter().map(|result| result.1);
        Ok(outcomes
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .flatten()
            .collect())
    }

    fn on_own_threads(&self, fold: usize, threads: usize) -> Outcome {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|e| Failure::running(format!("threads could not be started: {e}")))?
            .install(|| self.one(fold))
    }

    fn one(&self, fold: usize) -> Outcome {
        let split = self.split(fold)?;
        let done = FinishedFold::read(self.plan, self.input, fold, split)?;
        let goes_on = |done: &FinishedFold| {
            self.more_epochs && done.result.epochs < self.plan.config.training.epochs
        };
        if let Some(done) = done.filter(|done| !goes_on(done)) {
            self.watch.done_before(fold);
            return Ok(Some(done));
        }
        let watch = self.watch.fold(fold, split.train.len());
        let session = FoldSession::begin(
            self.plan,
            self.input,
            (fold, split),
            self.tensorboard,
            self.context,
        )?;
        let done = session.run(&*watch)?;
        drop(watch);
        if let Some(done) = &done {
            self.tell(done);
        }
        Ok(done)
    }

    fn split(&self, fold: usize) -> Result<&Split, TaskError> {
        let folds = self.splits.len();
        self.splits
            .get(fold)
            .ok_or(TaskError::NoFold { fold, folds })
    }

    fn tell(&self, done: &FinishedFold) {
        if !done.unfinished {
            self.watch.finished(done);
        }
    }
}

/// Folds that are distributed over groups of ranks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shared {
    /// Run directory, which must be accessible to the first rank of each group.
    pub(super) directory: PathBuf,
    folds: Vec<usize>,
    pub(super) groups: usize,
    pub(super) more_epochs: bool,
    pub(super) tensorboard: bool,
}
