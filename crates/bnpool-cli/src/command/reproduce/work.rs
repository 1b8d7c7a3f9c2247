//! Runs what is not finished yet, side by side and beside other workers.

use super::cell::Run;
use super::claim::Claim;
use super::count::count;
use super::item::Task;
use super::place::{Data, Place};
use super::progress::Progress;
use super::result::RunResult;
use crate::Program;
use crate::child::{self, Ended, Heard};
use crate::interrupt;
use crate::message::Failure;
use bnpool_task::FailureKind;
use bnpool_task::run::{Existing, RunDirectory, RunError, RunState};
use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks at runs of other workers.
const PATIENCE: Duration = Duration::from_millis(1000);

/// All that the runs share.
pub struct Work<'a> {
    pub program: &'a Program,
    pub place: &'a Place,
    pub data: &'a Data,
    /// Runs side by side.
    pub jobs: usize,
    /// Threads of each; all by default.
    pub threads: Option<usize>,
    pub keep_runs: bool,
    pub progress: &'a Progress,
    /// How to go on.
    pub again: &'a str,
}

/// What happened to a run.
enum Outcome {
    Done,
    /// Another worker has it.
    Busy,
    Interrupted,
}

impl Work<'_> {
    /// Runs everything that is left of `runs`, whose data are there. A run that
    /// fails leaves the others alone; the failures are returned.
    pub fn all(&self, runs: &[Run]) -> Result<Vec<String>, Failure> {
        // Signals wait for the processes under way.
        let running = interrupt::Training::begin();
        let waiting: Vec<AtomicBool> = runs.iter().map(|_| AtomicBool::new(true)).collect();
        let failures: Mutex<Vec<String>> = Mutex::default();
        let wrong: Mutex<Option<Failure>> = Mutex::default();
        let finished = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let worker = || {
            loop {
                let mut busy = false;
                for (run, waits) in runs.iter().zip(&waiting) {
                    if stop.load(Ordering::SeqCst) || interrupt::is_asked() {
                        return;
                    }
                    if !waits.swap(false, Ordering::SeqCst) {
                        continue;
                    }
                    match self.one(run) {
                        Ok(Outcome::Done) => {
                            finished.fetch_add(1, Ordering::SeqCst);
                        }
                        Ok(Outcome::Busy) => {
                            waits.store(true, Ordering::SeqCst);
                            busy = true;
                        }
                        Ok(Outcome::Interrupted) => return,
                        Err(failure) if failure.kind() == FailureKind::Running => {
                            let message = failure.to_string();
                            self.progress.failed(&message);
                            let mut failures =
                                failures.lock().unwrap_or_else(PoisonError::into_inner);
                            failures.push(message);
                        }
                        Err(other) => {
                            stop.store(true, Ordering::SeqCst);
                            let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                            wrong.get_or_insert(other);
                            return;
                        }
                    }
                }
                if !busy {
                    return;
                }
                self.progress.waits();
                std::thread::sleep(PATIENCE);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.jobs {
                scope.spawn(worker);
            }
            worker();
        });
        self.progress.end();
        // A signal from now on ends the process at once; one before is heard below.
        drop(running);
        if let Some(wrong) = wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(wrong);
        }
        let left = waiting.iter().any(|waits| waits.load(Ordering::SeqCst));
        if left || interrupt::is_asked() {
            return Err(Failure::interrupted(format!(
                "interrupted; {} of {} runs are finished and kept; {}",
                finished.into_inner(),
                runs.len(),
                self.again
            )));
        }
        Ok(failures
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner))
    }

    fn one(&self, run: &Run) -> Result<Outcome, Failure> {
        let data = self.data.fingerprint(&run.cell.dataset, run.cleaned)?;
        let data = data.as_deref().unwrap_or_default();
        if self.place.finished(run, Some(data))?.is_some() {
            self.progress.known();
            return Ok(Outcome::Done);
        }
        let Some(_claim) = Claim::take(&self.place.claims(), &run.id())? else {
            return Ok(Outcome::Busy);
        };
        // Another worker may have finished it before its claim was given back.
        if self.place.finished(run, Some(data))?.is_some() {
            self.progress.known();
            return Ok(Outcome::Done);
        }
        let directory = self.place.work().join(run.id());
        if run.task == Task::Count {
            let name = run.words();
            let started = self.progress.begin(&name);
            let counts = count(&run.cell.dataset, self.data)?;
            RunResult::of(run, data, counts).write(run, &directory, &self.place.results())?;
            self.progress.done(&name, started);
            return Ok(Outcome::Done);
        }
        // The process of a worker that was killed may live on, and end well.
        if let Err(RunError::InUse { .. }) = RunDirectory::at(&directory).check(Existing::Keep) {
            return Ok(Outcome::Busy);
        }
        let words = self.words(run, &directory)?;
        let name = run.words();
        let started = self.progress.begin(&name);
        let ended = child::run(
            self.program,
            &name,
            &words,
            "the same command goes on",
            &mut |heard| {
                if let Heard::Progress(line) = heard {
                    self.progress.line(&name, line);
                }
            },
        );
        match ended? {
            Ended::Interrupted => return Ok(Outcome::Interrupted),
            Ended::Finished => {}
        }
        let result = RunResult::collect(run, data, &directory)?;
        result.write(run, &directory, &self.place.results())?;
        if !self.keep_runs {
            // What it held is in the result; a rest does no harm.
            let _ = std::fs::remove_dir_all(&directory);
        }
        self.progress.done(&name, started);
        Ok(Outcome::Done)
    }

    /// The command of a run: from the start, or on from its checkpoint.
    fn words(&self, run: &Run, directory: &Path) -> Result<Vec<OsString>, Failure> {
        let there = RunDirectory::at(directory);
        let begun = there.state()? != RunState::Free && directory.join("run.toml").exists();
        let mut words: Vec<OsString> = if begun {
            vec![run.task.command().into(), "--resume".into()]
        } else {
            let mut words = run.command();
            words.push("--overwrite".into());
            words
        };
        words.extend(["--out".into(), directory.into()]);
        if let Some(threads) = self.threads {
            words.extend(["--threads".into(), threads.to_string().into()]);
        }
        if let Some(folder) = self.data.folder() {
            words.extend(["--data-dir".into(), folder.into()]);
        }
        Ok(words)
    }
}
