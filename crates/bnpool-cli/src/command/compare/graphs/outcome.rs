//! What came out for every pooler: `compare.json` and `compare.csv`.

use crate::command::cluster::SCHEMA;
use crate::command::compare::comparison::Comparison;
use crate::command::compare::job::Job;
use crate::command::compare::sample::mean_supernodes;
use crate::command::compare::table::{csv, digits};
use crate::command::train::{Input, Source};
use crate::message::Failure;
use bnpool::task::learn::{LearnConfig, mean_and_deviation};
use bnpool_graph::split::Split;
use bnpool_math::metrics::PairedDifference;
use serde::{Deserialize, Serialize};

/// The data and the runs.
pub struct Evidence<'a> {
    pub input: &'a Input,
    pub splits: &'a [Split],
    pub folds: &'a [usize],
    pub jobs: &'a [Job],
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
pub struct Outcome {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    metric: &'static str,
    graphs: usize,
    pub folds: Vec<usize>,
    pub poolers: Vec<Row>,
    version: &'static str,
}

/// A pooler and what came of it.
#[derive(Serialize)]
pub struct Row {
    pub pooler: &'static str,
    pub title: &'static str,
    /// The metric on the test graphs of every fold.
    pub test: Vec<Option<f64>>,
    pub test_mean: Option<f64>,
    pub test_std: Option<f64>,
    /// To the first pooler; absent for that one itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference_interval: Option<[f64; 2]>,
    /// Size of the pooled graphs.
    pub supernodes_mean: Option<f64>,
    pub clusters_mean: Option<f64>,
    pub clusters_std: Option<f64>,
    pub parameters: usize,
    pub epochs: f64,
    pub seconds_per_epoch: f64,
    pub seconds: f64,
    pub peak_rss_mb: Option<f64>,
}

impl Outcome {
    /// Collects what the runs wrote.
    pub fn collect(
        comparison: &Comparison<LearnConfig, Source>,
        evidence: &Evidence,
    ) -> Result<Self, Failure> {
        let Evidence {
            input,
            splits,
            folds,
            jobs,
        } = *evidence;
        let mut poolers: Vec<Row> = Vec::with_capacity(jobs.len());
        for job in jobs {
            let metrics: RunMetrics = job.metrics()?;
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
                supernodes_mean: match metrics.clusters_mean {
                    // The clusters are its supernodes.
                    Some(mean) => Some(mean),
                    None => mean_supernodes(input, splits, folds, job)?,
                },
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

    /// As JSON.
    pub fn to_json(&self) -> Result<String, Failure> {
        serde_json::to_string_pretty(self)
            .map_err(|e| Failure::Running(format!("the comparison cannot be written: {e}")))
    }

    /// As csv, with all digits.
    pub fn to_csv(&self) -> String {
        let heading = [
            "pooler",
            "test_mean",
            "test_std",
            "difference",
            "difference_low",
            "difference_high",
            "supernodes_mean",
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
                row.supernodes_mean,
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
}
