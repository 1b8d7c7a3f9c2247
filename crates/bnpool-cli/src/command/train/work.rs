//! The folds of a plan: one after the other, or some side by side.

use super::fold::{FinishedFold, FoldSession};
use super::progress::Progress;
use super::source::Input;
use super::{Plan, summary};
use crate::interrupt;
use crate::message::Failure;
use crate::ranks::{self, Order};
use bnpool_graph::split::Split;
use bnpool_task::TaskError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// A fold; none when the user asked for the end before its first epoch.
type Outcome = Result<Option<FinishedFold>, Failure>;

/// All that the folds share.
pub struct Work<'a> {
    pub plan: &'a Plan,
    pub input: &'a Input,
    pub splits: &'a [Split],
    /// Folds that ended at the most epochs go on: there are more now.
    pub more_epochs: bool,
    pub progress: &'a Progress,
    pub tensorboard: bool,
}

impl Work<'_> {
    /// Runs folds, `jobs` at a time; fewer when the user asked for the end. What
    /// a fold gives does not depend on the others, so neither does it on `jobs`.
    pub fn all(&self, folds: &[usize], jobs: usize) -> Result<Vec<FinishedFold>, Failure> {
        match jobs.clamp(1, folds.len().max(1)) {
            1 => self.in_turn(folds),
            jobs if ranks::several() => self.in_groups(folds, jobs),
            jobs => self.side_by_side(folds, jobs),
        }
    }

    /// One fold after the other.
    pub fn in_turn(&self, folds: &[usize]) -> Result<Vec<FinishedFold>, Failure> {
        let mut finished = Vec::with_capacity(folds.len());
        for &fold in folds {
            finished.extend(self.one(fold)?);
            if interrupt::is_asked() {
                break;
            }
        }
        Ok(finished)
    }

    /// Folds by groups of ranks. The first rank of a group writes the files of its
    /// folds, and what others found is read from there.
    fn in_groups(&self, folds: &[usize], groups: usize) -> Result<Vec<FinishedFold>, Failure> {
        let shared = Shared {
            directory: self.plan.directory.path().canonicalize().map_err(|e| {
                let path = self.plan.directory.path().display();
                Failure::Running(format!("{path}: cannot be found any more: {e}"))
            })?,
            folds: folds.to_vec(),
            groups,
            more_epochs: self.more_epochs,
            tensorboard: self.tensorboard,
        };
        ranks::order(&Order::Groups(Box::new(shared.clone())));
        ranks::agree(Ok(String::new()))?;
        // The others are at work and hear of nothing else until they are done.
        let own = shared
            .lead(|folds| self.in_turn(folds))
            .unwrap_or_else(|failure| failure.end_all_ranks());
        ranks::agree(Ok(String::new()))?;
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

    /// Folds on threads of their own.
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
                        if result.is_err() || interrupt::is_asked() {
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
            .map_err(|e| Failure::Running(format!("threads could not be started: {e}")))?
            .install(|| self.one(fold))
    }

    fn one(&self, fold: usize) -> Outcome {
        let split = self.split(fold)?;
        let done = FinishedFold::read(self.plan, self.input, fold, split)?;
        let goes_on = |done: &FinishedFold| {
            self.more_epochs && done.result.epochs < self.plan.config.training.epochs
        };
        if let Some(done) = done.filter(|done| !goes_on(done)) {
            self.progress.finished(&format!("fold {fold}: done before"));
            return Ok(Some(done));
        }
        let bar = self.progress.fold(fold, split.train.len());
        let session = FoldSession::begin(self.plan, self.input, fold, split, self.tensorboard)?;
        let done = session.run(&bar)?;
        drop(bar);
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

    /// Says what came of a fold.
    fn tell(&self, done: &FinishedFold) {
        if done.unfinished {
            return;
        }
        let score = self.input.data.score;
        self.progress.finished(&format!(
            "fold {}: {} {} on test graphs after {} epochs",
            done.result.fold,
            score.name(),
            summary::shown(score, done.result.test),
            done.result.epochs
        ));
    }
}

/// Folds that are shared out among groups of ranks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Shared {
    /// The run directory, which the first rank of every group must see.
    pub directory: PathBuf,
    folds: Vec<usize>,
    groups: usize,
    pub more_epochs: bool,
    pub tensorboard: bool,
}

impl Shared {
    /// Whether this rank is the first of a group.
    pub fn is_led_here(&self) -> bool {
        ranks::in_groups(self.groups, |_| ranks::leads_group())
    }

    /// Leads the own group: `work` gets the numbers of its folds.
    pub fn lead<R>(&self, work: impl FnOnce(&[usize]) -> R) -> R {
        ranks::in_groups(self.groups, |group| {
            let folds = self.folds.iter().skip(group).step_by(self.groups);
            let done = work(&folds.copied().collect::<Vec<_>>());
            ranks::order(&Order::End { code: 0 });
            done
        })
    }

    /// Follows the first rank of the own group by `work`.
    pub fn follow<R>(&self, work: impl FnOnce() -> R) -> R {
        ranks::in_groups(self.groups, |_| work())
    }
}
