//! What is to be done, before it is done; kept in `run.toml`.

use super::source::{Input, Source};
use crate::directory::{Existing, RunDirectory};
use crate::message::Failure;
use bnpool::task::cluster::ClusterConfig;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

/// The section of `run.toml` that is not settings.
const RUN: &str = "run";

/// A run: its graph, its settings, its directory.
pub struct Plan {
    pub source: Source,
    pub config: ClusterConfig,
    pub directory: RunDirectory,
    /// How the directory is entered.
    pub entry: Entry,
}

/// How a run directory is entered.
pub enum Entry {
    /// A new run.
    New(Existing),
    /// The run that is there goes on; its graph had this checksum.
    Resume { sha256: Option<String> },
}

/// What `run.toml` keeps beside the settings.
#[derive(Serialize, Deserialize)]
struct RunSection {
    task: String,
    version: String,
    threads: usize,
    name: String,
    sha256: Option<String>,
    #[serde(flatten)]
    source: Source,
}

impl Plan {
    /// Reads the plan of the run in a directory.
    pub fn read(directory: RunDirectory) -> Result<Self, Failure> {
        let path = directory.file("run.toml");
        let wrong = |problem: String| {
            Failure::Input(format!(
                "{}: {problem}; name the directory of a clustering run",
                path.display()
            ))
        };
        let text =
            std::fs::read_to_string(&path).map_err(|e| wrong(format!("cannot read: {e}")))?;
        let mut table: Table = text
            .parse()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        let run: RunSection = table
            .remove(RUN)
            .ok_or_else(|| wrong("it has no [run] section".into()))?
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        if run.task != "cluster" {
            return Err(wrong(format!("it is a {} run", run.task)));
        }
        let config = Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        Ok(Self {
            source: run.source,
            config,
            directory,
            entry: Entry::Resume { sha256: run.sha256 },
        })
    }

    /// Refuses data that are not those the run was begun with.
    pub fn check_data(&self, input: &Input) -> Result<(), Failure> {
        match &self.entry {
            Entry::Resume { sha256 } if *sha256 != input.sha256 => Err(Failure::Input(format!(
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
            task: "cluster".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            threads: rayon::current_num_threads(),
            name: self.source.name(),
            sha256: sha256.map(str::to_owned),
            source: self.source.clone(),
        };
        table.insert(RUN.into(), Value::try_from(run).map_err(cannot)?);
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
