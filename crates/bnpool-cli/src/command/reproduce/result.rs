//! The result of a run: one small file with fingerprints of settings and data.

use super::cell::{Cell, Run};
use super::item::Task;
use crate::command::compare::differences::between;
use crate::message::Failure;
use bnpool_io::dataset::sha256_file;
use bnpool_io::format::write_atomically;
use bnpool_task::run::{open_if_sealed, open_json, seal_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Table;

/// Version of the keys of a result.
const SCHEMA: u32 = 1;

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
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
    files: BTreeMap<String, String>,
    /// Time and memory, which differ from machine to machine.
    pub effort: Effort,
    version: String,
}

/// What a run took.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub seconds: f64,
    pub seconds_per_epoch: f64,
    pub peak_rss_mb: Option<f64>,
    pub threads: usize,
}

/// The numbers of `metrics.json` of one graph that are kept.
const CLUSTER_METRICS: [&str; 8] = [
    "acc",
    "cos",
    "nmi",
    "ari",
    "communities",
    "clusters",
    "modularity",
    "epochs",
];
/// The numbers of a fold that are kept.
const FOLD_METRICS: [&str; 6] = [
    "val",
    "test",
    "epochs",
    "best_epoch",
    "clusters_mean",
    "clusters_std",
];

impl RunResult {
    /// The result of a run that has come to its end in `directory`.
    pub fn collect(run: &Run, data: &str, directory: &Path) -> Result<Self, Failure> {
        let metrics = read_json(&directory.join("metrics.json"))?;
        let number = |value: &Value, key: &str| value.get(key).and_then(Value::as_f64);
        let mut kept = BTreeMap::new();
        let mut cluster_counts = BTreeMap::new();
        let seconds_per_epoch = match run.task {
            Task::Cluster => {
                keep(&mut kept, &metrics, &CLUSTER_METRICS);
                number(&metrics, "seconds_per_epoch")
            }
            Task::Train => {
                let fold = metrics.get("folds").and_then(|folds| folds.get(0));
                let fold = fold.cloned().unwrap_or_default();
                keep(&mut kept, &fold, &FOLD_METRICS);
                let found = read_json(&directory.join(format!("fold-{}.json", run.cell.fold)))?;
                let counts = found.get("clusters").and_then(Value::as_array);
                for count in counts.into_iter().flatten().filter_map(Value::as_u64) {
                    *cluster_counts.entry(count as usize).or_default() += 1;
                }
                number(&fold, "seconds_per_epoch")
            }
            Task::Count => None,
        };
        let effort = Effort {
            seconds: number(&metrics, "seconds").unwrap_or(0.0),
            seconds_per_epoch: seconds_per_epoch.unwrap_or(0.0),
            peak_rss_mb: number(&metrics, "peak_rss_mb"),
            threads: number(&metrics, "threads").unwrap_or(0.0) as usize,
        };
        Ok(Self {
            cluster_counts,
            effort,
            ..Self::of(run, data, kept)
        })
    }

    /// The result of a run with these numbers.
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
            effort: Effort {
                seconds: 0.0,
                seconds_per_epoch: 0.0,
                peak_rss_mb: None,
                threads: 0,
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Writes it and the files that are kept; the result comes last, and says that
    /// all is there.
    pub fn write(mut self, run: &Run, from: &Path, folder: &Path) -> Result<Self, Failure> {
        for name in run.keep {
            let file = attachment(folder, run, name);
            let bytes = std::fs::read(from.join(name)).map_err(|e| {
                Failure::running(format!("{}: cannot read: {e}", from.join(name).display()))
            })?;
            write_atomically(&file, |out| out.write_all(&bytes))?;
            self.files.insert((*name).to_owned(), sha256_file(&file)?.0);
        }
        self.store(run, folder)?;
        Ok(self)
    }

    /// Writes it alone, as the result of a run that keeps no files.
    pub fn store(&self, run: &Run, folder: &Path) -> Result<(), Failure> {
        let value = self.sealed()?;
        Ok(write_atomically(&path(folder, run), |out| {
            writeln!(out, "{value:#}")
        })?)
    }

    /// It as JSON, with its checksum.
    pub fn sealed(&self) -> Result<Value, Failure> {
        let mut value = serde_json::to_value(self)
            .map_err(|e| Failure::running(format!("a result cannot be written: {e}")))?;
        seal_json(&mut value);
        Ok(value)
    }

    /// Reads a result; refuses one that is damaged.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| damaged(&origin, e))?;
        Self::parse(&text, &origin)
    }

    /// The result of a text; `origin` is where it stands.
    pub fn parse(text: &str, origin: &str) -> Result<Self, Failure> {
        let mut value: Value = serde_json::from_str(text).map_err(|e| damaged(origin, e))?;
        open_json(&mut value).map_err(|problem| damaged(origin, problem))?;
        let schema = value.get("schema").and_then(Value::as_u64);
        if schema != Some(u64::from(SCHEMA)) {
            return Err(Failure::input(format!(
                "{origin}: it was written by another version of bnpool; use that one, or another --out"
            )));
        }
        serde_json::from_value(value).map_err(|e| damaged(origin, e))
    }

    /// The first setting in which it differs from a run, in words.
    pub fn difference(&self, run: &Run) -> Option<String> {
        if self.config_sha256 == run.fingerprint {
            return None;
        }
        let differences = between(&self.config, &run.config).unwrap_or_default();
        Some(match differences.first() {
            Some(first) => first.words(),
            None => "it is of another run".to_owned(),
        })
    }

    /// Whether the files that a run keeps are there, as they were written.
    pub fn has_files(&self, run: &Run, folder: &Path) -> bool {
        run.keep.iter().all(|name| {
            let Some(sha256) = self.files.get(*name) else {
                return false;
            };
            let found = sha256_file(&attachment(folder, run, name));
            found.is_ok_and(|(found, _)| found == *sha256)
        })
    }
}

fn damaged(origin: &str, problem: impl std::fmt::Display) -> Failure {
    Failure::input(format!(
        "{origin}: this result is damaged: {problem}; remove it to have the run made again"
    ))
}

/// The file of a result.
pub fn path(folder: &Path, run: &Run) -> PathBuf {
    folder.join(format!("{}.json", run.id()))
}

/// A file that is kept beside a result.
pub fn attachment(folder: &Path, run: &Run, name: &str) -> PathBuf {
    folder.join(format!("{}.{name}", run.id()))
}

/// All results of a folder, by name of their files.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .collect();
    found.sort();
    found
}

fn keep(into: &mut BTreeMap<String, f64>, from: &Value, keys: &[&str]) {
    for key in keys {
        if let Some(number) = from.get(key).and_then(Value::as_f64) {
            into.insert((*key).to_owned(), number);
        }
    }
}

fn read_json(path: &Path) -> Result<Value, Failure> {
    let wrong =
        |problem: String| Failure::running(format!("{}: cannot read: {problem}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|e| wrong(e.to_string()))?;
    let mut value = serde_json::from_str(&text).map_err(|e| wrong(e.to_string()))?;
    open_if_sealed(&mut value).map_err(|problem| wrong(problem.to_owned()))?;
    Ok(value)
}
