//! Comparison of poolers on one graph: communities, agreement with known
//! classes.

mod numbers;
mod outcome;
mod shown;

use super::Arguments;
use super::child::run_all;
use super::comparison::Comparison;
use super::job::{Job, Protocol};
use super::page;
use super::progress::Progress;
use super::sample::of_one_graph;
use crate::Program;
use crate::flags::layers::Layers;
use crate::flags::preset;
use crate::flags::setting::whole;
use crate::process::interrupt;
use crate::terminal::destination::write_text;
use crate::terminal::message::Failure;
use crate::terminal::stage::Stage;
use bnpool::pool::PoolTraits;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::cluster::run::{GraphSource, Input, base};
use bnpool_task::run::Source as _;
use outcome::{GraphOutcome, collect};

/// Runs the poolers and prints the results.
pub fn compare(arguments: &Arguments, program: &Program) -> Result<(), Failure> {
    let flags = &arguments.run;
    let source = GraphSource {
        dataset: arguments.dataset.clone(),
        graph: arguments.graph.clone(),
        features: arguments.features.clone(),
        labels: arguments.labels.clone(),
        label_attribute: arguments.label_attribute.clone(),
        called: None,
        made: Vec::new(),
        input: arguments.input.reading(),
    };
    if arguments.dataset.is_some() {
        arguments.input.check_unused(&source.name())?;
    }
    let mut comparison = Comparison::new(arguments, source, |source| config(arguments, source))?;
    let stage = Stage::begin(format!("reading {}", comparison.source.name()), flags.quiet);
    let input = comparison
        .source
        .read(flags.data_dir.as_deref(), program.terms)?;
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
    run_all(
        program,
        &jobs,
        &Progress::new(jobs.len(), flags.quiet),
        &resume,
    )?;
    let stage = Stage::begin("drawing the page".into(), flags.quiet);
    let outcome = collect(&comparison, &input, &jobs)?;
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

/// Writes csv, page and JSON in this order: if JSON exists, all exist.
fn write(
    comparison: &Comparison<ClusterConfig, GraphSource>,
    input: &Input,
    jobs: &[Job],
    outcome: &GraphOutcome,
) -> Result<(), Failure> {
    let directory = &comparison.directory;
    write_text(&directory.file("compare.csv"), &outcome.to_csv())?;
    let words = page::Words {
        title: format!("Communities of {} by several poolers", input.name),
        lead: match (outcome.data.classes, &outcome.data.seeds) {
            (Some(classes), None) => format!("The nodes have {classes} known classes."),
            (None, None) => "The nodes have no known classes to compare with.".to_owned(),
            (classes, Some(seeds)) => {
                let known = classes.map_or("no known classes".to_owned(), |classes| {
                    format!("{classes} known classes")
                });
                format!(
                    "The nodes have {known}. Numbers are means over {} seeds; the drawings show seed {}.",
                    seeds.len(),
                    seeds[0]
                )
            }
        },
        remarks: outcome.remarks(),
        settings: comparison.settings_toml()?,
    };
    // The first seed of each pooler is drawn.
    let first: Vec<&Job> = jobs.iter().step_by(comparison.seeds.len().max(1)).collect();
    let shown = of_one_graph(input, &first)?;
    page::write(directory, &words, &outcome.table(), &first, Some(&shown))?;
    Ok(directory.write_json("compare.json", outcome)?)
}

/// Returns the settings: preset, configuration file, `--set`, flags.
fn config(arguments: &Arguments, source: &GraphSource) -> Result<ClusterConfig, Failure> {
    let layers = Layers::read(&arguments.run, &arguments.settings)?;
    let preset = preset::choose(arguments.preset, &layers)?;
    let base = base(preset, source);
    let mut config = layers.over(&base, preset.follows_code(), |settings| {
        settings.flag("clusters", whole(arguments.clusters), "--clusters")
    })?;
    // The pooler of a configuration file is ignored in favour of the list.
    config.pooler.name = base.pooler.name;
    if let Some(&first) = arguments.seeds.as_ref().and_then(|seeds| seeds.0.first()) {
        config.seed = first;
    }
    Ok(config)
}

/// Returns the runs, grouped by pooler, with one run per seed.
fn jobs(
    arguments: &Arguments,
    comparison: &Comparison<ClusterConfig, GraphSource>,
    sha256: Option<&str>,
) -> Result<Vec<Job>, Failure> {
    let protocol = Protocol {
        command: GraphSource::TASK,
        source: &comparison.source,
        sha256,
        folds: None,
        technical: arguments.run.technical_words(),
        overwrite: arguments.run.overwrite,
    };
    let preset = comparison.config.preset;
    let base = base(preset, &comparison.source);
    let job = |(pooler, seed): (&'static PoolTraits, u64)| {
        let mut config = comparison.config.clone();
        config.pooler.name = pooler.name.to_owned();
        config.seed = seed;
        config.check()?;
        let directory = comparison.seed_directory(pooler, seed);
        let mut job = protocol.job(pooler, &base, &config, preset.name(), directory)?;
        if comparison.seeds.len() > 1 {
            job.name = format!("{}, seed {seed}", pooler.name);
        }
        Ok(job)
    };
    let poolers = comparison.poolers.iter();
    poolers
        .flat_map(|&pooler| comparison.seeds.iter().map(move |&seed| (pooler, seed)))
        .map(job)
        .collect()
}
