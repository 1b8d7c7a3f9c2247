//! Carrying out a plan: training with checkpoints, then the results.

use super::Plan;
use super::metrics::{Effort, Metrics};
use super::output::{Finished, write_report, write_results};
use super::progress::Progress;
use super::source::Input;
use super::summary;
use crate::interrupt;
use crate::message::Failure;
use crate::plan::{Entry, Source as _};
use crate::run::RunFlags;
use crate::session::{Ended, Session, read_checkpoint};
use crate::stage::{Stage, Stages};
use bnpool::Device;
use bnpool::pool::{Reconstruction, find_pooler};
use bnpool::task::cluster::{SearchProgress, Trainer, WarmStart};
use std::ops::ControlFlow;
use std::path::Path;

/// The file of the checkpoint.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

/// Trains, writes the results and prints them.
pub fn execute(plan: &mut Plan, flags: &RunFlags, plots: Option<&Path>) -> Result<(), Failure> {
    plan.check_directory(flags)?;
    let stage = Stage::begin(format!("reading {}", plan.source.name()), flags.quiet);
    let input = plan.source.read(flags.data_dir.as_deref())?;
    drop(stage);
    if !flags.quiet {
        introduce(plan, &input);
    }
    let mut session = begin(plan, &input, flags.quiet)?;
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
    let before = trainer.epochs();
    let mut progress = Progress::new(before + trainer.epochs_left(), before, flags);
    let ended = session.train(|trainer, epoch| {
        progress.show(epoch, trainer.epochs());
        Ok(())
    });
    progress.finish();
    let (trainer, seconds) = (session.trainer(), session.seconds());
    let unfinished = ended? == Ended::Interrupted;
    if unfinished {
        interrupt::tell_results_follow();
    }
    let _stage = Stage::begin("drawing the report".into(), flags.quiet);
    let result = trainer.finish()?;
    let effort = Effort::new(trainer.epochs(), seconds);
    let metrics = Metrics::new(
        plan.directory.path(),
        &input.name,
        &input.graph,
        &plan.config,
        &result,
        &effort,
    );
    write_results(&Finished {
        plan,
        input: &input,
        result: &result,
        metrics: &metrics,
        plots,
    })?;
    if unfinished {
        return Err(Failure::Interrupted(format!(
            "interrupted after {} epochs; what was found so far is in {}, marked as unfinished; {resume}",
            trainer.epochs(),
            plan.directory.path().display()
        )));
    }
    if flags.json {
        let text = serde_json::to_string_pretty(&metrics)
            .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
        say!("{text}");
    } else {
        summary::print(plan, &input, &result, &effort);
    }
    Ok(())
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

/// Makes the report of a finished run again.
pub fn remake_report(
    plan: &Plan,
    data_dir: Option<&Path>,
    plots: Option<&Path>,
) -> Result<(), Failure> {
    let input = plan.source.read(data_dir)?;
    plan.check_data(input.sha256.as_deref())?;
    let (saved, seconds) = read_checkpoint(&plan.directory.file(CHECKPOINT))?;
    let trainer = Trainer::resume(&input.graph, &plan.config, saved)?;
    let result = trainer.finish()?;
    let effort = Effort::new(trainer.epochs(), seconds);
    let metrics = Metrics::new(
        plan.directory.path(),
        &input.name,
        &input.graph,
        &plan.config,
        &result,
        &effort,
    );
    write_report(&Finished {
        plan,
        input: &input,
        result: &result,
        metrics: &metrics,
        plots,
    })
}

/// Says what is clustered, and what was decided without being asked.
fn introduce(plan: &Plan, input: &Input) {
    let graph = &input.graph;
    let (preset, seed) = (plan.config.preset.name(), plan.config.seed);
    match &input.understood {
        Some(understood) => tell!("{}: {understood}; preset {preset}, seed {seed}", input.name),
        None => tell!(
            "{}: {} nodes, {} directed edges, {} features; preset {preset}, seed {seed}",
            input.name,
            graph.nodes(),
            graph.edges(),
            graph.features().width(),
        ),
    }
    for note in &input.notes {
        tell!("note: {note}");
    }
    let reconstruction = plan.config.reconstruction(graph.nodes());
    let reconstructs = find_pooler(&plan.config.pooler.name).is_ok_and(|p| p.reconstruction);
    if reconstructs
        && plan.config.pooler.loss == Reconstruction::Auto
        && reconstruction == Reconstruction::Sparse
    {
        tell!(
            "note: the sparse loss is used, because an epoch of the exact one would look at {:.1e} pairs of nodes and take more than about two seconds; --loss dense insists on it",
            (graph.nodes() as f64).powi(2)
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
fn begin(plan: &mut Plan, input: &Input, quiet: bool) -> Result<Session<Trainer>, Failure> {
    let sha256 = input.sha256.as_deref();
    let fresh = |plan: &Plan| {
        let stages = Stages::begin("looking for groups", quiet);
        let observer = |progress: SearchProgress| {
            stages.enter(progress.stage.name());
            ControlFlow::Continue(())
        };
        Trainer::observed(&input.graph, &plan.config, &Device::flex(), &observer)
    };
    let (trainer, before) = match plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let trainer = fresh(plan)?;
            plan.create(existing, sha256)?;
            (trainer, 0.0)
        }
        Entry::Resume { more_epochs, .. } => {
            plan.check_data(sha256)?;
            let checkpoint = plan.directory.file(CHECKPOINT);
            let resumed = if checkpoint.exists() {
                let (saved, seconds) = read_checkpoint(&checkpoint)?;
                let _stage = Stage::begin("looking for groups".into(), quiet);
                (Trainer::resume(&input.graph, &plan.config, saved)?, seconds)
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
