//! Runs what is not finished yet, side by side.

use super::cell::Run;
use super::count::count;
use super::data::Data;
use super::item::{PLOTS, Task};
use super::progress::Progress;
use super::record::Record;
use super::store::Store;
use crate::Program;
use crate::process::child::{self, Ended, Heard};
use crate::process::interrupt;
use crate::terminal::message::Failure;
use bnpool_task::FailureKind;
use bnpool_task::run::{Existing, RunDirectory, RunError, RunState};
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to go on after an interruption.
pub const AGAIN: &str = "the same command goes on";
/// Time between two looks at a directory that is in use.
const PATIENCE: Duration = Duration::from_millis(100);

/// All that the runs share.
pub struct Work<'a> {
    pub program: &'a Program,
    pub store: &'a Store,
    pub data: &'a Data,
    /// Runs side by side.
    pub jobs: usize,
    /// Threads of each; all by default.
    pub threads: Option<usize>,
    pub keep_runs: bool,
    pub progress: Progress,
}

impl Work<'_> {
    /// Runs everything that is left of `runs`, whose data are there. A run that
    /// fails leaves the others alone; the failures are returned.
    pub fn all(&self, runs: &[Run]) -> Result<Vec<String>, Failure> {
        // Signals wait for the processes under way.
        let running = interrupt::Training::begin();
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
        // A signal from now on ends the process at once.
        drop(running);
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
            self.process(run, &name, &directory)?;
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

    /// Runs a process to its end.
    fn process(&self, run: &Run, name: &str, directory: &Path) -> Result<(), Failure> {
        let there = RunDirectory::at(directory);
        // The process of a command that was killed ends by itself.
        while let Err(RunError::InUse { .. }) = there.check(Existing::Keep) {
            if interrupt::is_asked() {
                return Err(interrupted());
            }
            std::thread::sleep(PATIENCE);
        }
        let words = self.words(run, &there)?;
        let ended = child::run(self.program, name, &words, AGAIN, &mut |heard| {
            if let Heard::Progress(line) = heard {
                self.progress.line(format!("{name}: {line}"));
            }
        });
        match ended? {
            Ended::Interrupted => Err(interrupted()),
            Ended::Finished => Ok(()),
        }
    }

    /// The command of a run: from the start, or on from its checkpoint.
    fn words(&self, run: &Run, there: &RunDirectory) -> Result<Vec<OsString>, Failure> {
        let begun = there.state()? != RunState::Free && there.path().join("run.toml").exists();
        let mut words: Vec<OsString> = if begun {
            vec![run.task.command().into(), "--resume".into()]
        } else {
            let mut words = run.command();
            words.push("--overwrite".into());
            words
        };
        words.extend(["--out".into(), there.path().into()]);
        if run.keep.iter().any(|file| file.starts_with(PLOTS)) {
            words.extend(["--plots".into(), there.path().join(PLOTS).into()]);
        }
        if let Some(threads) = self.threads {
            words.extend(["--threads".into(), threads.to_string().into()]);
        }
        if let Some(folder) = self.data.folder() {
            words.extend(["--data-dir".into(), folder.into()]);
        }
        Ok(words)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn interrupted() -> Failure {
    Failure::interrupted(format!("interrupted; finished runs are kept; {AGAIN}"))
}
