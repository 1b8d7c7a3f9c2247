//! Carrying out a plan: reading, training, results.

use super::facts::Facts;
use super::follow::fingerprint;
use super::metrics::Metrics;
use super::output::{join_histories, write_best_model};
use super::progress::Progress;
use super::source::Input;
use super::work::Work;
use super::{Folds, Options, Plan, predictions, summary};
use crate::interrupt;
use crate::message::Failure;
use crate::plan::{Entry, Source as _};
use crate::ranks::{self, Order};
use crate::run::RunFlags;
use crate::stage::Stage;
use bnpool::model::InputKind;

/// Trains, writes the results and prints them.
pub fn execute(plan: &mut Plan, flags: &RunFlags, options: &Options) -> Result<(), Failure> {
    let config = flags.config.as_deref();
    plan.check_directory(&[config])?;
    plan.check_plots(options.plots.as_deref(), config)?;
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
    let words = format!(
        "preparing graphs for the pooler {}",
        plan.config.pooler.name
    );
    let stage = Stage::begin(words, flags.quiet);
    let input = input.prepared(&plan.config, &*ranks::engine())?;
    drop(stage);
    let facts = Facts {
        folds: chosen.clone(),
    };
    let sha256 = input.sha256.as_deref();
    let mut more_epochs = false;
    match plan.entry {
        Entry::New(existing) => {
            // Settings are refused before anything is written.
            let first = chosen.first().copied().unwrap_or(0);
            bnpool_task::learn::FoldTrainer::new(&input.data, &plan.config, first, &splits[first])?;
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
    crate::metrics::write(&plan.directory, &metrics)?;
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
    if asked {
        Err(interrupt::at_the_end(plan.directory.path()))
    } else {
        Ok(())
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
