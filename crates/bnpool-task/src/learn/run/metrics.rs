//! `metrics.json` of a graph-level run.

use super::Plan;
use super::fold::FinishedFold;
use super::source::Input;
use crate::cluster::run::SCHEMA;
use crate::learn::mean_and_deviation;
use serde::Serialize;

/// Metrics, in the order in which they are written.
#[derive(Debug, Clone, Serialize)]
pub struct Metrics {
    /// Version of these keys, as in `cluster`.
    schema: u32,
    /// Whether the training was stopped early.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    task: &'static str,
    /// Run directory.
    output: String,
    dataset: String,
    pooler: String,
    preset: &'static str,
    seed: u64,
    metric: &'static str,
    graphs: usize,
    /// Folds.
    pub folds: Vec<Fold>,
    /// Mean of the metric on the test graphs over the folds.
    pub test_mean: Option<f64>,
    /// Standard deviation of the preceding mean.
    pub test_std: Option<f64>,
    /// Mean number of clusters of the test graphs.
    pub clusters_mean: Option<f64>,
    /// Standard deviation of the preceding mean.
    pub clusters_std: Option<f64>,
    /// Number of trainable parameters.
    pub parameters: usize,
    /// Duration of the training in seconds.
    pub seconds: f64,
    peak_rss_mb: Option<f64>,
    threads: usize,
    version: &'static str,
}

/// Metrics of one fold.
#[derive(Debug, Clone, Serialize)]
pub struct Fold {
    /// Number of the fold.
    pub fold: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unfinished: bool,
    train_graphs: usize,
    val_graphs: usize,
    test_graphs: usize,
    /// Metric on the validation graphs.
    pub val: Option<f64>,
    /// Metric on the test graphs.
    pub test: Option<f64>,
    /// Number of epochs.
    pub epochs: usize,
    /// Epoch whose parameters are used.
    pub best_epoch: usize,
    /// Mean time of an epoch.
    pub seconds_per_epoch: f64,
    /// Mean number of clusters of the test graphs.
    pub clusters_mean: Option<f64>,
    /// Standard deviation of the preceding mean.
    pub clusters_std: Option<f64>,
}

impl Metrics {
    /// Collects the metrics.
    pub(super) fn new(plan: &Plan, input: &Input, folds: &[FinishedFold]) -> Self {
        let tests: Vec<f64> = folds.iter().filter_map(|f| f.result.test).collect();
        let test = mean_and_deviation(&tests);
        let counts: Vec<f64> = folds
            .iter()
            .flat_map(|f| f.result.clusters.iter().map(|&c| c as f64))
            .collect();
        let clusters = mean_and_deviation(&counts);
        Self {
            schema: SCHEMA,
            unfinished: false,
            task: "train",
            output: plan.directory.path().display().to_string(),
            dataset: input.name.clone(),
            pooler: plan.config.pooler.name.clone(),
            preset: plan.config.preset.name(),
            seed: plan.config.seed,
            metric: input.data.score.name(),
            graphs: input.data.len(),
            folds: folds.iter().map(Fold::new).collect(),
            test_mean: test.map(|t| t.0),
            test_std: test.map(|t| t.1),
            clusters_mean: clusters.map(|c| c.0),
            clusters_std: clusters.map(|c| c.1),
            parameters: folds.first().map_or(0, |f| f.result.parameters),
            seconds: folds.iter().map(|f| f.seconds).sum(),
            peak_rss_mb: crate::run::peak_rss_mb(),
            threads: rayon::current_num_threads(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Sets whether the training was stopped early.
    pub(super) fn with_unfinished(self, unfinished: bool) -> Self {
        Self { unfinished, ..self }
    }

    /// Returns whether the training was stopped early.
    #[must_use]
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }
}

impl Fold {
    fn new(fold: &FinishedFold) -> Self {
        let r = &fold.result;
        let counts: Vec<f64> = r.clusters.iter().map(|&c| c as f64).collect();
        let clusters = mean_and_deviation(&counts);
        Self {
            fold: r.fold,
            unfinished: fold.unfinished,
            train_graphs: r.graphs[0],
            val_graphs: r.graphs[1],
            test_graphs: r.graphs[2],
            val: r.val,
            test: r.test,
            epochs: r.epochs,
            best_epoch: r.best_epoch,
            seconds_per_epoch: fold.seconds / r.epochs.max(1) as f64,
            clusters_mean: clusters.map(|c| c.0),
            clusters_std: clusters.map(|c| c.1),
        }
    }
}
