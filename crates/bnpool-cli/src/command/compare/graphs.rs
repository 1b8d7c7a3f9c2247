//! Poolers compared on many graphs: folds, metric, size of the pooled graphs.

use super::Arguments;
use super::child::run_all;
use super::comparison::Comparison;
use super::job::{Job, Protocol, list};
use super::page;
use super::progress::Progress;
use super::sample;
use super::table::{Cell, Column, Table, csv, digits};
use crate::command::cluster::SCHEMA;
use crate::command::train::{self, Folds, Input, Source, base, shown};
use crate::destination::write_text;
use crate::interrupt;
use crate::layers::Layers;
use crate::message::Failure;
use crate::plan::Source as _;
use crate::preset;
use crate::stage::Stage;
use bnpool::pool::PoolTraits;
use bnpool::run::RunDirectory;
use bnpool::task::Preset;
use bnpool::task::learn::{LearnConfig, Score, mean_and_deviation};
use bnpool_graph::split::Split;
use bnpool_math::metrics::PairedDifference;
use serde::{Deserialize, Serialize};

/// Runs the poolers and says how they did.
pub fn compare(arguments: &Arguments) -> Result<(), Failure> {
    let flags = &arguments.run;
    let source = Source {
        dataset: arguments.dataset.clone(),
        data: arguments.data.clone(),
        input: arguments.input.clone(),
    };
    let mut comparison = Comparison::new(arguments, source, |source| config(arguments, source))?;
    // What poolers compute of every graph is left to their own processes.
    let plain = with_pooler(&comparison.config, "none");
    let stage = Stage::begin(format!("reading {}", comparison.source.name()), flags.quiet);
    let input = comparison.source.read(&plain, flags.data_dir.as_deref())?;
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
        arguments
            .poolers
            .as_deref()
            .is_none_or(|list| list.trim() == "all"),
    );
    comparison.enter(&folds, input.sha256.as_deref())?;
    let path = comparison.directory.path().display().to_string();
    let resume = format!("go on with: bnpool compare --resume --out {path}");
    interrupt::say_at_end(format!("interrupted; {resume}"));
    run_all(&jobs, &Progress::new(jobs.len(), flags.quiet), &resume)?;
    let stage = Stage::begin("drawing the page".into(), flags.quiet);
    let outcome = Outcome::collect(&comparison, &input, &folds, &jobs)?;
    outcome.write(&comparison, &input, &splits, &folds, &jobs)?;
    drop(stage);
    if flags.json {
        say!("{}", outcome.to_json()?);
        return Ok(());
    }
    let table = outcome.table(input.data.score);
    say!(
        "{} on test graphs, {}",
        score_name(input.data.score),
        fold_words(&folds)
    );
    say!("");
    table.say();
    say!("");
    for remark in outcome.remarks(input.data.score) {
        say!("  {remark}");
    }
    say!("  written to {path}: compare.html, compare.csv, compare.json, and the runs");
    Ok(())
}

/// The settings: preset, configuration file, `--set`, flags.
fn config(arguments: &Arguments, source: &Source) -> Result<LearnConfig, Failure> {
    let layers = Layers::read(&arguments.run, &arguments.pooler)?;
    let preset = preset::choose(arguments.preset, &layers)?;
    layers.over(
        &base(preset, source)?,
        preset == Preset::Authors,
        |_| Ok(()),
    )
}

fn with_pooler(config: &LearnConfig, name: &str) -> LearnConfig {
    let mut config = config.clone();
    config.pooler.name = name.to_owned();
    config
}

/// The run of every pooler.
fn jobs(
    arguments: &Arguments,
    comparison: &Comparison<LearnConfig, Source>,
    folds: &[usize],
    sha256: Option<&str>,
) -> Result<Vec<Job>, Failure> {
    let mut technical = arguments.run.technical_words();
    if let Some(jobs) = arguments.jobs {
        technical.extend(["--jobs".into(), jobs.to_string().into()]);
    }
    let protocol = Protocol {
        command: train::Source::TASK,
        source: &comparison.source,
        sha256,
        folds: Some(folds),
        technical,
        overwrite: arguments.run.overwrite,
    };
    let preset = comparison.config.preset;
    let base = base(preset, &comparison.source)?;
    let job = |&pooler: &&'static PoolTraits| {
        let config = with_pooler(&comparison.config, pooler.name);
        config.check()?;
        let directory = comparison.run_directory(pooler);
        protocol.job(pooler, &base, &config, preset.name(), directory)
    };
    comparison.poolers.iter().map(job).collect()
}

/// What is read of `metrics.json` of a run.
#[derive(Deserialize)]
struct RunMetrics {
    folds: Vec<FoldMetrics>,
    clusters_mean: Option<f64>,
    clusters_std: Option<f64>,
    parameters: usize,
    seconds: f64,
    peak_rss_mb: Option<f64>,
}

#[derive(Deserialize)]
struct FoldMetrics {
    fold: usize,
    test: Option<f64>,
    epochs: usize,
}

/// `compare.json` of many graphs.
#[derive(Serialize)]
struct Outcome {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    metric: &'static str,
    graphs: usize,
    folds: Vec<usize>,
    poolers: Vec<Row>,
    version: &'static str,
}

/// A pooler and what came of it.
#[derive(Serialize)]
struct Row {
    pooler: &'static str,
    title: &'static str,
    /// The metric on the test graphs of every fold.
    test: Vec<Option<f64>>,
    test_mean: Option<f64>,
    test_std: Option<f64>,
    /// To the first pooler; absent for that one itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference_interval: Option<[f64; 2]>,
    clusters_mean: Option<f64>,
    clusters_std: Option<f64>,
    parameters: usize,
    epochs: f64,
    seconds_per_epoch: f64,
    seconds: f64,
    peak_rss_mb: Option<f64>,
}

/// Reads the metrics of a run that has come to its end.
pub fn read_metrics<T: serde::de::DeserializeOwned>(
    directory: &RunDirectory,
    name: &str,
) -> Result<T, Failure> {
    let metrics = directory.read_json("metrics.json")?;
    metrics.ok_or_else(|| {
        Failure::Running(format!(
            "{name}: {} is not there, though its run came to its end",
            directory.file("metrics.json").display()
        ))
    })
}

impl Outcome {
    fn collect(
        comparison: &Comparison<LearnConfig, Source>,
        input: &Input,
        folds: &[usize],
        jobs: &[Job],
    ) -> Result<Self, Failure> {
        let mut poolers: Vec<Row> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let metrics: RunMetrics = read_metrics(&job.directory, job.pooler.name)?;
            let of_fold = |fold: &usize| metrics.folds.iter().find(|f| f.fold == *fold);
            let test: Vec<Option<f64>> = folds.iter().map(|f| of_fold(f)?.test).collect();
            let known: Vec<f64> = test.iter().copied().flatten().collect();
            let spread = mean_and_deviation(&known);
            let difference = poolers.first().and_then(|first| {
                let pairs = test.iter().zip(&first.test);
                let pairs = pairs.filter_map(|(own, other)| Some((*own)? - (*other)?));
                PairedDifference::of(&pairs.collect::<Vec<f64>>())
            });
            let epochs: usize = metrics.folds.iter().map(|fold| fold.epochs).sum();
            poolers.push(Row {
                pooler: job.pooler.name,
                title: job.pooler.title,
                test_mean: spread.map(|s| s.0),
                test_std: spread.map(|s| s.1),
                difference: difference.map(|d| d.mean),
                difference_interval: difference.and_then(|d| d.interval),
                clusters_mean: metrics.clusters_mean,
                clusters_std: metrics.clusters_std,
                parameters: metrics.parameters,
                epochs: epochs as f64 / metrics.folds.len().max(1) as f64,
                seconds_per_epoch: metrics.seconds / epochs.max(1) as f64,
                seconds: metrics.seconds,
                peak_rss_mb: metrics.peak_rss_mb,
                test,
            });
        }
        Ok(Self {
            schema: SCHEMA,
            task: "compare",
            output: comparison.directory.path().display().to_string(),
            dataset: input.name.clone(),
            preset: comparison.config.preset.name(),
            seed: comparison.config.seed,
            metric: input.data.score.name(),
            graphs: input.data.len(),
            folds: folds.to_vec(),
            poolers,
            version: env!("CARGO_PKG_VERSION"),
        })
    }

    fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::Running(format!("the comparison cannot be written: {e}")))
    }

    /// Writes csv, page and JSON, in this order: the last says that all are there.
    fn write(
        &self,
        comparison: &Comparison<LearnConfig, Source>,
        input: &Input,
        splits: &[Split],
        folds: &[usize],
        jobs: &[Job],
    ) -> Result<(), Failure> {
        let directory = &comparison.directory;
        write_text(&directory.file("compare.csv"), &self.to_csv())?;
        let graph = splits[folds[0]].test.first().copied();
        let shown = sample::of_graphs(input, graph, folds[0], jobs)?;
        let score = input.data.score;
        page::write(
            directory,
            &page::Words {
                title: format!("Poolers on {}", input.name),
                lead: format!(
                    "{} on test graphs, {}.",
                    score_name(score),
                    fold_words(folds)
                ),
                remarks: self.remarks(score),
                settings: toml::to_string(&comparison.config).unwrap_or_default(),
            },
            &self.table(score),
            jobs,
            shown.as_ref(),
        )?;
        Ok(directory.write_json("compare.json", self)?)
    }

    fn to_csv(&self) -> String {
        let heading = [
            "pooler",
            "test_mean",
            "test_std",
            "difference",
            "difference_low",
            "difference_high",
            "clusters_mean",
            "clusters_std",
            "parameters",
            "epochs",
            "seconds_per_epoch",
            "seconds",
            "peak_rss_mb",
        ];
        let row = |row: &Row| {
            let interval = row.difference_interval;
            let numbers = [
                row.test_mean,
                row.test_std,
                row.difference,
                interval.map(|i| i[0]),
                interval.map(|i| i[1]),
                row.clusters_mean,
                row.clusters_std,
                Some(row.parameters as f64),
                Some(row.epochs),
                Some(row.seconds_per_epoch),
                Some(row.seconds),
                row.peak_rss_mb,
            ];
            let fields = numbers.into_iter().map(digits);
            std::iter::once(row.pooler.to_owned())
                .chain(fields)
                .collect()
        };
        let rows: Vec<Vec<String>> = self.poolers.iter().map(row).collect();
        csv(&heading, &rows)
    }

    /// The table for people.
    fn table(&self, score: Score) -> Table {
        let columns = [
            ("pooler", "its name on the command line"),
            (
                score.name(),
                "metric on the test graphs: mean ± standard deviation over the folds",
            ),
            (
                "difference",
                "mean difference to the first pooler, fold by fold",
            ),
            (
                "95 % interval",
                "of the difference, by Student's t over the folds",
            ),
            (
                "clusters",
                "non-empty clusters of a pooled test graph, on average",
            ),
            ("parameters", "number of trainable parameters"),
            ("ms/epoch", "mean time of an epoch in milliseconds"),
            ("epochs", "mean number of epochs of a fold"),
            ("peak MB", "most memory that its process had at once"),
        ];
        let row = |row: &Row| {
            vec![
                Cell::text(row.pooler),
                Cell::number(row.test_mean, |mean| spread(score, mean, row.test_std)),
                Cell::number(row.difference, |d| change(score, d)),
                Cell {
                    value: row.difference_interval.map(|i| i[0]),
                    ..Cell::text(
                        row.difference_interval
                            .map_or("–".to_owned(), |[low, high]| {
                                format!("{} to {}", change(score, low), change(score, high))
                            }),
                    )
                },
                Cell::number(row.clusters_mean, |c| format!("{c:.1}")),
                Cell::number(Some(row.parameters as f64), |p| format!("{p}")),
                Cell::number(Some(1e3 * row.seconds_per_epoch), |t| format!("{t:.1}")),
                Cell::number(Some(row.epochs), |e| format!("{e:.1}")),
                Cell::number(row.peak_rss_mb, |m| format!("{m:.0}")),
            ]
        };
        Table {
            columns: columns
                .map(|(name, meaning)| Column { name, meaning })
                .to_vec(),
            rows: self.poolers.iter().map(row).collect(),
        }
    }

    /// How to read the table.
    fn remarks(&self, score: Score) -> Vec<String> {
        let Some((first, others)) = self.poolers.split_first() else {
            return Vec::new();
        };
        let mut remarks = Vec::new();
        let unit = if score.is_error() {
            ""
        } else {
            " in percentage points"
        };
        let better = if score.is_error() {
            "below 0"
        } else {
            "above 0"
        };
        if !others.is_empty() {
            remarks.push(format!(
                "differences are those to {}{unit}; {better} is better than {0}",
                first.pooler
            ));
            remarks.push(match self.folds.len() {
                1 => "a single fold gives no interval; train more with --folds".to_owned(),
                folds => format!(
                    "intervals by Student's t over {folds} folds; they share training graphs, so the intervals are rather too narrow"
                ),
            });
        }
        if self.poolers.iter().any(|row| row.clusters_mean.is_none()) {
            remarks.push("–: the pooler has no clusters".to_owned());
        }
        remarks
    }
}

fn score_name(score: Score) -> &'static str {
    match score {
        Score::Acc => "accuracy",
        Score::Auroc => "area under the ROC curve",
        Score::Mae => "mean absolute error",
    }
}

fn fold_words(folds: &[usize]) -> String {
    match folds {
        [fold] => format!("fold {fold}"),
        many => format!("{} folds ({})", many.len(), list(many)),
    }
}

/// A mean and its deviation.
fn spread(score: Score, mean: f64, deviation: Option<f64>) -> String {
    match (score.is_error(), deviation) {
        (_, None) => shown(score, Some(mean)),
        (true, Some(d)) => format!("{mean:.4} ± {d:.4}"),
        (false, Some(d)) => format!("{:.1} ± {:.1} %", 100.0 * mean, 100.0 * d),
    }
}

/// A difference with its sign.
fn change(score: Score, difference: f64) -> String {
    let text = match score.is_error() {
        true => format!("{difference:+.4}"),
        false => format!("{:+.1}", 100.0 * difference),
    };
    text.replace('-', "−")
}
