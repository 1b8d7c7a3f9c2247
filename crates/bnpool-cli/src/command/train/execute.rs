//! Carrying out a plan: fold after fold, or some side by side.

use super::facts::Facts;
use super::fold::{FinishedFold, FoldSession};
use super::follow::fingerprint;
use super::metrics::Metrics;
use super::output::{join_histories, write_best_model};
use super::progress::Progress;
use super::source::Input;
use super::{Folds, Options, Plan, predictions, summary};
use crate::interrupt;
use crate::message::Failure;
use crate::plan::{Entry, Source as _};
use crate::ranks::{self, Order};
use crate::run::RunFlags;
use crate::stage::Stage;
use bnpool::model::InputKind;
use bnpool::task::TaskError;
use bnpool_graph::split::Split;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Trains, writes the results and prints them.
pub fn execute(plan: &mut Plan, flags: &RunFlags, options: &Options) -> Result<(), Failure> {
    plan.check_directory(flags)?;
    let stage = Stage::begin(format!("reading {}", plan.source.name()), flags.quiet);
    let input = plan.source.read(&plan.config, flags.data_dir.as_deref())?;
    drop(stage);
    if !flags.quiet {
        introduce(plan, &input);
    }
    let splits = input.data.splits(&plan.config)?;
    let chosen = match (&options.folds, &plan.entry) {
        (None, Entry::New(_)) => Folds::All.choose(splits.len())?,
        (Some(folds), Entry::New(_)) => folds.choose(splits.len())?,
        (asked, Entry::Resume { .. }) => {
            let own = Facts::read(plan.facts.as_ref())?.folds;
            let more = asked
                .as_ref()
                .map_or(Ok(Vec::new()), |f| f.choose(splits.len()))?;
            Folds::of(own.into_iter().chain(more)).choose(splits.len())?
        }
    };
    ranks::order(&Order::Train {
        config: Box::new(plan.config.clone()),
        source: Box::new(plan.source.absolute()),
    });
    ranks::agree(Ok(fingerprint(&input)))?;
    let facts = Facts {
        folds: chosen.clone(),
    };
    let sha256 = input.sha256.as_deref();
    let mut more_epochs = false;
    match plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let first = chosen.first().copied().unwrap_or(0);
            bnpool::task::learn::FoldTrainer::new(
                &input.data,
                &plan.config,
                first,
                &splits[first],
            )?;
            plan.facts = Some(facts.table()?);
            plan.create(existing, sha256)?;
        }
        Entry::Resume {
            more_epochs: more, ..
        } => {
            plan.check_data(sha256)?;
            more_epochs = more;
            if more || options.folds.is_some() {
                plan.facts = Some(facts.table()?);
                plan.write(sha256)?;
            }
            // It says that all is there.
            plan.directory.remove("metrics.json")?;
        }
    }
    let plan = &*plan;
    let resume = format!(
        "go on with: bnpool train --resume --out {}",
        plan.directory.path().display()
    );
    interrupt::say_at_end(format!("interrupted; {resume}"));
    let progress = Progress::new(
        chosen.len(),
        plan.config.training.epochs,
        input.data.score,
        flags,
    );
    let work = Work {
        plan,
        input: &input,
        splits: &splits,
        more_epochs,
        progress: &progress,
        tensorboard: options.tensorboard,
    };
    let finished = work.all(&chosen, options.jobs);
    progress.clear();
    join_histories(plan, &chosen)?;
    let folds = finished?;
    let unfinished = folds.len() < chosen.len() || folds.iter().any(|fold| fold.unfinished);
    if folds.is_empty() {
        return Err(Failure::Interrupted(format!("interrupted; {resume}")));
    }
    let asked = interrupt::is_asked();
    if asked {
        interrupt::tell_results_follow();
    }
    if !flags.quiet {
        ranks::tell_bytes();
    }
    write_best_model(plan, &folds, input.data.score.is_error())?;
    predictions::write(plan, &input, &folds)?;
    let metrics = Metrics::new(plan, &input, &folds).with_unfinished(unfinished);
    super::report::write(plan, &input, &folds, &metrics, options.plots.as_deref())?;
    plan.directory.write_json("metrics.json", &metrics)?;
    if unfinished {
        return Err(Failure::Interrupted(format!(
            "interrupted; what was learned so far is in {}, marked as unfinished; {resume}",
            plan.directory.path().display()
        )));
    }
    if flags.json {
        let text = serde_json::to_string_pretty(&metrics)
            .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
        say!("{text}");
    } else {
        summary::print(plan, &input, &metrics);
    }
    match asked {
        true => Err(interrupt::at_the_end(plan.directory.path())),
        false => Ok(()),
    }
}

/// Says what is learned from, and what was decided without being asked.
fn introduce(plan: &Plan, input: &Input) {
    let data = &input.data;
    let described = match data.input() {
        InputKind::Numbers { nodes: 1, edges: 0 } => "1 node feature".into(),
        InputKind::Numbers { nodes, edges: 0 } => format!("{nodes} node features"),
        InputKind::Numbers { nodes, edges } => {
            format!("{nodes} node and {edges} edge features")
        }
        InputKind::Molecule { .. } => "atoms and bonds".into(),
    };
    tell!(
        "{}: {} graphs of {:.1} nodes on average, {described}; pooler {}, preset {}, seed {}",
        input.name,
        data.len(),
        data.mean_nodes(),
        plan.config.pooler.name,
        plan.config.preset.name(),
        plan.config.seed,
    );
    ranks::tell_size();
    for note in &input.notes {
        tell!("note: {note}");
    }
    if let (there, missing @ 1..) = data.missing_targets() {
        tell!(
            "note: {missing} of {} targets are missing; they count neither in training nor in the metric",
            there + missing
        );
    }
    if plan.config.training.batch_size > data.len() {
        tell!(
            "note: a batch of {} graphs is more than there are; every step sees all of them",
            plan.config.training.batch_size
        );
    }
}

/// A fold; none when the user asked for the end before its first epoch.
type Outcome = Result<Option<FinishedFold>, Failure>;

/// All that the folds share.
struct Work<'a> {
    plan: &'a Plan,
    input: &'a Input,
    splits: &'a [Split],
    /// Folds that ended at the most epochs go on: there are more now.
    more_epochs: bool,
    progress: &'a Progress,
    tensorboard: bool,
}

impl Work<'_> {
    /// Runs folds, `jobs` at a time; fewer when the user asked for the end. What
    /// a fold gives does not depend on the others, so neither does it on `jobs`.
    fn all(&self, folds: &[usize], jobs: usize) -> Result<Vec<FinishedFold>, Failure> {
        let jobs = jobs.clamp(1, folds.len().max(1));
        if jobs == 1 {
            let mut finished = Vec::with_capacity(folds.len());
            for &fold in folds {
                finished.extend(self.one(fold)?);
                if interrupt::is_asked() {
                    break;
                }
            }
            return Ok(finished);
        }
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
        let folds = self.splits.len();
        let split = self
            .splits
            .get(fold)
            .ok_or(TaskError::NoFold { fold, folds })?;
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
        if let Some(done) = &done
            && !done.unfinished
        {
            let score = self.input.data.score;
            self.progress.finished(&format!(
                "fold {fold}: {} {} on test graphs after {} epochs",
                score.name(),
                summary::shown(score, done.result.test),
                done.result.epochs
            ));
        }
        Ok(done)
    }
}
