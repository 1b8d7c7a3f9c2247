//! Results of all poolers: `compare.json` and `compare.csv`.

use crate::command::compare::comparison::Comparison;
use crate::command::compare::job::Job;
use crate::command::compare::outcome::{Outcome, PoolerRow, paired};
use crate::command::compare::sample::mean_supernodes;
use crate::terminal::message::Failure;
use bnpool_graph::split::Split;
use bnpool_task::learn::run::{Input, SetSource};
use bnpool_task::learn::{LearnConfig, mean_and_deviation};
use serde::{Deserialize, Serialize};

/// Data and runs.
pub struct Evidence<'a> {
    pub input: &'a Input,
    pub splits: &'a [Split],
    pub folds: &'a [usize],
    pub jobs: &'a [Job],
}

/// The used keys of `metrics.json` of a run.
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
pub type GraphsOutcome = Outcome<Data, Row>;

/// Data of the comparison.
#[derive(Serialize)]
pub struct Data {
    metric: &'static str,
    graphs: usize,
    pub folds: Vec<usize>,
}

/// A pooler with its results.
#[derive(Serialize)]
pub struct Row {
    pub pooler: &'static str,
    pub title: &'static str,
    /// Metric on the test graphs of each fold.
    pub test: Vec<Option<f64>>,
    pub test_mean: Option<f64>,
    pub test_std: Option<f64>,
    /// Difference to the first pooler; absent for the first one itself.
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

/// Collects the results of the runs.
pub fn collect(
    comparison: &Comparison<LearnConfig, SetSource>,
    evidence: &Evidence,
) -> Result<GraphsOutcome, Failure> {
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
        let difference = poolers.first().and_then(|first| paired(&test, &first.test));
        let epochs: usize = metrics.folds.iter().map(|fold| fold.epochs).sum();
        poolers.push(Row {
            pooler: job.pooler.name,
            title: job.pooler.title,
            test_mean: spread.map(|s| s.0),
            test_std: spread.map(|s| s.1),
            difference: difference.map(|d| d.mean),
            difference_interval: difference.and_then(|d| d.interval),
            supernodes_mean: match metrics.clusters_mean {
                // Its clusters are its supernodes.
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
    let data = Data {
        metric: input.data.score.name(),
        graphs: input.data.len(),
        folds: folds.to_vec(),
    };
    let preset = comparison.config.preset;
    Ok(Outcome::new(comparison, preset, &input.name, data, poolers))
}

impl PoolerRow for Row {
    fn pooler(&self) -> &'static str {
        self.pooler
    }

    fn fields(&self) -> Vec<(String, Option<f64>)> {
        let interval = self.difference_interval;
        [
            ("test_mean", self.test_mean),
            ("test_std", self.test_std),
            ("difference", self.difference),
            ("difference_low", interval.map(|i| i[0])),
            ("difference_high", interval.map(|i| i[1])),
            ("supernodes_mean", self.supernodes_mean),
            ("clusters_mean", self.clusters_mean),
            ("clusters_std", self.clusters_std),
            ("parameters", Some(self.parameters as f64)),
            ("epochs", Some(self.epochs)),
            ("seconds_per_epoch", Some(self.seconds_per_epoch)),
            ("seconds", Some(self.seconds)),
            ("peak_rss_mb", self.peak_rss_mb),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
    }
}
