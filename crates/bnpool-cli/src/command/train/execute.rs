//! Carrying out a plan: fold after fold, or some side by side.

use super::fold::{FinishedFold, FoldSession};
use super::metrics::Metrics;
use super::output::{join_histories, write_best_model};
use super::progress::Progress;
use super::source::Input;
use super::{Folds, Options, Plan, facts, summary};
use crate::message::Failure;
use crate::plan::Entry;
use crate::run::{Interrupt, RunFlags};
use bnpool::model::InputKind;
use bnpool::task::TaskError;
use bnpool_graph::split::Split;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Trains, writes the results and prints them.
pub fn execute(plan: &mut Plan, flags: &RunFlags, options: &Options) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let input = plan.source.read(&plan.config, flags.data_dir.as_deref())?;
    if !flags.quiet {
        introduce(plan, &input);
    }
    let splits = input.data.splits(&plan.config)?;
    let chosen = match (&options.folds, &plan.entry) {
        (Some(folds), _) => folds.choose(splits.len())?,
        (None, Entry::Resume { .. }) => {
            Folds::Some(facts::read(plan.facts.as_ref())?.folds).choose(splits.len())?
        }
        (None, Entry::New(_)) => Folds::All.choose(splits.len())?,
    };
    match &plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let first = chosen.first().copied().unwrap_or(0);
            bnpool::task::learn::FoldTrainer::new(
                &input.data,
                &plan.config,
                first,
                &splits[first],
            )?;
            plan.facts = Some(facts::of(&input, &chosen)?);
            plan.directory.prepare(*existing)?;
            plan.directory
                .write_text("run.toml", &plan.to_toml(input.sha256.as_deref())?)?;
        }
        Entry::Resume { .. } => plan.check_data(input.sha256.as_deref())?,
    }
    let progress = Progress::new(
        chosen.len(),
        plan.config.training.epochs,
        input.data.score,
        flags.quiet,
    );
    let work = Work {
        plan,
        input: &input,
        splits: &splits,
        interrupt: &interrupt,
        progress: &progress,
        tensorboard: options.tensorboard,
    };
    let finished = work.all(&chosen, options.jobs);
    progress.clear();
    join_histories(plan, &chosen)?;
    let Some(folds) = finished? else {
        return Err(Failure::Interrupted(format!(
            "interrupted; go on with: bnpool train --resume --out {}",
            plan.directory.path().display()
        )));
    };
    write_best_model(plan, &folds, input.data.score.is_error())?;
    let metrics = Metrics::new(plan, &input, &folds);
    super::report::write(plan, &input, &folds, &metrics, options.plots.as_deref())?;
    plan.directory.write_json("metrics.json", &metrics)?;
    if flags.json {
        let text = serde_json::to_string_pretty(&metrics)
            .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
        say!("{text}");
    } else {
        summary::print(plan, &input, &metrics);
    }
    Ok(())
}

/// Says what is learned from, and what was decided without being asked.
fn introduce(plan: &Plan, input: &Input) {
    let data = &input.data;
    let described = match data.input() {
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

/// A finished fold; none when the user asked for the end.
type Outcome = Result<Option<FinishedFold>, Failure>;

/// All that the folds share.
struct Work<'a> {
    plan: &'a Plan,
    input: &'a Input,
    splits: &'a [Split],
    interrupt: &'a Interrupt,
    progress: &'a Progress,
    tensorboard: bool,
}

impl Work<'_> {
    /// Runs folds, `jobs` at a time; none when the user asked for the end. What
    /// a fold gives does not depend on the others, so neither does it on `jobs`.
    fn all(&self, folds: &[usize], jobs: usize) -> Result<Option<Vec<FinishedFold>>, Failure> {
        let jobs = jobs.clamp(1, folds.len().max(1));
        if jobs == 1 {
            let mut finished = Vec::with_capacity(folds.len());
            for &fold in folds {
                match self.one(fold)? {
                    Some(done) => finished.push(done),
                    None => return Ok(None),
                }
            }
            return Ok(Some(finished));
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
                        if !matches!(result, Ok(Some(_))) {
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
        results.into_iter().map(|result| result.1).collect()
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
        if let Some(done) = FinishedFold::read(self.plan, self.input, fold, split)? {
            self.progress.finished(&format!("fold {fold}: done before"));
            return Ok(Some(done));
        }
        let bar = self.progress.fold(fold, split.train.len());
        let session = FoldSession::begin(self.plan, self.input, fold, split, self.tensorboard)?;
        let done = session.run(self.interrupt, &bar)?;
        drop(bar);
        if let Some(done) = &done {
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
