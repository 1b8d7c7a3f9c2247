//! What is to be done, before it is done; kept in `run.toml`.

use crate::directory::{Existing, RunDirectory, path_part};
use crate::message::Failure;
use crate::run::RunFlags;
use crate::seal::{open_table, seal_table};
use bnpool::pool::PoolerConfig;
use bnpool::task::TaskError;
use bnpool::task::cluster::ClusterConfig;
use bnpool::task::learn::LearnConfig;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::{Table, Value};

/// The section of `run.toml` that is not settings.
const RUN: &str = "run";

/// What the settings of every task have.
pub trait RunConfig: Serialize + DeserializeOwned {
    /// The pooler.
    fn pooler(&self) -> &PoolerConfig;
    /// Seed of everything random.
    fn seed(&self) -> u64;
    /// Changes the most epochs.
    fn set_epochs(&mut self, epochs: usize);
    /// Refuses values that are out of range.
    fn check(&self) -> Result<(), TaskError>;
}

macro_rules! run_configs {
    ($($config:ty),*) => {
        $(impl RunConfig for $config {
            fn pooler(&self) -> &PoolerConfig {
                &self.pooler
            }
            fn seed(&self) -> u64 {
                self.seed
            }
            fn set_epochs(&mut self, epochs: usize) {
                self.training.epochs = epochs;
            }
            fn check(&self) -> Result<(), TaskError> {
                self.check()
            }
        })*
    };
}

run_configs!(ClusterConfig, LearnConfig);

/// Where the data of a run come from, as `run.toml` keeps it.
pub trait Source: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    /// The word for the task in `run.toml`.
    const TASK: &'static str;
    /// The name that stands in the run directory and in the metrics.
    fn name(&self) -> String;
}

/// A run: its data, its settings, its directory.
pub struct Plan<C, S> {
    pub source: S,
    pub config: C,
    pub directory: RunDirectory,
    /// How the directory is entered.
    pub entry: Entry,
    /// What is known of the data, where the task keeps it.
    pub facts: Option<Table>,
}

/// How a run directory is entered.
pub enum Entry {
    /// A new run.
    New(Existing),
    /// The run that is there goes on; its data had this checksum.
    Resume { sha256: Option<String> },
}

/// What `run.toml` keeps beside the settings.
#[derive(Serialize, Deserialize)]
struct RunSection<S> {
    task: String,
    version: String,
    threads: usize,
    name: String,
    sha256: Option<String>,
    #[serde(flatten)]
    source: S,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Table>,
}

/// The task of the run in a directory.
pub fn task_of(directory: &RunDirectory) -> Result<String, Failure> {
    let (table, wrong) = read_table(directory)?;
    table
        .get(RUN)
        .and_then(|run| Some(run.get("task")?.as_str()?.to_owned()))
        .ok_or_else(|| wrong("it has no [run] section".into()))
}

/// The directory of a run: the one named, else one under `runs/`.
fn directory<S: Source>(source: &S, pooler: &str, seed: u64, flags: &RunFlags) -> RunDirectory {
    RunDirectory::new(flags.out.clone().unwrap_or_else(|| {
        let name = path_part(&source.name());
        PathBuf::from(format!("runs/{}-{name}-{pooler}-{seed}", S::TASK))
    }))
}

/// `run.toml`, and how to say what is wrong with it.
fn read_table(
    directory: &RunDirectory,
) -> Result<(Table, impl Fn(String) -> Failure + use<>), Failure> {
    let path = directory.file("run.toml");
    let wrong = move |problem: String| {
        Failure::Input(format!(
            "{}: {problem}; name the directory of a run",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(directory.file("run.toml"))
        .map_err(|e| wrong(format!("cannot read: {e}")))?;
    let mut table: Table = text
        .parse()
        .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
    let version = table.get(RUN).and_then(|run| run.get("version")?.as_str());
    check_version(version.unwrap_or_default()).map_err(&wrong)?;
    open_table(&mut table, RUN, &directory.file("run.toml"))?;
    Ok((table, wrong))
}

/// Refuses the files of a version that is yet to come.
fn check_version(version: &str) -> Result<(), String> {
    let parts = |v: &str| -> Vec<u64> {
        let numbers = v.split(['.', '-']).map_while(|part| part.parse().ok());
        numbers.collect()
    };
    let own = env!("CARGO_PKG_VERSION");
    // Patches never change what a file means.
    if parts(version).get(..2) > parts(own).get(..2) {
        return Err(format!(
            "it was written by bnpool {version}, and this is {own}: use the newer one"
        ));
    }
    Ok(())
}

impl<C: RunConfig, S: Source> Plan<C, S> {
    /// A new run.
    pub fn new(source: S, config: C, flags: &RunFlags) -> Self {
        let existing = match (&flags.out, flags.overwrite) {
            (_, true) => Existing::Replace,
            (Some(_), false) => Existing::Keep,
            // A directory nobody chose may be taken again.
            (None, false) => Existing::ReplaceFinished,
        };
        Self {
            directory: directory(&source, &config.pooler().name, config.seed(), flags),
            source,
            config,
            entry: Entry::New(existing),
            facts: None,
        }
    }

    /// The run that is in the directory: with its own settings, of which only
    /// the number of epochs can be changed.
    pub fn resume(source: &S, pooler: Option<&str>, flags: &RunFlags) -> Result<Self, Failure> {
        let seed = flags.seed.unwrap_or(0);
        let directory = directory(source, pooler.unwrap_or("bn"), seed, flags);
        if !directory.holds_run() {
            return Err(Failure::Input(format!(
                "{} holds no run to resume; name its directory with --out",
                directory.path().display()
            )));
        }
        let mut plan = Self::read(directory)?;
        if let Some(epochs) = flags.epochs {
            plan.config.set_epochs(epochs);
        }
        let other = *source != S::default() && *source != plan.source;
        if other || !flags.sets.is_empty() {
            return Err(Failure::Input(
                "--resume goes on with the data and the settings of the run; leave them out, or start anew with --overwrite".into(),
            ));
        }
        Ok(plan)
    }

    /// Reads the plan of the run in a directory.
    pub fn read(directory: RunDirectory) -> Result<Self, Failure> {
        let (mut table, wrong) = read_table(&directory)?;
        let run = table
            .remove(RUN)
            .ok_or_else(|| wrong("it has no [run] section".into()))?;
        let text = |key: &str| run.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("task") != S::TASK {
            return Err(wrong(format!(
                "it is a {} run, and a {} run is needed",
                text("task"),
                S::TASK
            )));
        }
        let run: RunSection<S> = run
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        let config = Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        Ok(Self {
            source: run.source,
            config,
            directory,
            entry: Entry::Resume { sha256: run.sha256 },
            facts: run.facts,
        })
    }

    /// Refuses data that are not those the run was begun with.
    pub fn check_data(&self, found: Option<&str>) -> Result<(), Failure> {
        match &self.entry {
            Entry::Resume { sha256 } if sha256.as_deref() != found => Err(Failure::Input(format!(
                "{}: the run was begun with other data than its files hold now; start it anew with --overwrite",
                self.directory.path().display()
            ))),
            _ => Ok(()),
        }
    }

    /// The text of `run.toml`.
    pub fn to_toml(&self, sha256: Option<&str>) -> Result<String, Failure> {
        let cannot = |e: toml::ser::Error| {
            Failure::Running(format!("the settings cannot be written down: {e}"))
        };
        let mut table = Table::try_from(&self.config).map_err(cannot)?;
        let run = RunSection {
            task: S::TASK.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            threads: rayon::current_num_threads(),
            name: self.source.name(),
            sha256: sha256.map(str::to_owned),
            source: self.source.clone(),
            facts: self.facts.clone(),
        };
        table.insert(RUN.into(), Value::try_from(run).map_err(cannot)?);
        seal_table(&mut table, RUN);
        toml::to_string(&table).map_err(cannot)
    }

    /// The settings alone, for the report.
    pub fn settings_toml(&self) -> Result<String, Failure> {
        toml::to_string(&self.config)
            .map_err(|e| Failure::Running(format!("the settings cannot be written down: {e}")))
    }
}

/// Leaves out the section of `run.toml` that is not settings, so that the file
/// of one run can be the configuration of the next.
pub fn without_run_section(mut table: Table) -> Table {
    table.remove(RUN);
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_files_are_refused() {
        assert!(check_version(env!("CARGO_PKG_VERSION")).is_ok());
        assert!(check_version("0.0.1").is_ok());
        let message = check_version("999.0.0").expect_err("newer");
        assert!(message.contains("999.0.0"), "{message}");
    }
}
