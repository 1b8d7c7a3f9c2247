//! What every pooler found: `compare.json` and `compare.csv`.

use crate::command::cluster::{Input, SCHEMA, Source};
use crate::command::compare::comparison::Comparison;
use crate::command::compare::job::Job;
use crate::command::compare::table::{csv, digits};
use crate::message::Failure;
use bnpool::task::cluster::ClusterConfig;
use serde::{Deserialize, Serialize};

/// `compare.json` of one graph.
#[derive(Serialize)]
pub struct Outcome {
    schema: u32,
    task: &'static str,
    output: String,
    dataset: String,
    preset: &'static str,
    seed: u64,
    nodes: usize,
    edges: usize,
    pub classes: Option<usize>,
    pub poolers: Vec<Row>,
    version: &'static str,
}

/// A pooler and what it found.
#[derive(Serialize)]
pub struct Row {
    pub pooler: &'static str,
    pub title: &'static str,
    #[serde(flatten)]
    pub found: Found,
}

/// What is read of `metrics.json` of a run, and written again under the same
/// names.
#[derive(Serialize, Deserialize)]
pub struct Found {
    pub communities: usize,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Agreement>,
    pub modularity: f64,
    pub epochs: usize,
    pub seconds_per_epoch: f64,
    pub seconds: f64,
    pub peak_rss_mb: Option<f64>,
}

/// Agreement with known classes: of one posterior sample as in the paper, and of
/// the posterior mean, from which the communities are.
#[derive(Serialize, Deserialize)]
pub struct Agreement {
    pub acc: f64,
    pub acc_mean: f64,
    pub cos: f64,
    pub cos_mean: f64,
    pub nmi: f64,
    pub nmi_mean: f64,
    pub homogeneity: f64,
    pub homogeneity_mean: f64,
    pub completeness: f64,
    pub completeness_mean: f64,
    pub ari: f64,
    pub ari_mean: f64,
}

impl Outcome {
    /// Collects what the runs wrote.
    pub fn collect(
        comparison: &Comparison<ClusterConfig, Source>,
        input: &Input,
        jobs: &[Job],
    ) -> Result<Self, Failure> {
        let row = |job: &Job| {
            Ok(Row {
                pooler: job.pooler.name,
                title: job.pooler.title,
                found: job.metrics()?,
            })
        };
        let labels = input.graph.node_labels();
        Ok(Self {
            schema: SCHEMA,
            task: "compare",
            output: comparison.directory.path().display().to_string(),
            dataset: input.name.clone(),
            preset: comparison.config.preset.name(),
            seed: comparison.config.seed,
            nodes: input.graph.nodes(),
            edges: input.graph.edges(),
            classes: labels.map(|labels| {
                let classes: std::collections::BTreeSet<_> = labels.iter().collect();
                classes.len()
            }),
            poolers: jobs.iter().map(row).collect::<Result<_, Failure>>()?,
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
            "communities",
            "nmi_mean",
            "ari_mean",
            "cos_mean",
            "acc_mean",
            "nmi",
            "ari",
            "cos",
            "acc",
            "modularity",
            "epochs",
            "seconds_per_epoch",
            "seconds",
            "peak_rss_mb",
        ];
        let row = |row: &Row| {
            let found = &row.found;
            let of = |pick: fn(&Agreement) -> f64| found.agreement.as_ref().map(pick);
            let numbers = [
                Some(found.communities as f64),
                of(|a| a.nmi_mean),
                of(|a| a.ari_mean),
                of(|a| a.cos_mean),
                of(|a| a.acc_mean),
                of(|a| a.nmi),
                of(|a| a.ari),
                of(|a| a.cos),
                of(|a| a.acc),
                Some(found.modularity),
                Some(found.epochs as f64),
                Some(found.seconds_per_epoch),
                Some(found.seconds),
                found.peak_rss_mb,
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
