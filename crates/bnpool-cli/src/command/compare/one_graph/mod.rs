//! Poolers compared on one graph: communities, agreement with known classes.

mod outcome;
mod shown;

use super::Arguments;
use super::child::run_all;
use super::comparison::Comparison;
use super::job::{Job, Protocol};
use super::page;
use super::progress::Progress;
use super::sample::of_one_graph;
use crate::command::cluster::{Input, Source, base};
use crate::destination::write_text;
use crate::interrupt;
use crate::layers::Layers;
use crate::message::Failure;
use crate::plan::Source as _;
use crate::pooler::whole;
use crate::preset;
use crate::stage::Stage;
use bnpool::pool::PoolTraits;
use bnpool::task::Preset;
use bnpool::task::cluster::ClusterConfig;
use outcome::Outcome;

/// Runs the poolers and says what they found.
pub fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let flags = &arguments.run;
    let source = Source {
        dataset: arguments.dataset.clone(),
        graph: arguments.graph.clone(),
        features: arguments.features.clone(),
        labels: arguments.labels.clone(),
        label_attribute: arguments.label_attribute.clone(),
        input: arguments.input.clone(),
    };
    let mut comparison = Comparison::new(arguments, source, |source| config(arguments, source))?;
    let stage = Stage::begin(format!("reading {}", comparison.source.name()), flags.quiet);
    let input = comparison.source.read(flags.data_dir.as_deref())?;
    drop(stage);
    let jobs = jobs(arguments, &comparison, input.sha256.as_deref())?;
    comparison.introduce(
        &format!(
            "{} nodes, {} directed edges, {} features; preset {}",
            input.graph.nodes(),
            input.graph.edges(),
            input.graph.features().width(),
            comparison.config.preset.name()
        ),
        flags.quiet,
    )?;
    comparison.enter(&[], input.sha256.as_deref())?;
    let path = comparison.directory.path().display().to_string();
    let resume = format!("go on with: bnpool compare --resume --out {path}");
    interrupt::say_at_end(format!("interrupted; {resume}"));
    run_all(&jobs, &Progress::new(jobs.len(), flags.quiet), &resume)?;
    let stage = Stage::begin("drawing the page".into(), flags.quiet);
    let outcome = Outcome::collect(&comparison, &input, &jobs)?;
    write(&comparison, &input, &jobs, &outcome)?;
    drop(stage);
    if flags.json {
        say!("{}", outcome.to_json()?);
        return Ok(());
    }
    say!("communities of {}", input.name);
    say!("");
    outcome.table().say();
    say!("");
    for remark in outcome.remarks() {
        say!("  {remark}");
    }
    say!("  written to {path}: compare.html, compare.csv, compare.json, and the runs");
    Ok(())
}

/// Writes csv, page and JSON, in this order: the last says that all are there.
fn write(
    comparison: &Comparison<ClusterConfig, Source>,
    input: &Input,
    jobs: &[Job],
    outcome: &Outcome,
) -> Result<(), Failure> {
    let directory = &comparison.directory;
    write_text(&directory.file("compare.csv"), &outcome.to_csv())?;
    let words = page::Words {
        title: format!("Communities of {} by several poolers", input.name),
        lead: match outcome.classes {
            Some(classes) => format!("The nodes have {classes} known classes."),
            None => "The nodes have no known classes to compare with.".to_owned(),
        },
        remarks: outcome.remarks(),
        settings: comparison.settings_toml()?,
    };
    let shown = of_one_graph(input, jobs)?;
    page::write(directory, &words, &outcome.table(), jobs, Some(&shown))?;
    Ok(directory.write_json("compare.json", outcome)?)
}

/// The settings: preset, configuration file, `--set`, flags.
fn config(arguments: &Arguments, source: &Source) -> Result<ClusterConfig, Failure> {
    let layers = Layers::read(&arguments.run, &arguments.pooler)?;
    let preset = preset::choose(arguments.preset, &layers)?;
    let base = base(preset, source);
    let mut config = layers.over(&base, preset == Preset::Authors, |settings| {
        settings.flag("clusters", whole(arguments.clusters), "--clusters")
    })?;
    // A file may name one; the poolers are those of the list.
    config.pooler.name = base.pooler.name;
    Ok(config)
}

/// The run of every pooler.
fn jobs(
    arguments: &Arguments,
    comparison: &Comparison<ClusterConfig, Source>,
    sha256: Option<&str>,
) -> Result<Vec<Job>, Failure> {
    let protocol = Protocol {
        command: Source::TASK,
        source: &comparison.source,
        sha256,
        folds: None,
        technical: arguments.run.technical_words(),
        overwrite: arguments.run.overwrite,
    };
    let preset = comparison.config.preset;
    let base = base(preset, &comparison.source);
    let job = |&pooler: &&'static PoolTraits| {
        let mut config = comparison.config.clone();
        config.pooler.name = pooler.name.to_owned();
        config.check()?;
        let directory = comparison.run_directory(pooler);
        protocol.job(pooler, &base, &config, preset.name(), directory)
    };
    comparison.poolers.iter().map(job).collect()
}
