//! Results of all poolers: `compare.json` and `compare.csv`.

use super::numbers::{Numbers, compared, names};
use crate::command::compare::comparison::Comparison;
use crate::command::compare::job::Job;
use crate::command::compare::outcome::{Outcome, PoolerRow, paired};
use crate::terminal::message::Failure;
use bnpool_math::metrics::PairedDifference;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::cluster::run::{GraphSource, Input};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// `compare.json` of one graph.
pub type GraphOutcome = Outcome<Data, Row>;

/// Data of the comparison.
#[derive(Serialize)]
pub struct Data {
    nodes: usize,
    edges: usize,
    pub classes: Option<usize>,
    /// Seeds of the runs, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seeds: Option<Vec<u64>>,
}

/// A pooler with its results.
#[derive(Serialize)]
pub struct Row {
    pub pooler: &'static str,
    pub title: &'static str,
    /// Numbers of its run, or means over several seeds.
    #[serde(flatten)]
    pub found: Numbers,
    /// Statistics over several seeds.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
}

/// Statistics over several seeds.
#[derive(Serialize)]
pub struct Spread {
    /// Standard deviations over the seeds.
    pub std: Numbers,
    /// Differences to the first pooler, paired by seed; empty for the first one
    /// itself.
    pub differences: BTreeMap<&'static str, Difference>,
    /// Run of each seed.
    pub runs: Vec<Run>,
}

/// A mean difference with its 95 % interval.
#[derive(Clone, Copy, Serialize)]
pub struct Difference {
    pub mean: f64,
    pub interval: Option<[f64; 2]>,
}

impl From<PairedDifference> for Difference {
    fn from(found: PairedDifference) -> Self {
        Self {
            mean: found.mean,
            interval: found.interval,
        }
    }
}

/// The run of a seed.
#[derive(Serialize)]
pub struct Run {
    seed: u64,
    #[serde(flatten)]
    found: Numbers,
}

/// Collects the results of the runs, which are grouped by pooler.
pub fn collect(
    comparison: &Comparison<ClusterConfig, GraphSource>,
    input: &Input,
    jobs: &[Job],
) -> Result<GraphOutcome, Failure> {
    let seeds = &comparison.seeds;
    let mut poolers: Vec<Row> = Vec::with_capacity(comparison.poolers.len());
    for jobs in jobs.chunks(seeds.len().max(1)) {
        let runs = jobs
            .iter()
            .zip(seeds)
            .map(|(job, &seed)| {
                Ok(Run {
                    seed,
                    found: Numbers::read(job)?,
                })
            })
            .collect::<Result<Vec<Run>, Failure>>()?;
        poolers.extend(row(&jobs[0], runs, poolers.first()));
    }
    let labels = input.graph.node_labels();
    let data = Data {
        nodes: input.graph.nodes(),
        edges: input.graph.edges(),
        classes: labels.map(|labels| labels.iter().collect::<BTreeSet<_>>().len()),
        seeds: (seeds.len() > 1).then(|| seeds.clone()),
    };
    let preset = comparison.config.preset;
    Ok(Outcome::new(comparison, preset, &input.name, data, poolers))
}

/// Creates the row of a pooler, which is compared with `first`.
fn row(job: &Job, mut runs: Vec<Run>, first: Option<&Row>) -> Option<Row> {
    let row = |found, spread| Row {
        pooler: job.pooler.name,
        title: job.pooler.title,
        found,
        spread,
    };
    if runs.len() < 2 {
        return runs.pop().map(|run| row(run.found, None));
    }
    let of = |runs: &[Run], name: &str| -> Vec<Option<f64>> {
        runs.iter().map(|run| run.found.get(name)).collect()
    };
    let differences = first.and_then(|first| first.spread.as_ref()).map(|first| {
        let difference = |name: &'static str| {
            let found = paired(&of(&runs, name), &of(&first.runs, name))?;
            Some((name, found.into()))
        };
        compared().filter_map(difference).collect()
    });
    let numbers: Vec<&Numbers> = runs.iter().map(|run| &run.found).collect();
    let [means, std] = Numbers::spread(&numbers);
    Some(row(
        means,
        Some(Spread {
            std,
            differences: differences.unwrap_or_default(),
            runs,
        }),
    ))
}

impl Row {
    /// Returns the difference to the first pooler in a number.
    pub fn difference(&self, name: &str) -> Option<Difference> {
        self.spread.as_ref()?.differences.get(name).copied()
    }
}

impl PoolerRow for Row {
    fn pooler(&self) -> &'static str {
        self.pooler
    }

    fn fields(&self) -> Vec<(String, Option<f64>)> {
        let mut fields: Vec<(String, Option<f64>)> = names()
            .map(|name| (name.to_owned(), self.found.get(name)))
            .collect();
        let Some(spread) = &self.spread else {
            return fields;
        };
        for name in names() {
            fields.push((format!("{name}_std"), spread.std.get(name)));
        }
        for name in compared() {
            let found = self.difference(name);
            let interval = found.and_then(|d| d.interval);
            fields.extend([
                (format!("{name}_difference"), found.map(|d| d.mean)),
                (format!("{name}_difference_low"), interval.map(|i| i[0])),
                (format!("{name}_difference_high"), interval.map(|i| i[1])),
            ]);
        }
        fields
    }
}
