//! Comparison of poolers on many graphs: folds, metric, size of the pooled
//! graphs.

mod outcome;
mod shown;

pub use outcome::Evidence;

use super::Arguments;
use super::child::run_all;
use super::comparison::Comparison;
use super::job::{Job, Protocol};
use super::page;
use super::progress::Progress;
use super::sample::of_graphs;
use crate::Program;
use crate::command::train::score_words;
use crate::flags::layers::Layers;
use crate::flags::preset;
use crate::process::interrupt;
use crate::terminal::destination::write_text;
use crate::terminal::message::Failure;
use crate::terminal::stage::Stage;
use bnpool::pool::PoolTraits;
use bnpool_task::learn::LearnConfig;
use bnpool_task::learn::run::{Folds, SetSource, base};
use bnpool_task::run::Source as _;
use outcome::{GraphsOutcome, collect};
use shown::fold_words;

/// Runs the poolers and prints the results.
pub fn compare(arguments: &Arguments, program: &Program) -> Result<(), Failure> {
    let flags = &arguments.run;
    let source = SetSource {
        dataset: arguments.dataset.clone(),
        data: arguments.data.clone(),
        input: arguments.input.reading(),
    };
    if arguments.dataset.is_some() {
        arguments.input.check_unused(&source.name())?;
    }
    let mut comparison = Comparison::new(arguments, source, |source| config(arguments, source))?;
    // The precomputation of poolers is left to their own processes.
    let plain = with_pooler(&comparison.config, "none");
    let stage = Stage::begin(format!("reading {}", comparison.source.name()), flags.quiet);
    let input = comparison
        .source
        .read(&plain, flags.data_dir.as_deref(), program.terms)?;
    drop(stage);
    let splits = input.data.splits(&plain)?;
    let folds = match (&arguments.folds, &comparison.folds) {
        (Some(folds), _) => folds.choose(splits.len())?,
        (None, Some(own)) => Folds::of(own.iter().copied()).choose(splits.len())?,
        (None, None) => Folds::All.choose(splits.len())?,
    };
    let jobs = jobs(arguments, &comparison, &folds, input.sha256.as_deref())?;
    comparison.introduce(
        &format!(
            "{} graphs of {:.1} nodes on average; {} of {} folds, at most {} epochs, preset {}",
            input.data.len(),
            input.data.mean_nodes(),
            folds.len(),
            splits.len(),
            comparison.config.training.epochs,
            comparison.config.preset.name()
        ),
        flags.quiet,
    )?;
    comparison.enter(&folds, input.sha256.as_deref())?;
    let path = comparison.directory.path().display().to_string();
    let resume = format!("go on with: bnpool compare --resume --out {path}");
    interrupt::say_at_end(format!("interrupted; {resume}"));
    run_all(
        program,
        &jobs,
        &Progress::new(jobs.len(), flags.quiet),
        &resume,
    )?;
    let stage = Stage::begin("drawing the page".into(), flags.quiet);
    let evidence = Evidence {
        input: &input,
        splits: &splits,
        folds: &folds,
        jobs: &jobs,
    };
    let outcome = collect(&comparison, &evidence)?;
    write(&comparison, &evidence, &outcome)?;
    drop(stage);
    if flags.json {
        say!("{}", outcome.to_json()?);
        return Ok(());
    }
    let score = input.data.score;
    say!(
        "{} on test graphs, {}",
        score_words(score),
        fold_words(&folds)
    );
    say!("");
    outcome.table(score).say();
    say!("");
    for remark in outcome.remarks(score) {
        say!("  {remark}");
    }
    say!("  written to {path}: compare.html, compare.csv, compare.json, and the runs");
    Ok(())
}

/// Writes csv, page and JSON in this order: if JSON exists, all exist.
fn write(
    comparison: &Comparison<LearnConfig, SetSource>,
    evidence: &Evidence,
    outcome: &GraphsOutcome,
) -> Result<(), Failure> {
    let directory = &comparison.directory;
    let Evidence { input, folds, .. } = *evidence;
    write_text(&directory.file("compare.csv"), &outcome.to_csv())?;
    let score = input.data.score;
    let words = page::Words {
        title: format!("Poolers on {}", input.name),
        lead: format!(
            "The {} on test graphs: {}.",
            score_words(score),
            fold_words(folds)
        ),
        remarks: outcome.remarks(score),
        settings: comparison.settings_toml()?,
    };
    let shown = of_graphs(evidence)?;
    let table = outcome.table(score);
    let jobs: Vec<&Job> = evidence.jobs.iter().collect();
    page::write(directory, &words, &table, &jobs, shown.as_ref())?;
    Ok(directory.write_json("compare.json", outcome)?)
}

/// Returns the settings: preset, configuration file, `--set`, flags.
fn config(arguments: &Arguments, source: &SetSource) -> Result<LearnConfig, Failure> {
    let layers = Layers::read(&arguments.run, &arguments.settings)?;
    let preset = preset::choose(arguments.preset, &layers)?;
    let base = base(preset, source.dataset.as_deref())?;
    let mut config = layers.over(&base, preset.follows_code(), |_| Ok(()))?;
    // The pooler of a configuration file is ignored in favour of the list.
    config.pooler.name = base.pooler.name;
    Ok(config)
}

fn with_pooler(config: &LearnConfig, name: &str) -> LearnConfig {
    let mut config = config.clone();
    config.pooler.name = name.to_owned();
    config
}

/// Returns the run of each pooler.
fn jobs(
    arguments: &Arguments,
    comparison: &Comparison<LearnConfig, SetSource>,
    folds: &[usize],
    sha256: Option<&str>,
) -> Result<Vec<Job>, Failure> {
    let mut technical = arguments.run.technical_words();
    if let Some(jobs) = arguments.jobs {
        technical.extend(["--jobs".into(), jobs.to_string().into()]);
    }
    let protocol = Protocol {
        command: SetSource::TASK,
        source: &comparison.source,
        sha256,
        folds: Some(folds),
        technical,
        overwrite: arguments.run.overwrite,
    };
    let preset = comparison.config.preset;
    let base = base(preset, comparison.source.dataset.as_deref())?;
    let job = |&pooler: &&'static PoolTraits| {
        let config = with_pooler(&comparison.config, pooler.name);
        config.check()?;
        let directory = comparison.run_directory(pooler);
        protocol.job(pooler, &base, &config, preset.name(), directory)
    };
    comparison.poolers.iter().map(job).collect()
}
