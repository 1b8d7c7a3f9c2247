//! Execution of a plan: search, training with checkpoints, and results.

use super::Plan;
use super::kept;
use super::metrics::Metrics;
use super::output::{Finished, write_report, write_results};
use super::parts;
use super::previous::{PREVIOUS, Previous};
use super::source::Input;
use crate::Failure;
use crate::cluster::{
    Changes, ClusterState, Communities, Epoch, SearchProgress, SearchStage, Trainer, WarmStart,
};
use crate::failure::Terms;
use crate::front::{Context, Front, Stages, advice};
use crate::ranks::Order;
use crate::run::{
    Checkpoint, Clock, Ended, Entry, Session, Source as _, read_bytes, read_checkpoint,
};
use bnpool::Device;
use bnpool::pool::{Reconstruction, find_pooler};
use std::ops::ControlFlow;
use std::path::Path;

/// File of the result of the search.
const SEARCH: &str = "search.json";

/// File of the checkpoint.
pub(super) const CHECKPOINT: &str = "checkpoint.safetensors";

/// Options that are not settings.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wishes<'a> {
    /// Run on an older version of the graph.
    pub from: Option<&'a Path>,
    /// Folder for plots.
    pub plots: Option<&'a Path>,
    /// Memory limit for a graph in parts, in bytes.
    pub memory: Option<u64>,
    /// Folder of the data sets.
    pub data_dir: Option<&'a Path>,
    /// Configuration file, which must not be overwritten by results.
    pub config: Option<&'a Path>,
}

/// Observer of the training.
pub trait Watch {
    /// Called at the start of the training.
    fn begin(&mut self, _trainer: &Trainer) {}

    /// Called after each epoch.
    fn epoch(&mut self, _trainer: &Trainer, _epoch: &Epoch) {}

    /// Called at the end of the training.
    fn end(&mut self) {}
}

/// No observer.
impl Watch for () {}

/// A completed run. Its files have been written.
pub struct Done {
    /// The graph.
    pub input: Input,
    /// The communities.
    pub result: Communities,
    /// The content of `metrics.json`.
    pub metrics: Metrics,
    /// Whether the user stopped the training early.
    pub unfinished: bool,
}

/// Communities of a run on an older version of the graph.
pub struct Before {
    pub(super) run: Previous,
    /// Old community of each node of the new version, if any.
    communities: Vec<Option<u32>>,
}

impl Before {
    /// Matches the communities of an older run with the nodes of a graph.
    ///
    /// # Errors
    ///
    /// As [`Previous::on`].
    pub(super) fn new(run: Previous, input: &Input) -> Result<Self, Failure> {
        let nodes = run.on(&input.graph)?;
        Ok(Self {
            communities: nodes.iter().map(|node| node.map(|n| n.0)).collect(),
            run,
        })
    }

    /// Returns the communities that the run of a plan started from.
    fn of_plan(plan: &Plan, input: &Input) -> Result<Option<Self>, Failure> {
        let run = Previous::of_plan(plan)?;
        run.map(|run| Self::new(run, input)).transpose()
    }

    /// Returns the changes since the older version.
    #[must_use]
    pub fn changes(&self, result: &Communities) -> Changes {
        Changes::between(&self.communities, &result.labels, &self.run.sizes)
    }
}

/// Reads the data, searches for groups, trains the network and writes the
/// results.
///
/// # Errors
///
/// Returns an error if the data or the settings are invalid, or a file cannot be
/// written. After a failed training, the last valid checkpoint remains.
pub fn execute(
    plan: &mut Plan,
    wishes: &Wishes<'_>,
    context: Context<'_>,
    watch: &mut dyn Watch,
) -> Result<Done, Failure> {
    let Wishes {
        from,
        plots,
        memory,
        data_dir,
        config,
    } = *wishes;
    let (front, terms) = (context.front, context.terms);
    if from.is_some() && !plan.config.looks_for_groups() {
        return Err(Failure::input(format!(
            "communities of an older run are a start of the search by evidence, which the pooler {} with the preset {} does not make; leave them out, or use the pooler bn with the preset default",
            plan.config.pooler.name,
            plan.config.preset.name()
        )));
    }
    let previous = from.map(Previous::of_run).transpose()?;
    plan.check_directory(&[config, from])?;
    plan.check_plots(plots, config.as_slice())?;
    let clock = Clock::start("reading");
    let stage = front.stage(&format!("reading {}", plan.source.name()));
    let in_parts = match &previous {
        None => plan.source.open_parts(&plan.config, memory)?,
        Some(_) => None,
    };
    let input = match in_parts {
        Some(input) => input,
        None => plan.source.read(data_dir, terms)?,
    };
    drop(stage);
    introduce(plan, &input, context);
    let before = match (previous, &plan.entry) {
        (Some(run), _) => Some(Before::new(run, &input)?),
        (None, Entry::New(_)) => None,
        (None, Entry::Resume { .. }) => Before::of_plan(plan, &input)?,
    };
    clock.enter("starts");
    let mut session = begin(plan, &input, before.as_ref(), memory, &clock, context)?;
    clock.enter("network");
    let plan = &*plan;
    front.enter(plan.directory.path());
    let trainer = session.trainer();
    if matches!(plan.entry, Entry::Resume { .. }) {
        front.describe(&format!("going on after {} epochs", trainer.epochs()));
    }
    note_end(plan, trainer, front);
    watch.begin(trainer);
    let ended = session.train(|trainer, epoch| {
        watch.epoch(trainer, epoch);
        Ok(())
    });
    watch.end();
    let seconds = session.seconds();
    let unfinished = ended? == Ended::Interrupted;
    if front.is_stopped() {
        front.results_follow();
    }
    clock.enter("confidence");
    let _stage = front.stage("drawing the report");
    let trainer = session.trainer();
    let epochs = trainer.epochs();
    if trainer.is_divided() {
        context.ranks.order(&Order::Test);
    }
    let result = trainer.finish()?;
    // Frees memory for the results of a huge graph.
    drop(session);
    context.describe_bytes();
    clock.enter("report");
    let effort = (epochs, seconds);
    let mut finished = Finished {
        plots,
        ..Finished::new(plan, &input, &result, before.as_ref(), effort, terms)
    };
    write_results(&mut finished, Some(&clock), front, terms)?;
    let metrics = finished.metrics;
    Ok(Done {
        input,
        result,
        metrics,
        unfinished,
    })
}

/// Prints a note if more epochs were requested but none can follow.
fn note_end(plan: &Plan, trainer: &Trainer, front: &dyn Front) {
    let asked = matches!(
        plan.entry,
        Entry::Resume {
            more_epochs: true,
            ..
        }
    );
    if asked && trainer.is_finished() {
        front.note(&format!(
            "the run has come to its end after {} epochs; a limit of {} adds none",
            trainer.epochs(),
            plan.config.training.epochs
        ));
    }
}

/// A run that was read from its directory.
pub(super) struct Reopened {
    pub(super) input: Input,
    pub(super) before: Option<Before>,
    pub(super) result: Communities,
    pub(super) checkpoint: Checkpoint<ClusterState>,
    /// Duration of the training in seconds.
    pub(super) seconds: f64,
}

impl Reopened {
    /// Reads the data, the checkpoint and the result of a run. If there is no
    /// result yet, repeats the search for groups and takes the network from the
    /// checkpoint.
    pub(super) fn read(
        plan: &Plan,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Self, Failure> {
        let input = plan.source.read(data_dir, terms)?;
        plan.check_data(input.sha256.as_deref())?;
        let (checkpoint, seconds): (Checkpoint<ClusterState>, f64) =
            read_checkpoint(&plan.directory.file(CHECKPOINT))?;
        let before = Before::of_plan(plan, &input)?;
        let epochs = checkpoint.state.epochs();
        let result = match kept::read(&plan.directory, input.graph.nodes())? {
            Some(kept) if kept.epochs == epochs => kept.result,
            _ => {
                let previous = before.as_ref().map(|before| &*before.communities);
                let (graph, saved) = (&input.graph, checkpoint.clone());
                let search = read_search(plan)?;
                let (config, search) = (&plan.config, search.as_deref());
                Trainer::resume_after(graph, config, previous, search, saved)?.finish()?
            }
        };
        Ok(Self {
            input,
            before,
            result,
            checkpoint,
            seconds,
        })
    }
}

/// Writes the report of a finished run again.
///
/// # Errors
///
/// Returns an error if there is no result, its data have changed, or the report
/// cannot be written.
pub fn remake_report(
    plan: &Plan,
    data_dir: Option<&Path>,
    plots: Option<&Path>,
    context: Context<'_>,
) -> Result<(), Failure> {
    plan.check_plots(plots, &[])?;
    let run = Reopened::read(plan, data_dir, context.terms)?;
    let effort = (run.checkpoint.state.epochs(), run.seconds);
    let (input, before) = (&run.input, run.before.as_ref());
    let finished = Finished {
        plots,
        ..Finished::new(plan, input, &run.result, before, effort, context.terms)
    };
    write_report(&finished, context.front, context.terms)
}

/// Prints a description of the graph and the decisions of the reader.
fn introduce(plan: &Plan, input: &Input, context: Context<'_>) {
    let front = context.front;
    let (graph, size) = (&input.graph, input.size());
    let (preset, seed) = (plan.config.preset.name(), plan.config.seed);
    match &input.understood {
        Some(understood) => front.describe(&format!(
            "{}: {understood}; preset {preset}, seed {seed}",
            input.name
        )),
        None => front.describe(&format!(
            "{}: {} nodes, {} directed edges, {} features; preset {preset}, seed {seed}",
            input.name, size.nodes, size.edges, size.features,
        )),
    }
    context.describe_ranks();
    let remark = |words: &str| front.describe(&format!("note: {words}"));
    for note in &input.notes {
        remark(note);
    }
    if plan.config.is_beyond(size.nodes, size.edges)
        && let (None, Some(reason)) = (&input.parts, plan.config.needs_whole(graph))
    {
        remark(&format!(
            "the graph is worked on as a whole and not in parts, because of {reason}"
        ));
    }
    let reconstruction = plan.config.reconstruction(size.nodes);
    let reconstructs = find_pooler(&plan.config.pooler.name).is_ok_and(|p| p.reconstruction);
    // The choice also depends on the number of clusters, which is unknown without a
    // limit.
    if reconstructs
        && plan.config.pooler.max_clusters > 0
        && plan.config.pooler.loss == Reconstruction::Auto
        && reconstruction == Reconstruction::Sparse
    {
        remark(&format!(
            "the sparse loss is used, because an epoch of the exact one would look at {:.1e} pairs of nodes and take several times as long; {} to use the exact one",
            (size.nodes as f64).powi(2),
            advice(context.terms, "pooler.loss", "dense")
        ));
    }
    let by_evidence = plan.config.training.warm_start == WarmStart::Evidence;
    if plan.config.uses_structure_features(graph) && !by_evidence {
        let made = format!(
            "{} eigenvectors and {} random columns",
            plan.config.features.spectral, plan.config.features.random
        );
        if plan.config.uses_given_features(graph) {
            remark(&format!(
                "the features of the nodes stand beside {made}, made from the structure"
            ));
        } else {
            remark(&format!(
                "the nodes have no features that tell them apart, so {made} describe them"
            ));
        }
    }
}

/// Reads the result of the search of a run, if any.
fn read_search(plan: &Plan) -> Result<Option<Vec<u8>>, Failure> {
    let path = plan.directory.file(SEARCH);
    if !path.exists() {
        return Ok(None);
    }
    let bytes = read_bytes(&path)?;
    match plan.directory.problem(SEARCH, &bytes) {
        None => Ok(Some(bytes)),
        Some(problem) => Err(Failure::input(format!(
            "{}: {problem}; remove it, and the graph is searched again",
            path.display()
        ))),
    }
}

/// Returns the key of a stage of the search in `metrics.json`.
fn stage_key(stage: SearchStage) -> &'static str {
    match stage {
        SearchStage::Weights => "weights",
        SearchStage::Communities | SearchStage::Pieces => "merging",
        SearchStage::Blocks => "blocks",
        SearchStage::Null => "random_graphs",
        _ => "starts",
    }
}

/// Starts or continues a run.
fn begin<'a>(
    plan: &mut Plan,
    input: &Input,
    before: Option<&Before>,
    memory: Option<u64>,
    clock: &Clock,
    context: Context<'a>,
) -> Result<Session<'a, Trainer>, Failure> {
    let front = context.front;
    let sha256 = input.sha256.as_deref();
    let previous = before.map(|before| &*before.communities);
    let fresh = |plan: &Plan| {
        let stages = Stages::begin(front, "looking for groups");
        let observer = |progress: SearchProgress| {
            stages.enter(progress.stage.name());
            clock.enter(stage_key(progress.stage));
            ControlFlow::Continue(())
        };
        let (graph, config, device) = (&input.graph, &plan.config, Device::flex());
        if let (Some(parts), None) = (input.divided(config), previous) {
            let (trainer, _) =
                parts::begin(plan, input, parts, (memory, None), &observer, context)?;
            return Ok(trainer);
        }
        Ok::<_, Failure>(match previous {
            Some(previous) => Trainer::after(graph, config, previous, &device, &observer)?,
            None => Trainer::observed(graph, config, &device, &observer)?,
        })
    };
    let (trainer, before) = match plan.entry {
        Entry::New(existing) => {
            // Invalid settings are rejected before anything is written.
            let trainer = fresh(plan)?;
            plan.create(existing, sha256, front)?;
            if let Some(search) = trainer.search() {
                plan.directory.write_bytes(SEARCH, &search)?;
            }
            if let Some(before) = before {
                // The run keeps a copy, because the other run may be changed or
                // removed.
                let text = before.run.text.as_bytes();
                plan.directory.write_bytes(PREVIOUS, text)?;
            }
            (trainer, 0.0)
        }
        Entry::Resume { more_epochs, .. } => {
            plan.check_data(sha256)?;
            let checkpoint = plan.directory.file(CHECKPOINT);
            let divided = input.divided(&plan.config).filter(|_| previous.is_none());
            let resumed = if let (Some(parts), true) = (divided, checkpoint.exists()) {
                let _stage = front.stage("looking for groups");
                let go_on = |_| ControlFlow::Continue(());
                parts::begin(
                    plan,
                    input,
                    parts,
                    (memory, Some(&checkpoint)),
                    &go_on,
                    context,
                )?
            } else if checkpoint.exists() {
                let (saved, seconds) = read_checkpoint(&checkpoint)?;
                let _stage = front.stage("looking for groups");
                let search = read_search(plan)?;
                let (graph, config) = (&input.graph, &plan.config);
                let search = search.as_deref();
                let trainer = Trainer::resume_after(graph, config, previous, search, saved)?;
                (trainer, seconds)
            } else {
                // The run ended before its first checkpoint.
                (fresh(plan)?, 0.0)
            };
            if more_epochs {
                plan.write(sha256)?;
            }
            resumed
        }
    };
    let directory = &plan.directory;
    if !trainer.is_finished() {
        // That file marks a finished run.
        directory.remove("metrics.json")?;
    }
    let history = directory.file("history.jsonl");
    let checkpoint = directory.file(CHECKPOINT);
    Session::new(trainer, before, &history, checkpoint, context)
}
