//! The record of a finished run: its numbers, with fingerprints of settings and data.

use super::cell::{Cell, Run};
use super::item::Task;
use super::seal::{open_json, seal_json};
use crate::terminal::message::Failure;
use bnpool_task::run::RunDirectory;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Table;

/// Version of the keys of a record.
const SCHEMA: u32 = 1;

/// Result of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    schema: u32,
    pub task: String,
    #[serde(flatten)]
    pub cell: Cell,
    /// All settings of the run.
    config: Table,
    /// SHA-256 of settings, data set, task and fold.
    pub config_sha256: String,
    /// SHA-256 of the files of the data set, or how it was made.
    pub data: String,
    /// The numbers that tables are made of.
    pub metrics: BTreeMap<String, f64>,
    /// Number of test graphs by number of non-empty clusters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cluster_counts: BTreeMap<usize, usize>,
    /// Files kept beside it, with their SHA-256.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// Time and memory, which differ from machine to machine.
    pub effort: Effort,
    version: String,
}

/// Effort of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub seconds: f64,
    pub seconds_per_epoch: f64,
    pub peak_rss_mb: Option<f64>,
    pub threads: usize,
}

/// The numbers of `metrics.json` of one graph that are kept.
const CLUSTER_METRICS: &str = "acc cos nmi ari communities clusters modularity epochs loss_rec";
/// The numbers of a fold that are kept.
const FOLD_METRICS: &str = "val test epochs best_epoch clusters_mean clusters_std";

impl Record {
    /// The record of a run with these numbers.
    pub fn of(run: &Run, data: &str, metrics: BTreeMap<String, f64>) -> Self {
        Self {
            schema: SCHEMA,
            task: run.task.command().to_owned(),
            cell: run.cell.clone(),
            config: run.config.clone(),
            config_sha256: run.fingerprint.clone(),
            data: data.to_owned(),
            metrics,
            cluster_counts: BTreeMap::new(),
            files: BTreeMap::new(),
            effort: Effort::default(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The record of a run that has come to its end in `directory`.
    pub fn collect(run: &Run, data: &str, directory: &Path) -> Result<Self, Failure> {
        let directory = RunDirectory::at(directory);
        let metrics = read_json(&directory, "metrics.json")?;
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_f64);
        let (source, keys) = match run.task {
            Task::Train => (&metrics["folds"][0], FOLD_METRICS),
            Task::Cluster | Task::Count => (&metrics, CLUSTER_METRICS),
        };
        let kept = keys.split(' ').filter_map(|key| {
            let value = number(source, key)?;
            Some((key.to_owned(), value))
        });
        let mut record = Self::of(run, data, kept.collect());
        record.effort = Effort {
            seconds: number(&metrics, "seconds").unwrap_or(0.0),
            seconds_per_epoch: number(source, "seconds_per_epoch").unwrap_or(0.0),
            peak_rss_mb: number(&metrics, "peak_rss_mb"),
            threads: number(&metrics, "threads").unwrap_or(0.0) as usize,
        };
        if run.task == Task::Train {
            let fold = read_json(&directory, &format!("fold-{}.json", run.cell.fold))?;
            let counts = fold["clusters"].as_array().into_iter().flatten();
            for count in counts.filter_map(Value::as_u64) {
                *record.cluster_counts.entry(count as usize).or_default() += 1;
            }
        }
        Ok(record)
    }

    /// It as a line of JSON, with its checksum.
    pub fn line(&self) -> Result<String, Failure> {
        let mut value = serde_json::to_value(self)
            .map_err(|e| Failure::running(format!("a result cannot be written: {e}")))?;
        seal_json(&mut value);
        Ok(value.to_string())
    }

    /// The record of a line; refuses one that is damaged.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut value: Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        open_json(&mut value)?;
        if value["schema"] != SCHEMA {
            return Err("it was written by another version of bnpool".to_owned());
        }
        serde_json::from_value(value).map_err(|e| e.to_string())
    }
}

fn read_json(directory: &RunDirectory, name: &str) -> Result<Value, Failure> {
    let value = directory.read_written(name)?;
    value.ok_or_else(|| {
        let path = directory.file(name);
        Failure::running(format!("{}: it is not there", path.display()))
    })
}
