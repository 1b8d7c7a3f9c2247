//! The run of one pooler: whether it is there already, and how it is started.

use super::differences::{Difference, between};
use crate::message::Failure;
use bnpool::pool::PoolTraits;
use bnpool_task::learn::run::Facts;
use bnpool_task::run::{Entry, Plan, RunConfig, Source, read_metrics};
use bnpool_task::run::{RunDirectory, RunState};
use serde::de::DeserializeOwned;
use std::ffi::OsString;
use toml::{Table, Value};

/// What is left to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// Everything.
    All,
    /// The rest of a run that was stopped.
    Rest,
    /// Nothing: the run is there, with the same data and settings.
    Nothing,
}

/// The run of one pooler.
pub struct Job {
    pub pooler: &'static PoolTraits,
    /// What it is called: the pooler, and the seed if there are several.
    pub name: String,
    pub directory: RunDirectory,
    pub left: Left,
    /// Words of the command behind `bnpool`.
    pub words: Vec<OsString>,
}

impl Job {
    /// Reads the metrics of the run, which has come to its end.
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

/// What all runs have in common.
pub struct Protocol<'a, S> {
    /// `train` or `cluster`.
    pub command: &'static str,
    pub source: &'a S,
    pub sha256: Option<&'a str>,
    /// Folds of many graphs.
    pub folds: Option<&'a [usize]>,
    /// Flags that change no result: threads, jobs and the like.
    pub technical: Vec<OsString>,
    /// Start every run anew.
    pub overwrite: bool,
}

impl<S: Source> Protocol<'_, S> {
    /// The run of a pooler with these settings; `base` are those that the command
    /// starts from by itself.
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
                    // It has a flag.
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

    /// The data as flags.
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

    /// Looks at what is in the directory; refuses the run of another protocol.
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

/// What is left of a run that is there. Metrics that are damaged are refused now, and
/// not after other poolers were trained for hours.
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
    // Joined, so that a name that begins with a dash stays a value.
    words.push(format!("{flag}={value}").into());
}

/// Numbers separated by commas.
pub fn list<T: ToString>(numbers: &[T]) -> String {
    let words: Vec<String> = numbers.iter().map(T::to_string).collect();
    words.join(",")
}
