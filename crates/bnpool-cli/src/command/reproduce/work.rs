//! Runs what is not finished yet, side by side.

use super::cell::{Run, Settings};
use super::count::count;
use super::data::Data;
use super::item::{PLOTS, Task};
use super::progress::Progress;
use super::record::Record;
use super::store::Store;
use crate::Program;
use crate::process::interrupt;
use crate::terminal::front::Silent;
use crate::terminal::message::Failure;
use bnpool_task::FailureKind;
use bnpool_task::learn::run::Folds;
use bnpool_task::run::{
    Place, Plan, Resumption, RunConfig, RunDirectory, RunState, Source, forget_peak,
};
use bnpool_task::{cluster, learn};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// How to go on after an interruption.
pub const AGAIN: &str = "the same command goes on";

/// All that the runs share.
pub struct Work<'a> {
    pub program: &'a Program,
    pub store: &'a Store,
    pub data: &'a Data,
    /// Runs side by side.
    pub jobs: usize,
    /// Threads of each.
    pub threads: usize,
    pub keep_runs: bool,
    pub progress: Progress,
}

impl Work<'_> {
    /// Runs everything that is left of `runs`, whose data are there. A run that
    /// fails leaves the others alone; the failures are returned.
    pub fn all(&self, runs: &[Run]) -> Result<Vec<String>, Failure> {
        let queue = Mutex::new(runs.iter());
        let failures: Mutex<Vec<String>> = Mutex::default();
        let end: Mutex<Option<Failure>> = Mutex::default();
        let worker = || {
            while lock(&end).is_none() {
                // The queue is free again before the run begins.
                let next = lock(&queue).next();
                let Some(run) = next else { return };
                match self.one(run) {
                    Ok(()) => {}
                    Err(failure) if failure.kind() == FailureKind::Running => {
                        let message = failure.to_string();
                        self.progress.say(&format!("note: {message}"));
                        lock(&failures).push(message);
                    }
                    Err(other) => {
                        lock(&end).get_or_insert(other);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.jobs {
                scope.spawn(worker);
            }
            worker();
        });
        let end = lock(&end).take();
        end.map_or_else(|| Ok(lock(&failures).clone()), Err)
    }

    fn one(&self, run: &Run) -> Result<(), Failure> {
        let data = self.data.fingerprint(run)?.unwrap_or_default();
        if let Some(known) = self.store.find(run) {
            if known.data != data {
                return Err(Failure::input(format!(
                    "{}: {} is the result of other data ({} there, {data} here); name another directory with --out",
                    self.store.root().display(),
                    run.words(),
                    known.data
                )));
            }
            self.progress.known();
            return Ok(());
        }
        if interrupt::is_asked() {
            return Err(interrupted());
        }
        let name = run.words();
        let directory = self.store.work(run);
        let started = Instant::now();
        self.progress.line(name.clone());
        let record = if run.task == Task::Count {
            Record::of(run, &data, count(&run.cell.dataset, self.data)?)
        } else {
            rayon::ThreadPoolBuilder::new()
                .num_threads(self.threads)
                .build()
                .map_err(|e| Failure::running(format!("threads could not be started: {e}")))?
                .install(|| self.train(run, &directory))
                .map_err(|failure| failure.within(&name))?;
            Record::collect(run, &data, &directory)?
        };
        self.store.keep(run, record, &directory)?;
        if !self.keep_runs {
            // Its results are recorded; leftover files do no harm.
            let _ = std::fs::remove_dir_all(&directory);
        }
        self.progress.done(&name, started);
        Ok(())
    }

    /// Runs a training to its end: from the start, or on from its checkpoint.
    fn train(&self, run: &Run, directory: &Path) -> Result<(), Failure> {
        // Runs side by side share one measurement.
        if self.jobs == 1 {
            forget_peak();
        }
        let context = self.program.context(&Silent);
        let folder = directory.join(PLOTS);
        let drawn = run.keep.iter().any(|file| file.starts_with(PLOTS));
        let plots = drawn.then_some(&*folder);
        let data_dir = self.data.folder();
        let finished = match &run.settings {
            Settings::Count => return Ok(()),
            Settings::Graph(config) => {
                let mut plan = plan(run.cell.graph(), (**config).clone(), directory)?;
                let wishes = cluster::run::Wishes {
                    plots,
                    data_dir,
                    ..Default::default()
                };
                !cluster::run::execute(&mut plan, &wishes, context, &mut ())?.unfinished
            }
            Settings::Graphs(config) => {
                let mut plan = plan(run.cell.graphs(), (**config).clone(), directory)?;
                let wishes = learn::run::Wishes {
                    folds: Some(Folds::of([run.cell.fold])),
                    jobs: 1,
                    plots,
                    data_dir,
                    ..Default::default()
                };
                let done = learn::run::execute(&mut plan, &wishes, context, |_| Box::new(()))?;
                done.is_some_and(|done| !done.metrics.is_unfinished())
            }
        };
        if finished && !interrupt::is_asked() {
            Ok(())
        } else {
            Err(interrupted())
        }
    }
}

/// The plan of a run in a directory of its own.
fn plan<C: RunConfig, S: Source>(source: S, config: C, out: &Path) -> Result<Plan<C, S>, Failure> {
    let directory = RunDirectory::at(out);
    let out = Some(out.to_owned());
    if directory.state()? != RunState::Free && directory.file("run.toml").exists() {
        let resumption = Resumption {
            out,
            ..Resumption::default()
        };
        return Plan::resume(&S::default(), &resumption, &Silent);
    }
    Ok(Plan::new(
        source,
        config,
        &Place {
            out,
            overwrite: true,
        },
    ))
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn interrupted() -> Failure {
    Failure::interrupted(format!("interrupted; finished runs are kept; {AGAIN}"))
}
