//! Comparison of poolers on the same data, settings, and folds or seeds.
//!
//! Poolers run one after another. Each run has a directory of its own within that of the
//! comparison, as the task alone would write it; finished runs of the same data and
//! settings are kept. All directories are checked before anything is written. The numbers
//! of the table are those of `metrics.json` of the runs, except differences and the size
//! of graphs that are not pooled.
//!
//! The peak memory is that of the process during a run. Where the system cannot begin a
//! new measurement, it includes the runs before.

mod graph;
mod graphs;
mod outcome;
mod plan;

pub use outcome::{Outcome, Row, csv, digits};
pub use plan::{Comparison, check_state};

use crate::Failure;
use crate::cluster;
use crate::failure::Terms;
use crate::front::{Context, Front, Guard};
use crate::learn::run::{Extent, Folds};
use crate::run::{Plan, RunConfig, Source, forget_peak};
use bnpool::pool::PoolTraits;
use outcome::Results;
use plan::{Job, Left};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Options that are not settings.
#[derive(Debug, Clone, Default)]
pub struct Wishes<'a> {
    /// Folds of many graphs; all by default.
    pub folds: Option<Folds>,
    /// Number of folds to train in parallel.
    pub jobs: usize,
    /// Whether to replace existing runs.
    pub overwrite: bool,
    /// Folder of the data sets.
    pub data_dir: Option<&'a Path>,
    /// Configuration file, which must not be overwritten by results.
    pub config: Option<&'a Path>,
}

/// Observer of a comparison. A run is named by its pooler, seed and number.
pub trait Watch {
    /// Called for a run that was finished before.
    fn known(&self, _run: &str) {}

    /// Called at the start of a run.
    fn begin(&self, _run: &str, _resumed: bool) {}

    /// Called at the end of a run.
    fn finished(&self, _run: &str, _seconds: f64) {}

    /// Returns the observer of a run on one graph.
    fn cluster(&self) -> Box<dyn cluster::run::Watch + '_> {
        Box::new(())
    }

    /// Returns the observer of a run on many graphs.
    fn train(&self, _extent: Extent) -> Box<dyn crate::learn::run::Watch + '_> {
        Box::new(())
    }
}

/// No observer.
impl Watch for () {}

/// Data on which poolers can be compared: one graph, or many.
pub trait Subject: Source + Send + Sync {
    /// Settings of a run.
    type Config: RunConfig + Clone + Send + Sync;
    /// Data that were read.
    type Input;
    /// Name of a comparison in `run.toml`.
    const COMPARISON: &'static str;
    /// Poolers that can be compared, in words.
    const ABLE: &'static str;

    /// Returns whether a pooler can be used.
    fn is_able(pooler: &PoolTraits) -> bool;

    /// Reads the data.
    ///
    /// # Errors
    ///
    /// Returns an error if they cannot be read.
    fn read_all(
        &self,
        config: &Self::Config,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Self::Input, Failure>;

    /// Returns the checksum of the files.
    fn sha256(input: &Self::Input) -> Option<&str>;

    /// Returns the chosen folds; none for one graph.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such fold.
    fn folds(
        input: &Self::Input,
        config: &Self::Config,
        chosen: Option<&Folds>,
    ) -> Result<Vec<usize>, Failure>;

    /// Describes the data in one line.
    fn describe(input: &Self::Input, config: &Self::Config, folds: &[usize]) -> String;

    /// Runs a pooler; returns whether it came to its end.
    ///
    /// # Errors
    ///
    /// As the run of the task.
    fn run(
        plan: &mut Plan<Self::Config, Self>,
        folds: &[usize],
        wishes: &Wishes<'_>,
        context: Context<'_>,
        watch: &dyn Watch,
    ) -> Result<bool, Failure>;

    #[doc(hidden)]
    fn results<'a>(
        comparison: &Comparison<Self>,
        input: &'a Self::Input,
        folds: &[usize],
        jobs: &[Job],
        terms: Terms,
    ) -> Result<Results<'a>, Failure>;
}

/// Compares poolers: runs those that have not been run, and writes `compare.csv`,
/// `compare.html` and `compare.json`.
///
/// # Errors
///
/// Returns an error if the directory holds other runs, or a run fails; its message begins
/// with the name of the pooler. Finished runs are kept.
///
/// ```
/// use bnpool_task::cluster::run::{GraphSource, base};
/// use bnpool_task::compare::{Comparison, Wishes};
/// use bnpool_task::{Context, Preset, front::Silent, ranks::Ranks};
///
/// let folder = tempfile::tempdir()?;
/// // The built-in graph.
/// let source = GraphSource::default();
/// let mut config = base(Preset::Default, &source);
/// config.training.epochs = 3; // enough for this example
/// let poolers = ["mincut", "leiden"].map(bnpool::pool::find_pooler);
/// let poolers = poolers.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let comparison = Comparison::new(source, config, poolers, folder.path().join("both"));
/// let context = Context { front: &Silent, terms: |_| None, ranks: &Ranks::alone() };
/// let outcome = bnpool_task::compare(comparison, &Wishes::default(), context, &())?;
/// assert_eq!(outcome.poolers.len(), 2);
/// assert!(outcome.poolers[1].get("modularity") > Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn compare<S: Subject>(
    mut comparison: Comparison<S>,
    wishes: &Wishes<'_>,
    context: Context<'_>,
    watch: &dyn Watch,
) -> Result<Outcome, Failure> {
    let front = context.front;
    comparison.check(wishes)?;
    let stage = front.stage(&format!("reading {}", comparison.source.name()));
    let (source, config) = (&comparison.source, &comparison.config);
    let input = source.read_all(config, wishes.data_dir, context.terms)?;
    drop(stage);
    let chosen = wishes.folds.as_ref().or(comparison.folds.as_ref());
    let folds = S::folds(&input, config, chosen)?;
    let sha256 = S::sha256(&input);
    let jobs = comparison.jobs(&folds, sha256, wishes.overwrite)?;
    comparison.introduce(&S::describe(&input, config, &folds), front);
    comparison.enter(&folds, sha256)?;
    front.enter(comparison.directory.path());
    let quiet = OneRun {
        front,
        notes: Mutex::default(),
    };
    let within = Context {
        front: &quiet,
        ..context
    };
    for (place, job) in jobs.iter().enumerate() {
        let name = format!("{} ({} of {})", job.name, place + 1, jobs.len());
        if job.left == Left::Nothing {
            watch.known(&name);
            continue;
        }
        watch.begin(&name, job.left == Left::Rest);
        let started = Instant::now();
        forget_peak();
        let ended = !front.is_stopped() && {
            let mut plan = comparison.plan(job, wishes, &quiet)?;
            S::run(&mut plan, &folds, wishes, within, watch).map_err(|f| f.within(&job.name))?
        };
        if !ended {
            return Err(interrupted(place, jobs.len()));
        }
        watch.finished(&name, started.elapsed().as_secs_f64());
    }
    if front.is_stopped() {
        return Err(interrupted(jobs.len(), jobs.len()));
    }
    let _stage = front.stage("drawing the page");
    let results = S::results(&comparison, &input, &folds, &jobs, context.terms)?;
    Outcome::write(&comparison, results)
}

fn interrupted(finished: usize, runs: usize) -> Failure {
    Failure::interrupted(format!(
        "interrupted; {finished} of {runs} runs are finished and kept"
    ))
}

/// Front end of a run within a comparison: poolers share their data and thus most notes,
/// which appear once.
struct OneRun<'a> {
    front: &'a dyn Front,
    notes: Mutex<BTreeSet<String>>,
}

impl Front for OneRun<'_> {
    fn note(&self, line: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.insert(line.to_owned()) {
            self.front.describe(&format!("note: {line}"));
        }
    }

    fn describe(&self, line: &str) {
        if let Some(note) = line.strip_prefix("note: ") {
            self.note(note);
        }
    }

    fn training(&self) -> Guard {
        self.front.training()
    }

    fn is_stopped(&self) -> bool {
        self.front.is_stopped()
    }
}

/// Returns numbers separated by commas.
fn list<T: ToString>(numbers: &[T]) -> String {
    let words: Vec<String> = numbers.iter().map(T::to_string).collect();
    words.join(",")
}
