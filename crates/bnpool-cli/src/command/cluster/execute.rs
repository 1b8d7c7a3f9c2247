//! Carrying out a plan: training with checkpoints, then the results.

use super::Plan;
use super::metrics::{Effort, Metrics};
use super::output::{Finished, write_report, write_results};
use super::progress::Progress;
use super::source::Input;
use super::summary;
use crate::message::Failure;
use crate::plan::Entry;
use crate::run::{Interrupt, RunFlags};
use crate::session::{Ended, Session, read_checkpoint};
use bnpool::pool::{Loss, Reconstruction};
use bnpool::task::cluster::Trainer;
use std::path::Path;

/// Graphs with more nodes take more than two seconds after the last epoch.
const SLOW_TO_EVALUATE: usize = 10_000;

/// The file of the checkpoint.
pub const CHECKPOINT: &str = "checkpoint.safetensors";

/// Trains, writes the results and prints them.
pub fn execute(plan: &Plan, flags: &RunFlags, plots: Option<&Path>) -> Result<(), Failure> {
    let interrupt = Interrupt::listen()?;
    let input = plan.source.read(flags.data_dir.as_deref())?;
    if !flags.quiet {
        introduce(plan, &input);
    }
    let mut session = begin(plan, &input)?;
    let trainer = session.trainer();
    if !flags.quiet && matches!(plan.entry, Entry::Resume { .. }) {
        tell!("going on after {} epochs", trainer.epochs());
    }
    let mut progress = Progress::new(trainer.epochs() + trainer.epochs_left(), flags.quiet);
    let ended = session.train(&interrupt, |trainer, epoch| {
        progress.show(epoch, trainer.epochs());
        Ok(())
    });
    progress.finish();
    let (trainer, seconds) = (session.trainer(), session.seconds());
    if ended? == Ended::Interrupted {
        return Err(Failure::Interrupted(format!(
            "interrupted after {} epochs; go on with: bnpool cluster --resume --out {}",
            trainer.epochs(),
            plan.directory.path().display()
        )));
    }
    if !flags.quiet && input.graph.nodes() > SLOW_TO_EVALUATE {
        tell!("drawing posterior samples and the report");
    }
    let result = trainer.finish()?;
    let effort = Effort::new(trainer.epochs(), seconds);
    let metrics = Metrics::new(&input.name, &input.graph, &plan.config, &result, &effort);
    write_results(&Finished {
        plan,
        input: &input,
        result: &result,
        metrics: &metrics,
        plots,
    })?;
    if flags.json {
        let text = serde_json::to_string_pretty(&metrics)
            .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
        say!("{text}");
    } else {
        summary::print(plan, &input, &result, &effort);
    }
    Ok(())
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
    let metrics = Metrics::new(&input.name, &input.graph, &plan.config, &result, &effort);
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
    let bn = plan.config.pooler.name == "bn";
    if bn && plan.config.pooler.loss == Loss::Auto && reconstruction == Reconstruction::Sparse {
        tell!(
            "note: the sparse loss is used, because an epoch of the exact one would look at {:.1e} pairs of nodes and take more than about two seconds; --loss dense insists on it",
            (graph.nodes() as f64).powi(2)
        );
    }
    if plan.config.uses_structure_features(graph) {
        tell!(
            "note: the nodes have no features that tell them apart, so {} eigenvectors and {} random columns describe them",
            plan.config.features.spectral,
            plan.config.features.random
        );
    }
}

/// Begins a run, or goes on with one.
fn begin<'a>(plan: &'a Plan, input: &'a Input) -> Result<Session<Trainer<'a>>, Failure> {
    let directory = &plan.directory;
    let checkpoint = directory.file(CHECKPOINT);
    let (trainer, before) = match &plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let trainer = Trainer::new(&input.graph, &plan.config)?;
            directory.prepare(*existing)?;
            directory.write_text("run.toml", &plan.to_toml(input.sha256.as_deref())?)?;
            (trainer, 0.0)
        }
        Entry::Resume { .. } => {
            plan.check_data(input.sha256.as_deref())?;
            if checkpoint.exists() {
                let (saved, seconds) = read_checkpoint(&checkpoint)?;
                let trainer = Trainer::resume(&input.graph, &plan.config, saved)?;
                (trainer, seconds)
            } else {
                // Ended before its first checkpoint.
                (Trainer::new(&input.graph, &plan.config)?, 0.0)
            }
        }
    };
    Session::new(
        trainer,
        before,
        &directory.file("history.jsonl"),
        checkpoint,
    )
}
