//! Plan of a run, as stored in `run.toml`: data, settings, directory.

use super::{Existing, Inputs, RunDirectory, RunState, path_part};
use crate::cluster::ClusterConfig;
use crate::front::Front;
use crate::learn::LearnConfig;
use crate::settings::Whole;
use crate::{Failure, Preset, TaskError};
use bnpool::pool::PoolerConfig;
use bnpool_io::remedy::{Change, Remedy};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// File of a plan.
const FILE: &str = "run.toml";

/// Section of `run.toml` that is not part of the settings.
const RUN: &str = "run";

/// File of the graph of a run, if the graph has no other file.
pub const OWN_GRAPH: &str = "graph.safetensors";

/// Settings of a task.
pub trait RunConfig: Serialize + DeserializeOwned + TryFrom<Whole, Error = String> {
    /// Returns the settings of the pooler.
    fn pooler(&self) -> &PoolerConfig;
    /// Returns the seed of all random numbers.
    fn seed(&self) -> u64;
    /// Returns the preset that the settings started from.
    fn preset(&self) -> Preset;
    /// Changes the maximum number of epochs.
    fn set_epochs(&mut self, epochs: usize);
    /// Returns the settings with another pooler and seed.
    #[must_use]
    fn of_run(&self, pooler: &str, seed: u64) -> Self;
    /// Checks the range of all values.
    ///
    /// # Errors
    ///
    /// Returns an error if a value is out of range.
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
            fn preset(&self) -> Preset {
                self.preset
            }
            fn set_epochs(&mut self, epochs: usize) {
                self.training.epochs = epochs;
            }
            fn of_run(&self, pooler: &str, seed: u64) -> Self {
                let mut config = self.clone();
                config.pooler.name = pooler.to_owned();
                config.seed = seed;
                config
            }
            fn check(&self) -> Result<(), TaskError> {
                self.check()
            }
        })*
    };
}

run_configs!(ClusterConfig, LearnConfig);

/// Source of the data of a run, as stored in `run.toml`.
pub trait Source: Clone + Default + PartialEq + Serialize + DeserializeOwned {
    /// Name of the task in `run.toml`.
    const TASK: &'static str;
    /// Returns the name for the run directory and the metrics.
    fn name(&self) -> String;
    /// Returns the files and folders given by the user.
    fn paths(&mut self) -> Vec<&mut PathBuf>;

    /// Returns copies of these paths.
    fn inputs(&self) -> Vec<PathBuf> {
        let mut own = self.clone();
        own.paths().into_iter().map(std::mem::take).collect()
    }

    /// Makes all paths absolute, so that they are valid in any directory.
    #[must_use]
    fn absolute(&self) -> Self {
        let mut all = self.clone();
        for path in all.paths() {
            // Pipes and standard input have no permanent path.
            let absolute = if path.is_file() || path.is_dir() {
                path.canonicalize()
            } else if path.as_os_str() == "-" {
                continue;
            } else {
                std::path::absolute(&*path)
            };
            if let Ok(absolute) = absolute {
                *path = absolute;
            }
        }
        all
    }
}

/// Plan of a run: data, settings, directory.
pub struct Plan<C, S> {
    /// Source of the data.
    pub source: S,
    /// Settings.
    pub config: C,
    /// Run directory.
    pub directory: RunDirectory,
    /// Entry mode of the directory.
    pub entry: Entry,
    /// Facts about the data, if stored by the task.
    pub facts: Option<Table>,
}

/// Entry mode of a run directory.
pub enum Entry {
    /// A new run.
    New(Existing),
    /// Continuation of the existing run.
    Resume {
        /// Checksum of the data.
        sha256: Option<String>,
        /// Whether more epochs are requested.
        more_epochs: bool,
    },
}

/// Directory requested by the user.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// Directory; by default a new one under `runs/`.
    pub out: Option<PathBuf>,
    /// Whether to replace an existing run.
    pub overwrite: bool,
}

/// A run to continue.
#[derive(Debug, Clone, Default)]
pub struct Resumption {
    /// Directory; by default the newest unfinished one with the name of a new run.
    pub out: Option<PathBuf>,
    /// Pooler in that name.
    pub pooler: Option<String>,
    /// Seed in that name.
    pub seed: Option<u64>,
    /// New maximum number of epochs.
    pub epochs: Option<usize>,
    /// Whether other settings are given, which are not allowed for a resumed
    /// run.
    pub with_settings: bool,
}

/// Section of `run.toml` next to the settings.
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

/// Checks that a run in a directory would not replace its data or other inputs.
///
/// # Errors
///
/// Returns an error if it would replace an input.
pub fn check_inputs<S: Source>(
    directory: &RunDirectory,
    source: &S,
    others: &[Option<&Path>],
) -> Result<(), Failure> {
    for input in others.iter().flatten() {
        directory.check_input(input)?;
    }
    for input in source.inputs() {
        directory.check_input(&input)?;
    }
    Ok(())
}

/// Returns the task of the run in a directory.
///
/// # Errors
///
/// Returns an error if the directory contains no run of this version.
pub fn task_of(directory: &RunDirectory) -> Result<String, Failure> {
    let (table, wrong) = read_table(directory)?;
    table
        .get(RUN)
        .and_then(|run| Some(run.get("task")?.as_str()?.to_owned()))
        .ok_or_else(|| wrong("it has no [run] section".into()))
}

/// Returns the directory of a run: the given one, or one under `runs/`.
fn directory<S: Source>(source: &S, pooler: &str, seed: u64, out: Option<&Path>) -> RunDirectory {
    RunDirectory::at(out.map_or_else(
        || {
            let name = path_part(&source.name());
            PathBuf::from(format!("runs/{}-{name}-{pooler}-{seed}", S::TASK))
        },
        Path::to_owned,
    ))
}

/// Reads `run.toml`, and returns it with a function that creates failures about
/// it.
fn read_table(
    directory: &RunDirectory,
) -> Result<(Table, impl Fn(String) -> Failure + use<>), Failure> {
    let path = directory.file(FILE);
    let wrong = move |problem: String| {
        Failure::input(format!(
            "{}: {problem}; name the directory of a run",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(directory.file(FILE))
        .map_err(|e| wrong(format!("cannot read: {e}")))?;
    // Checked first, because a newer version may have other rules for the list.
    let table = opened(&text, &wrong)?;
    let problem = directory.problem(FILE, text.as_bytes());
    if let Some(problem) = problem.filter(|_| !directory.is_copy()) {
        return Err(Failure::advised(
            format!(
                "{}: {problem}, and the settings of a run cannot be edited",
                directory.file(FILE).display()
            ),
            Change::OwnSettings,
        ));
    }
    Ok((table, wrong))
}

/// Parses `run.toml`, if its version is known.
fn opened(text: &str, wrong: &impl Fn(String) -> Failure) -> Result<Table, Failure> {
    let table: Table = text
        .parse()
        .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
    let version = table.get(RUN).and_then(|run| run.get("version")?.as_str());
    check_version(version.unwrap_or_default()).map_err(wrong)?;
    Ok(table)
}

/// Returns an error for files of a newer version.
fn check_version(version: &str) -> Result<(), String> {
    let parts = |v: &str| -> Vec<u64> {
        let numbers = v.split(['.', '-']).map_while(|part| part.parse().ok());
        numbers.collect()
    };
    let own = env!("CARGO_PKG_VERSION");
    // Patch versions never change the meaning of files.
    if parts(version).get(..2) > parts(own).get(..2) {
        return Err(format!(
            "it was written by bnpool {version}, and this is {own}: use the newer one"
        ));
    }
    Ok(())
}

impl<C: RunConfig, S: Source> Plan<C, S> {
    /// Creates a new run.
    #[must_use]
    pub fn new(source: S, config: C, place: &Place) -> Self {
        let existing = match (&place.out, place.overwrite) {
            (_, true) => Existing::Replace,
            (Some(_), false) => Existing::Keep,
            (None, false) => Existing::Beside,
        };
        Self {
            directory: directory(
                &source,
                &config.pooler().name,
                config.seed(),
                place.out.as_deref(),
            ),
            source,
            config,
            entry: Entry::New(existing),
            facts: None,
        }
    }

    /// Checks the directory of a new run before the work. `others` are further
    /// inputs.
    ///
    /// # Errors
    ///
    /// Returns an error if the run would replace files that must be kept.
    pub fn check_directory(&self, others: &[Option<&Path>]) -> Result<(), Failure> {
        let Entry::New(existing) = self.entry else {
            return Ok(());
        };
        // A directory beside another run replaces nothing.
        if existing != Existing::Beside {
            check_inputs(&self.directory, &self.source, others)?;
        }
        Ok(self.directory.check(existing)?)
    }

    /// Checks before the work that no plot in a folder would replace an input.
    ///
    /// # Errors
    ///
    /// Returns an error if a plot would replace an input.
    pub fn check_plots(&self, folder: Option<&Path>, others: &[&Path]) -> Result<(), Failure> {
        let Some(folder) = folder else {
            return Ok(());
        };
        let data = self.source.inputs();
        let inputs = data.iter().map(PathBuf::as_path);
        let inputs = inputs.chain(others.iter().copied());
        Inputs::new(inputs).check_pictures(folder)
    }

    /// Creates the directory of a new run, and writes `run.toml` into it.
    ///
    /// # Errors
    ///
    /// As [`RunDirectory::create`].
    pub fn create(
        &mut self,
        existing: Existing,
        sha256: Option<&str>,
        front: &dyn Front,
    ) -> Result<(), Failure> {
        let wanted = self.directory.path().to_owned();
        self.directory.create(existing)?;
        if self.directory.path() != wanted {
            let left = match RunDirectory::at(&wanted).state() {
                Ok(RunState::Finished) => "a finished run",
                Ok(RunState::Foreign) => "other files",
                _ => "an unfinished run",
            };
            front.note(&format!(
                "{} holds {left}, so this run goes to {}",
                wanted.display(),
                self.directory.path().display()
            ));
        }
        self.write(sha256)
    }

    /// Writes `run.toml`.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&self, sha256: Option<&str>) -> Result<(), Failure> {
        let text = self.to_toml(sha256)?;
        Ok(self.directory.write_bytes(FILE, text.as_bytes())?)
    }

    /// Creates the plan of an existing run with its own settings, of which only
    /// the number of epochs can be changed.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such run, or its data differ from
    /// `source`.
    pub fn resume(source: &S, wish: &Resumption, front: &dyn Front) -> Result<Self, Failure> {
        let (seed, out) = (wish.seed.unwrap_or(0), wish.out.as_deref());
        let named = directory(source, wish.pooler.as_deref().unwrap_or("bn"), seed, out);
        let wanted = (*source != S::default()).then(|| source.absolute());
        let is_wanted = |plan: &Self| wanted.as_ref().is_none_or(|source| *source == plan.source);
        let mut directory = match out {
            Some(_) => named,
            None => Self::newest(&named, is_wanted)?,
        };
        directory.enter()?;
        let mut plan = Self::read(directory)?;
        if !is_wanted(&plan) || wish.with_settings {
            return Err(Failure::advised(
                "a resumed run keeps its data and its settings",
                Remedy::new("leave them out", &[Change::Restart]),
            ));
        }
        if let (Some(epochs), Entry::Resume { more_epochs, .. }) = (wish.epochs, &mut plan.entry) {
            plan.config.set_epochs(epochs);
            plan.config.check()?;
            *more_epochs = true;
            let done = epochs_done(&plan.directory);
            if epochs < done {
                // `run.toml` must not contain fewer epochs than there are.
                plan.config.set_epochs(done);
                front.note(&format!(
                    "{done} epochs are done already, so the run keeps {done} instead of {epochs}"
                ));
            }
        }
        Ok(plan)
    }

    /// Returns the newest directory of a name with an unfinished run of the
    /// given data, or with any run of them if there is none.
    fn newest(
        named: &RunDirectory,
        wanted: impl Fn(&Self) -> bool,
    ) -> Result<RunDirectory, Failure> {
        let all: Vec<RunDirectory> = named
            .of_same_name()
            .into_iter()
            .filter(|directory| Self::read(directory.clone()).is_ok_and(|plan| wanted(&plan)))
            .collect();
        let unfinished = all
            .iter()
            .find(|directory| matches!(directory.state(), Ok(RunState::Unfinished)));
        Ok(unfinished.or(all.first()).unwrap_or(named).clone())
    }

    /// Reads the plan of the run in a directory.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no run of this task, or its `run.toml` was
    /// changed.
    pub fn read(directory: RunDirectory) -> Result<Self, Failure> {
        let (table, wrong) = read_table(&directory)?;
        Self::of_table(table, directory, wrong)
    }

    /// Parses the plan from the text of a `run.toml`.
    ///
    /// # Errors
    ///
    /// As [`Plan::read`].
    pub fn parse(text: &str, directory: RunDirectory) -> Result<Self, Failure> {
        let wrong = |problem: String| Failure::input(format!("run.toml: {problem}"));
        let table = opened(text, &wrong)?;
        Self::of_table(table, directory, wrong)
    }

    fn of_table(
        mut table: Table,
        directory: RunDirectory,
        wrong: impl Fn(String) -> Failure,
    ) -> Result<Self, Failure> {
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
        let mut run: RunSection<S> = run
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        // A run that contains its graph can be moved.
        for path in run.source.paths() {
            let own = directory.file(OWN_GRAPH);
            if path.file_name() == Some(OWN_GRAPH.as_ref()) && !path.exists() && own.exists() {
                *path = own;
            }
        }
        let config = Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message().to_owned()))?;
        Ok(Self {
            source: run.source,
            config,
            directory,
            entry: Entry::Resume {
                sha256: run.sha256,
                more_epochs: false,
            },
            facts: run.facts,
        })
    }

    /// Checks that the data have not changed since the run started.
    ///
    /// # Errors
    ///
    /// Returns an error if they have changed.
    pub fn check_data(&self, found: Option<&str>) -> Result<(), Failure> {
        match &self.entry {
            Entry::Resume { sha256, .. } if sha256.as_deref() != found => Err(Failure::advised(
                format!(
                    "{}: its input files have changed since the run started",
                    self.directory.path().display()
                ),
                Change::Restart,
            )),
            _ => Ok(()),
        }
    }

    /// Returns the text of `run.toml`.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be represented in TOML.
    pub fn to_toml(&self, sha256: Option<&str>) -> Result<String, Failure> {
        let cannot =
            |e: toml::ser::Error| Failure::running(format!("the settings cannot be written: {e}"));
        let mut table = Table::try_from(&self.config).map_err(cannot)?;
        let run = RunSection {
            task: S::TASK.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            threads: rayon::current_num_threads(),
            name: self.source.name(),
            sha256: sha256.map(str::to_owned),
            source: self.source.absolute(),
            facts: self.facts.clone(),
        };
        table.insert(RUN.into(), Value::try_from(run).map_err(cannot)?);
        toml::to_string(&table).map_err(cannot)
    }

    /// Returns the settings only.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be represented in TOML.
    pub fn settings_toml(&self) -> Result<String, Failure> {
        toml::to_string(&self.config)
            .map_err(|e| Failure::running(format!("the settings cannot be written: {e}")))
    }
}

/// Returns the largest number of epochs in the histories of the starts or folds
/// of a run.
fn epochs_done(directory: &RunDirectory) -> usize {
    let Ok(entries) = std::fs::read_dir(directory.path()) else {
        return 0;
    };
    let is_history = |name: &str| name.starts_with("history") && name.ends_with(".jsonl");
    let histories = entries
        .flatten()
        .filter(|entry| is_history(&entry.file_name().to_string_lossy()))
        .filter_map(|entry| std::fs::read(entry.path()).ok());
    let epoch_of = |line: &[u8]| -> Option<u64> {
        let line: serde_json::Value = serde_json::from_slice(line).ok()?;
        line.get("epoch")?.as_u64()
    };
    histories
        .filter_map(|text| text.split(|&b| b == b'\n').filter_map(epoch_of).max())
        .max()
        .map_or(0, |epochs| epochs as usize)
}

/// Removes the section of `run.toml` that is not part of the settings, so that the
/// file can be the configuration of another run.
#[must_use]
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
