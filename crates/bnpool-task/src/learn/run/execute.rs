//! Execution of a plan: reading, training, results.

use super::facts::Facts;
use super::follow::fingerprint;
use super::metrics::Metrics;
use super::output::{join_histories, write_best_model};
use super::source::Input;
use super::work::{Watch, Work};
use super::{Folds, Plan, predictions};
use crate::Failure;
use crate::front::Context;
use crate::learn::{FoldTrainer, Score};
use crate::ranks::Order;
use crate::run::{Entry, Source as _, write_metrics};
use bnpool::model::InputKind;
use std::path::Path;

/// Options that are not settings.
#[derive(Debug, Clone, Default)]
pub struct Wishes<'a> {
    /// Folds to train; all by default.
    pub folds: Option<Folds>,
    /// Number of folds to train in parallel.
    pub jobs: usize,
    /// Whether to write curves for TensorBoard.
    pub tensorboard: bool,
    /// Folder for plots.
    pub plots: Option<&'a Path>,
    /// Folder of the data sets.
    pub data_dir: Option<&'a Path>,
    /// Configuration file, which must not be overwritten by results.
    pub config: Option<&'a Path>,
}

/// Size of a training.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Number of folds to train.
    pub folds: usize,
    /// Maximum number of epochs per fold.
    pub epochs: usize,
    /// Metric.
    pub score: Score,
}

/// A completed training. Its files have been written.
pub struct Done {
    /// The graphs.
    pub input: Input,
    /// The content of `metrics.json`.
    pub metrics: Metrics,
}

/// Reads the data, trains and writes the results; `watch` creates the observer. Returns
/// `None` if the user stopped the training before its first checkpoint.
///
/// # Errors
///
/// Returns an error if the data or the settings are invalid, or a file cannot be
/// written. After a failed training, the last valid checkpoint remains.
pub fn execute<'w>(
    plan: &mut Plan,
    options: &Wishes<'_>,
    context: Context<'_>,
    watch: impl FnOnce(Extent) -> Box<dyn Watch + 'w>,
) -> Result<Option<Done>, Failure> {
    let (front, ranks) = (context.front, context.ranks);
    plan.check_directory(&[options.config])?;
    plan.check_plots(options.plots, options.config.as_slice())?;
    let stage = front.stage(&format!("reading {}", plan.source.name()));
    let input = plan
        .source
        .read(&plan.config, options.data_dir, context.terms)?;
    drop(stage);
    introduce(plan, &input, context);
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
    ranks.order(&Order::Train {
        config: Box::new(plan.config.clone()),
        source: Box::new(plan.source.absolute()),
    });
    ranks.agree(Ok(fingerprint(&input)))?;
    let words = format!(
        "preparing graphs for the pooler {}",
        plan.config.pooler.name
    );
    let stage = front.stage(&words);
    let input = input.prepared(&plan.config, &*ranks.engine())?;
    drop(stage);
    let facts = Facts {
        folds: chosen.clone(),
    };
    let sha256 = input.sha256.as_deref();
    let mut more_epochs = false;
    match plan.entry {
        Entry::New(existing) => {
            // Invalid settings are rejected before anything is written.
            let first = chosen.first().copied().unwrap_or(0);
            FoldTrainer::check_tested(&input.data, &plan.config, first, &splits[first])?;
            plan.facts = Some(facts.table()?);
            plan.create(existing, sha256, front)?;
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
            // That file marks a finished run.
            plan.directory.remove("metrics.json")?;
        }
    }
    let plan = &*plan;
    front.enter(plan.directory.path());
    let watch = watch(Extent {
        folds: chosen.len(),
        epochs: plan.config.training.epochs,
        score: input.data.score,
    });
    let work = Work {
        plan,
        input: &input,
        splits: &splits,
        more_epochs,
        watch: &*watch,
        tensorboard: options.tensorboard,
        context,
    };
    let finished = work.all(&chosen, options.jobs);
    watch.end();
    join_histories(plan, &chosen)?;
    let folds = finished?;
    let unfinished = folds.len() < chosen.len() || folds.iter().any(|fold| fold.unfinished);
    if folds.is_empty() {
        return Ok(None);
    }
    if front.is_stopped() {
        front.results_follow();
    }
    context.describe_bytes();
    write_best_model(plan, &folds, input.data.score.is_error())?;
    predictions::write(plan, &input, &folds)?;
    let metrics = Metrics::new(plan, &input, &folds).with_unfinished(unfinished);
    super::page::write(plan, &input, &folds, &metrics, options.plots, context.terms)?;
    write_metrics(&plan.directory, &metrics)?;
    Ok(Some(Done { input, metrics }))
}

/// Prints a description of the graphs and the decisions of the reader.
fn introduce(plan: &Plan, input: &Input, context: Context<'_>) {
    let front = context.front;
    let data = &input.data;
    let described = match data.input() {
        InputKind::Numbers { nodes: 1, edges: 0 } => "1 node feature".into(),
        InputKind::Numbers { nodes, edges: 0 } => format!("{nodes} node features"),
        InputKind::Numbers { nodes, edges } => {
            format!("{nodes} node and {edges} edge features")
        }
        InputKind::Molecule { .. } => "atoms and bonds".into(),
    };
    front.describe(&format!(
        "{}: {} graphs of {:.1} nodes on average, {described}; pooler {}, preset {}, seed {}",
        input.name,
        data.len(),
        data.mean_nodes(),
        plan.config.pooler.name,
        plan.config.preset.name(),
        plan.config.seed,
    ));
    context.describe_ranks();
    for note in &input.notes {
        front.describe(&format!("note: {note}"));
    }
    if let (there, missing @ 1..) = data.missing_targets() {
        front.describe(&format!(
            "note: {missing} of {} targets are missing; they count neither in training nor in the metric",
            there + missing
        ));
    }
    if plan.config.training.batch_size > data.len() {
        front.describe(&format!(
            "note: a batch of {} graphs is more than there are; every step sees all of them",
            plan.config.training.batch_size
        ));
    }
}
