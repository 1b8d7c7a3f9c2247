//! Carrying out a plan: training with checkpoints, then the results.

use super::Plan;
use super::changes::ChangeMetrics;
use super::kept;
use super::metrics::{Effort, Metrics};
use super::output::{Finished, write_report, write_results};
use super::parts;
use super::previous::{PREVIOUS, Previous};
use super::progress::Progress;
use super::source::Input;
use super::summary;
use crate::interrupt;
use crate::message::Failure;
use crate::plan::{Entry, Source as _};
use crate::ranks::{self, Order};
use crate::run::RunFlags;
use crate::session::{Ended, Session, read_checkpoint};
use crate::stage::{Stage, Stages};
use bnpool::Device;
use bnpool::pool::{Reconstruction, find_pooler};
use bnpool_task::cluster::{
    Changes, ClusterState, Communities, SearchProgress, Trainer, WarmStart,
};
use bnpool_task::run::Checkpoint;
use std::ops::ControlFlow;
use std::path::Path;

/// The file of the checkpoint.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

/// What the user wants beside the settings.
pub struct Wishes<'a> {
    pub flags: &'a RunFlags,
    /// A run on an older version of the graph.
    pub from: Option<&'a Path>,
    /// Where pictures go.
    pub plots: Option<&'a Path>,
    /// Bytes that a graph in parts may take.
    pub memory: Option<u64>,
}

/// What a run on an older version of the graph found.
pub struct Before {
    pub run: Previous,
    /// Community of every node of the new version that had one.
    communities: Vec<Option<u32>>,
}

impl Before {
    /// The older communities of the nodes of a graph.
    pub fn new(run: Previous, input: &Input) -> Result<Self, Failure> {
        let nodes = run.on(&input.graph)?;
        Ok(Self {
            communities: nodes.iter().map(|node| node.map(|n| n.0)).collect(),
            run,
        })
    }

    /// What a run in its own directory started from.
    fn of_plan(plan: &Plan, input: &Input) -> Result<Option<Self>, Failure> {
        let run = Previous::of_plan(plan)?;
        run.map(|run| Self::new(run, input)).transpose()
    }

    /// What became of the older communities.
    pub fn changes(&self, result: &Communities) -> Changes {
        Changes::between(&self.communities, &result.labels, &self.run.sizes)
    }
}

/// Trains, writes the results and prints them.
pub fn execute(plan: &mut Plan, wishes: &Wishes<'_>) -> Result<(), Failure> {
    let Wishes {
        flags,
        from,
        plots,
        memory,
    } = *wishes;
    if from.is_some() && !plan.config.looks_for_groups() {
        return Err(Failure::Input(format!(
            "--from is a start of the search by evidence, which the pooler {} with the preset {} does not make; leave it out, or use --pooler bn with --preset default",
            plan.config.pooler.name,
            plan.config.preset.name()
        )));
    }
    let previous = from.map(Previous::of_run).transpose()?;
    let config = flags.config.as_deref();
    plan.check_directory(&[config, from])?;
    plan.check_plots(plots, config)?;
    let stage = Stage::begin(format!("reading {}", plan.source.name()), flags.quiet);
    let in_parts = match &previous {
        None => plan.source.open_parts(&plan.config, memory)?,
        Some(_) => None,
    };
    let input = match in_parts {
        Some(input) => input,
        None => plan.source.read(flags.data_dir.as_deref())?,
    };
    drop(stage);
    if !flags.quiet {
        introduce(plan, &input);
    }
    let before = match (previous, &plan.entry) {
        (Some(run), _) => Some(Before::new(run, &input)?),
        (None, Entry::New(_)) => None,
        (None, Entry::Resume { .. }) => Before::of_plan(plan, &input)?,
    };
    let mut session = begin(plan, &input, before.as_ref(), memory, flags.quiet)?;
    let plan = &*plan;
    let resume = format!(
        "go on with: bnpool cluster --resume --out {}",
        plan.directory.path().display()
    );
    interrupt::say_at_end(format!("interrupted; {resume}"));
    let trainer = session.trainer();
    if !flags.quiet && matches!(plan.entry, Entry::Resume { .. }) {
        tell!("going on after {} epochs", trainer.epochs());
    }
    note_end(plan, trainer);
    let mut progress = Progress::new(trainer, flags);
    let ended = session.train(|trainer, epoch| {
        progress.show(epoch, trainer.epochs());
        Ok(())
    });
    progress.finish();
    let seconds = session.seconds();
    let unfinished = ended? == Ended::Interrupted;
    let asked = interrupt::is_asked();
    if asked {
        interrupt::tell_results_follow();
    }
    let _stage = Stage::begin("drawing the report".into(), flags.quiet);
    let trainer = session.trainer();
    let epochs = trainer.epochs();
    if trainer.is_divided() {
        ranks::order(&Order::Test);
    }
    let result = trainer.finish()?;
    // Results of a huge graph take memory, too.
    drop(session);
    if !flags.quiet {
        ranks::tell_bytes();
    }
    let changes = before.as_ref().map(|before| before.changes(&result));
    let effort = Effort::new(epochs, seconds);
    let metrics = Metrics::new(
        plan.directory.path(),
        &input.name,
        input.size(),
        &plan.config,
        &result,
        &effort,
    )
    .with_changes(changes.as_ref().map(ChangeMetrics::of));
    write_results(&Finished {
        plan,
        input: &input,
        result: &result,
        changes: changes.as_ref(),
        metrics: &metrics,
        epochs,
        plots,
    })?;
    if unfinished {
        return Err(Failure::Interrupted(format!(
            "interrupted after {epochs} epochs; what was found so far is in {}, marked as unfinished; {resume}",
            plan.directory.path().display()
        )));
    }
    if flags.json {
        let text = serde_json::to_string_pretty(&metrics)
            .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
        say!("{text}");
    } else {
        summary::print(plan, &input, &result, changes.as_ref(), &effort);
    }
    if asked {
        Err(interrupt::at_the_end(plan.directory.path()))
    } else {
        Ok(())
    }
}

/// Says so when more epochs were asked for and none can come.
fn note_end(plan: &Plan, trainer: &Trainer) {
    let asked = matches!(
        plan.entry,
        Entry::Resume {
            more_epochs: true,
            ..
        }
    );
    if asked && trainer.is_finished() {
        tell!(
            "note: the run has come to its end after {} epochs; --epochs {} adds none",
            trainer.epochs(),
            plan.config.training.epochs
        );
    }
}

/// A run that is read again.
pub struct Reopened {
    pub input: Input,
    pub before: Option<Before>,
    pub result: Communities,
    pub checkpoint: Checkpoint<ClusterState>,
    /// Seconds of training.
    pub seconds: f64,
}

impl Reopened {
    /// Reads the data, the checkpoint and the result of a run. If it has no result
    /// yet, the graph is searched and the network is taken from the checkpoint.
    pub fn read(plan: &Plan, data_dir: Option<&Path>) -> Result<Self, Failure> {
        let input = plan.source.read(data_dir)?;
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
                Trainer::resume_after(graph, &plan.config, previous, saved)?.finish()?
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

/// Makes the report of a finished run again.
pub fn remake_report(
    plan: &Plan,
    data_dir: Option<&Path>,
    plots: Option<&Path>,
) -> Result<(), Failure> {
    plan.check_plots(plots, None)?;
    let run = Reopened::read(plan, data_dir)?;
    let result = &run.result;
    let changes = run.before.as_ref().map(|before| before.changes(result));
    let epochs = run.checkpoint.state.epochs();
    let effort = Effort::new(epochs, run.seconds);
    let metrics = Metrics::new(
        plan.directory.path(),
        &run.input.name,
        run.input.size(),
        &plan.config,
        result,
        &effort,
    )
    .with_changes(changes.as_ref().map(ChangeMetrics::of));
    write_report(&Finished {
        plan,
        input: &run.input,
        result,
        changes: changes.as_ref(),
        metrics: &metrics,
        epochs,
        plots,
    })
}

/// Says what is clustered, and what was decided without being asked.
fn introduce(plan: &Plan, input: &Input) {
    let (graph, size) = (&input.graph, input.size());
    let (preset, seed) = (plan.config.preset.name(), plan.config.seed);
    match &input.understood {
        Some(understood) => tell!("{}: {understood}; preset {preset}, seed {seed}", input.name),
        None => tell!(
            "{}: {} nodes, {} directed edges, {} features; preset {preset}, seed {seed}",
            input.name,
            size.nodes,
            size.edges,
            size.features,
        ),
    }
    ranks::tell_size();
    for note in &input.notes {
        tell!("note: {note}");
    }
    if plan.config.is_beyond(size.nodes, size.edges)
        && let (None, Some(reason)) = (&input.parts, plan.config.needs_whole(graph))
    {
        tell!("note: the graph is worked on as a whole and not in parts, because of {reason}");
    }
    let reconstruction = plan.config.reconstruction(size.nodes);
    let reconstructs = find_pooler(&plan.config.pooler.name).is_ok_and(|p| p.reconstruction);
    // How many clusters there are decides, too; without a limit that is not known yet.
    if reconstructs
        && plan.config.pooler.max_clusters > 0
        && plan.config.pooler.loss == Reconstruction::Auto
        && reconstruction == Reconstruction::Sparse
    {
        tell!(
            "note: the sparse loss is used, because an epoch of the exact one would look at {:.1e} pairs of nodes and take several times as long; --loss dense insists on it",
            (size.nodes as f64).powi(2)
        );
    }
    let by_evidence = plan.config.training.warm_start == WarmStart::Evidence;
    if plan.config.uses_structure_features(graph) && !by_evidence {
        let made = format!(
            "{} eigenvectors and {} random columns",
            plan.config.features.spectral, plan.config.features.random
        );
        if plan.config.uses_given_features(graph) {
            tell!("note: the features of the nodes stand beside {made}, made from the structure");
        } else {
            tell!("note: the nodes have no features that tell them apart, so {made} describe them");
        }
    }
}

/// Begins a run, or goes on with one.
fn begin(
    plan: &mut Plan,
    input: &Input,
    before: Option<&Before>,
    memory: Option<u64>,
    quiet: bool,
) -> Result<Session<Trainer>, Failure> {
    let sha256 = input.sha256.as_deref();
    let previous = before.map(|before| &*before.communities);
    let fresh = |plan: &Plan| {
        let stages = Stages::begin("looking for groups", quiet);
        let observer = |progress: SearchProgress| {
            stages.enter(progress.stage.name());
            ControlFlow::Continue(())
        };
        let (graph, config, device) = (&input.graph, &plan.config, Device::flex());
        if let (Some(parts), None) = (input.divided(config), previous) {
            let (trainer, _) = parts::begin(plan, input, parts, memory, None, &observer)?;
            return Ok(trainer);
        }
        Ok::<_, Failure>(match previous {
            Some(previous) => Trainer::after(graph, config, previous, &device, &observer)?,
            None => Trainer::observed(graph, config, &device, &observer)?,
        })
    };
    let (trainer, before) = match plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let trainer = fresh(plan)?;
            plan.facts = before.map(|before| before.run.facts());
            plan.create(existing, sha256)?;
            if let Some(before) = before {
                // Its own copy: the other run may change or go.
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
                let _stage = Stage::begin("looking for groups".into(), quiet);
                let go_on = |_| ControlFlow::Continue(());
                parts::begin(plan, input, parts, memory, Some(&checkpoint), &go_on)?
            } else if checkpoint.exists() {
                let (saved, seconds) = read_checkpoint(&checkpoint)?;
                let _stage = Stage::begin("looking for groups".into(), quiet);
                let (graph, config) = (&input.graph, &plan.config);
                (
                    Trainer::resume_after(graph, config, previous, saved)?,
                    seconds,
                )
            } else {
                // Ended before its first checkpoint.
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
        // It says that all is there.
        directory.remove("metrics.json")?;
    }
    let history = directory.file("history.jsonl");
    Session::new(trainer, before, &history, directory.file(CHECKPOINT))
}
