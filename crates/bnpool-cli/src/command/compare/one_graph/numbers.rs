//! Numbers of a run on one graph.

use crate::command::compare::job::Job;
use crate::terminal::message::Failure;
use bnpool_task::cluster::AGREEMENT;
use bnpool_task::learn::mean_and_deviation;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Returns the keys of the numbers in `metrics.json`, `compare.json` and `compare.csv`.
/// Agreement with known classes is that of the posterior mean (`_mean`), which determines
/// the communities, and that of one sample as in the paper.
pub fn names() -> impl Iterator<Item = &'static str> {
    let means = AGREEMENT.iter().map(|measure| measure.mean_key);
    let samples = AGREEMENT.iter().map(|measure| measure.key);
    let effort = [
        "modularity",
        "epochs",
        "seconds_per_epoch",
        "seconds",
        "peak_rss_mb",
    ];
    std::iter::once("communities")
        .chain(means)
        .chain(samples)
        .chain(effort)
}

/// Returns the keys of the numbers whose differences to the first pooler are
/// shown.
pub fn compared() -> impl Iterator<Item = &'static str> {
    let shown = || AGREEMENT.iter().filter(|measure| measure.shown);
    let means = shown().map(|measure| measure.mean_key);
    let samples = shown().map(|measure| measure.key);
    means.chain(samples).chain(["modularity"])
}

/// Numbers of every run.
const NEEDED: [&str; 5] = [
    "communities",
    "modularity",
    "epochs",
    "seconds_per_epoch",
    "seconds",
];

/// Numbers by name. Unavailable numbers are absent, such as agreement without
/// known classes.
#[derive(Debug, Clone, PartialEq)]
pub struct Numbers(Vec<(&'static str, f64)>);

impl Numbers {
    /// Reads the numbers of a run.
    pub fn read(job: &Job) -> Result<Self, Failure> {
        let metrics: Value = job.metrics()?;
        let number = |name: &'static str| Some((name, metrics.get(name)?.as_f64()?));
        let found = Self(names().filter_map(number).collect());
        match NEEDED.iter().find(|name| found.get(name).is_none()) {
            None => Ok(found),
            Some(name) => Err(Failure::input(format!(
                "{}: {} has no number `{name}`; remove the run to have it made again",
                job.name,
                job.directory.file("metrics.json").display()
            ))),
        }
    }

    /// Returns a number by name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let found = self.0.iter().find(|entry| entry.0 == name)?;
        Some(found.1)
    }

    /// Returns means and standard deviations over several runs, of the numbers
    /// that are available in all of them.
    pub fn spread(runs: &[&Self]) -> [Self; 2] {
        let (mut means, mut deviations) = (Vec::new(), Vec::new());
        for name in names() {
            let values: Option<Vec<f64>> = runs.iter().map(|run| run.get(name)).collect();
            if let Some((mean, deviation)) = values.as_deref().and_then(mean_and_deviation) {
                means.push((name, mean));
                deviations.push((name, deviation));
            }
        }
        [Self(means), Self(deviations)]
    }
}

impl Serialize for Numbers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        // Counts are written as integers, as in `metrics.json`.
        let value = |&(name, value): &(&'static str, f64)| {
            let count = matches!(name, "communities" | "epochs") && value.fract() == 0.0;
            let value = if count {
                Value::from(value as u64)
            } else {
                Value::from(value)
            };
            (name, value)
        };
        to.collect_map(self.0.iter().map(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_what_all_runs_know() {
        let first = Numbers(vec![("communities", 4.0), ("nmi", 0.5), ("seconds", 1.0)]);
        let second = Numbers(vec![("communities", 5.0), ("seconds", 3.0)]);
        let [means, deviations] = Numbers::spread(&[&first, &second]);
        assert_eq!(means, Numbers(vec![("communities", 4.5), ("seconds", 2.0)]));
        assert_eq!(deviations.get("nmi"), None);
        let json = serde_json::to_string(&first).expect("JSON");
        assert_eq!(json, r#"{"communities":4,"nmi":0.5,"seconds":1.0}"#);
    }
}
