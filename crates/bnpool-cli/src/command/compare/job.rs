//! Run of one pooler: its state, and its command line.

use super::differences::{Difference, between};
use crate::terminal::message::Failure;
use bnpool::pool::PoolTraits;
use bnpool_task::learn::run::Facts;
use bnpool_task::run::{Entry, Plan, RunConfig, Source, read_metrics};
use bnpool_task::run::{RunDirectory, RunState};
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use toml::{Table, Value};

/// Remaining work of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// The whole run.
    All,
    /// The rest of a stopped run.
    Rest,
    /// Nothing: there is a finished run with the same data and settings.
    Nothing,
}

/// Run of one pooler.
pub struct Job {
    pub pooler: &'static PoolTraits,
    /// Name of the run: the pooler, and the seed if there are several.
    pub name: String,
    pub directory: RunDirectory,
    pub left: Left,
    /// Arguments of `bnpool`.
    pub words: Vec<OsString>,
}

impl Job {
    /// Reads the metrics of the run, which must be finished.
    pub fn metrics<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        read_metrics(&self.directory)?.ok_or_else(|| {
            Failure::running(format!(
                "{}: {} is not there, though its run came to its end",
                self.name,
                self.directory.file("metrics.json").display()
            ))
        })
    }
}

/// Common settings of all runs.
pub struct Protocol<'a, S> {
    /// `train` or `cluster`.
    pub command: &'static str,
    pub source: &'a S,
    pub sha256: Option<&'a str>,
    /// Folds of many graphs.
    pub folds: Option<&'a [usize]>,
    /// Flags that do not affect results, such as threads and jobs.
    pub technical: Vec<OsString>,
    /// Whether to start all runs from scratch.
    pub overwrite: bool,
}

impl<S: Source> Protocol<'_, S> {
    /// Creates the run of a pooler with these settings; `base` are the default
    /// settings of the command.
    pub fn job<C: RunConfig>(
        &self,
        pooler: &'static PoolTraits,
        base: &C,
        config: &C,
        preset: &str,
        directory: RunDirectory,
    ) -> Result<Job, Failure> {
        let left = if self.overwrite {
            Left::All
        } else {
            self.look(pooler, config, &directory)?
        };
        let mut words: Vec<OsString> = vec![self.command.into()];
        match left {
            Left::All => {
                words.extend(self.source_words()?);
                words.extend(["--pooler", pooler.name, "--preset", preset].map(OsString::from));
                for difference in between(base, config)? {
                    // The pooler has its own flag.
                    if difference.key == "pooler.name" {
                        continue;
                    }
                    if let Some(assignment) = difference.assignment() {
                        words.extend(["--set".into(), assignment.into()]);
                    }
                }
                if self.overwrite {
                    words.push("--overwrite".into());
                }
            }
            Left::Rest | Left::Nothing => words.push("--resume".into()),
        }
        if let Some(folds) = self.folds {
            words.extend(["--folds".into(), list(folds).into()]);
        }
        words.extend(["--out".into(), directory.path().into()]);
        words.extend(self.technical.iter().cloned());
        Ok(Job {
            pooler,
            name: pooler.name.to_owned(),
            directory,
            left,
            words,
        })
    }

    /// Returns the flags of the data.
    fn source_words(&self) -> Result<Vec<OsString>, Failure> {
        let table = Table::try_from(self.source.absolute())
            .map_err(|e| Failure::running(format!("the data cannot be written down: {e}")))?;
        let mut words = Vec::new();
        for (key, value) in &table {
            match (key.as_str(), value) {
                ("graph", Value::String(path)) => words.push(path.into()),
                ("input", Value::Table(flags)) => {
                    for (key, value) in flags {
                        match (key.as_str(), value) {
                            ("header", Value::Boolean(true)) => words.push("--header=yes".into()),
                            ("header", Value::Boolean(false)) => words.push("--header=no".into()),
                            _ => add_flag(&mut words, key, value),
                        }
                    }
                }
                _ => add_flag(&mut words, key, value),
            }
        }
        Ok(words)
    }

    /// Checks the content of the directory; returns an error for a run of
    /// another protocol.
    fn look<C: RunConfig>(
        &self,
        pooler: &PoolTraits,
        config: &C,
        directory: &RunDirectory,
    ) -> Result<Left, Failure> {
        let state = directory.state()?;
        if state == RunState::Free {
            return Ok(Left::All);
        }
        if state == RunState::Foreign {
            directory.check(bnpool_task::run::Existing::Keep)?;
        }
        let plan: Plan<C, S> = Plan::read(directory.clone())?;
        let refuse = |what: String| {
            Err(Failure::input(format!(
                "{} holds a run of `{}` that does not belong to this comparison: {what}; --overwrite replaces the runs, --out names another directory",
                directory.path().display(),
                pooler.name
            )))
        };
        let differences = between(&plan.config, config)?;
        if let Some(first) = differences.first() {
            let more = match differences.len() {
                1 => String::new(),
                n => format!(", and {} more settings differ", n - 1),
            };
            return refuse(format!("{}{more}", first.words()));
        }
        let source = between(&plan.source, &self.source.absolute())?;
        if let Some(first) = source.first().map(Difference::words) {
            return refuse(first);
        }
        if let Entry::Resume { sha256, .. } = &plan.entry
            && sha256.as_deref() != self.sha256
        {
            return refuse("its data have changed since".into());
        }
        let Some(folds) = self.folds else {
            return left(directory, state == RunState::Finished);
        };
        let own = Facts::read(plan.facts.as_ref())?.folds;
        match own.iter().find(|fold| !folds.contains(fold)) {
            Some(_) => refuse(format!(
                "it has the folds {}, and {} are compared now",
                list(&own),
                list(folds)
            )),
            // More folds can be added to a run.
            None => left(directory, state == RunState::Finished && own == folds),
        }
    }
}

/// Returns the remaining work of an existing run. Damaged metrics are detected here,
/// and not after other poolers were trained for hours.
fn left(directory: &RunDirectory, finished: bool) -> Result<Left, Failure> {
    if !finished {
        return Ok(Left::Rest);
    }
    read_metrics::<serde_json::Value>(directory)?;
    Ok(Left::Nothing)
}

fn add_flag(words: &mut Vec<OsString>, key: &str, value: &Value) {
    let flag = format!("--{}", key.replace('_', "-"));
    let value = match value {
        Value::Boolean(true) => {
            words.push(flag.into());
            return;
        }
        Value::Boolean(false) => return,
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let parts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            parts.join(",")
        }
        other => other.to_string(),
    };
    // Joined by `=`, so that a value may begin with a dash.
    words.push(format!("{flag}={value}").into());
}

/// Returns numbers separated by commas.
pub fn list<T: ToString>(numbers: &[T]) -> String {
    let words: Vec<String> = numbers.iter().map(T::to_string).collect();
    words.join(",")
}
