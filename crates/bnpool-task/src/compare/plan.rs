//! Plan of a comparison, and the state of its runs.

use super::{Subject, Wishes, list};
use crate::front::Front;
use crate::learn::run::{Facts, Folds};
use crate::run::{
    Entry, Existing, Place, Plan, Resumption, RunConfig, RunDirectory, RunState, Source,
    check_inputs, read_metrics, task_of,
};
use crate::{Failure, cluster, learn};
use bnpool::pool::{POOLERS, PoolTraits, find_pooler};
use bnpool_io::remedy::{Change, Remedy};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::{Table, Value};

/// Changes that resolve a conflict with existing runs.
const OTHER_RUNS: Remedy = Remedy::new("", &[Change::Overwrite, Change::Out]);

/// Source of the data of a comparison, which is that of its runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Compared<S>(S);

impl<S: Subject> Source for Compared<S> {
    const TASK: &'static str = S::COMPARISON;

    fn name(&self) -> String {
        self.0.name()
    }

    fn paths(&mut self) -> Vec<&mut PathBuf> {
        self.0.paths()
    }
}

/// Further facts in `run.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Protocol {
    poolers: Vec<String>,
    folds: Vec<usize>,
    /// Seeds on one graph, if there are others than that of the settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seeds: Vec<u64>,
}

/// A planned comparison: one protocol, and several poolers.
pub struct Comparison<S: Subject> {
    /// Data.
    pub source: S,
    /// Settings of all runs, except the pooler and the seed.
    pub config: S::Config,
    /// Poolers; the others are compared with the first.
    pub poolers: Vec<&'static PoolTraits>,
    /// Seeds of the runs of each pooler.
    pub seeds: Vec<u64>,
    /// Folds of an older comparison that is resumed.
    pub(super) folds: Option<Folds>,
    /// Directory of the comparison.
    pub directory: RunDirectory,
}

/// Remaining work of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    /// The whole run.
    All,
    /// The rest of a stopped run.
    Rest,
    /// Nothing: there is a finished run with the same data and settings.
    Nothing,
}

/// Run of one pooler with one seed.
pub struct Job {
    pub(super) pooler: &'static PoolTraits,
    seed: u64,
    /// Name of the run: the pooler, and the seed if there are several.
    pub(super) name: String,
    pub(super) directory: RunDirectory,
    pub(super) left: Left,
}

impl Job {
    /// Reads the metrics of the run, which must be finished.
    pub(super) fn metrics<T: DeserializeOwned>(&self) -> Result<T, Failure> {
        read_metrics(&self.directory)?.ok_or_else(|| {
            Failure::running(format!(
                "{}: {} is not there, though its run came to its end",
                self.name,
                self.directory.file("metrics.json").display()
            ))
        })
    }
}

impl<S: Subject> Comparison<S> {
    /// Creates a comparison in a directory, with the seed of the settings.
    pub fn new(
        source: S,
        config: S::Config,
        poolers: Vec<&'static PoolTraits>,
        directory: impl Into<PathBuf>,
    ) -> Self {
        Self {
            seeds: vec![config.seed()],
            source,
            config,
            poolers,
            folds: None,
            directory: RunDirectory::at(directory),
        }
    }

    /// Reads the comparison in a directory, with its own data and settings.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none.
    pub fn read(directory: RunDirectory) -> Result<Self, Failure> {
        let plan: Plan<S::Config, Compared<S>> = Plan::read(directory)?;
        let wrong = |problem: &str| {
            let file = plan.directory.file("run.toml");
            Failure::input(format!(
                "{}: it does not say which poolers are compared: {problem}",
                file.display()
            ))
        };
        let protocol = Value::Table(plan.facts.clone().unwrap_or_default());
        let protocol: Protocol = protocol
            .try_into()
            .map_err(|e: toml::de::Error| wrong(e.message()))?;
        let poolers = protocol.poolers.iter().map(|name| find_pooler(name));
        let poolers = poolers.collect::<Result<_, _>>();
        Ok(Self {
            seeds: if protocol.seeds.is_empty() {
                vec![plan.config.seed()]
            } else {
                protocol.seeds
            },
            poolers: poolers.map_err(|e| wrong(&e.to_string()))?,
            source: plan.source.0,
            config: plan.config,
            folds: Some(Folds::of(protocol.folds)),
            directory: plan.directory,
        })
    }

    /// Checks the directory: it is free, or holds this comparison, or may be replaced.
    pub(super) fn check(&self, wishes: &Wishes<'_>) -> Result<(), Failure> {
        let directory = &self.directory;
        if directory.state()? == RunState::Free {
            return Ok(());
        }
        check_state(directory)?;
        if wishes.overwrite {
            for (pooler, seed) in self.runs() {
                let run = self.run_directory(pooler, seed);
                check_inputs(&run, &self.source, &[wishes.config])?;
            }
            return check_inputs(directory, &self.source, &[wishes.config]);
        }
        let plan: Plan<S::Config, Compared<S>> = Plan::read(directory.clone())?;
        let settings = differences(&plan.config, &self.config)?;
        let data = differences(&plan.source, &self.source.absolute())?;
        match settings.iter().chain(&data).next() {
            None => Ok(()),
            Some(first) => Err(Failure::advised(
                format!(
                    "{} holds another comparison: {first}",
                    directory.path().display()
                ),
                OTHER_RUNS,
            )),
        }
    }

    /// Enters the directory, and writes the plan of the comparison.
    pub(super) fn enter(&mut self, folds: &[usize], sha256: Option<&str>) -> Result<(), Failure> {
        match self.directory.state()? {
            RunState::Free => self.directory.create(Existing::Keep)?,
            _ => self.directory.enter()?,
        }
        let protocol = Protocol {
            poolers: self.poolers.iter().map(|p| p.name.to_owned()).collect(),
            folds: folds.to_vec(),
            seeds: if self.seeds == [self.config.seed()] {
                Vec::new()
            } else {
                self.seeds.clone()
            },
        };
        let facts = Table::try_from(protocol)
            .map_err(|e| Failure::running(format!("the poolers cannot be written down: {e}")))?;
        let plan = Plan {
            source: Compared(self.source.clone()),
            config: self.config.clone(),
            directory: self.directory.clone(),
            entry: Entry::New(Existing::Keep),
            facts: Some(facts),
        };
        plan.write(sha256)
    }

    /// Describes the poolers and the data of the comparison.
    pub(super) fn introduce(&self, data: &str, front: &dyn Front) {
        let seeds = match self.seeds.as_slice() {
            [seed] => format!("seed {seed}"),
            many => format!("seeds {}", list(many)),
        };
        front.describe(&format!("{}: {data}; {seeds}", self.source.name()));
        let able = POOLERS.iter().filter(|pooler| S::is_able(pooler)).count();
        let all = if able == self.poolers.len() {
            S::ABLE
        } else {
            ""
        };
        let names: Vec<&str> = self.poolers.iter().map(|pooler| pooler.name).collect();
        front.describe(&format!(
            "{} poolers{all}: {}",
            names.len(),
            names.join(", ")
        ));
    }

    /// Returns the common settings of all poolers, for the page.
    pub(super) fn settings_toml(&self) -> Result<String, Failure> {
        let mut table = table_of(&self.config)?;
        // The only setting that differs between poolers.
        if let Some(Value::Table(pooler)) = table.get_mut("pooler") {
            pooler.remove("name");
        }
        Ok(table.to_string())
    }

    fn runs(&self) -> impl Iterator<Item = (&'static PoolTraits, u64)> {
        let seeds = |&pooler| self.seeds.iter().map(move |&seed| (pooler, seed));
        self.poolers.iter().flat_map(seeds)
    }

    /// Returns the directory of a run. That of the seed of the settings has no suffix, so
    /// that seeds can be added.
    fn run_directory(&self, pooler: &PoolTraits, seed: u64) -> RunDirectory {
        let name = pooler.name;
        RunDirectory::at(if seed == self.config.seed() {
            self.directory.file(name)
        } else {
            self.directory.file(&format!("{name}-seed-{seed}"))
        })
    }

    /// Returns the runs, grouped by pooler.
    pub(super) fn jobs(
        &self,
        folds: &[usize],
        sha256: Option<&str>,
        overwrite: bool,
    ) -> Result<Vec<Job>, Failure> {
        let job = |(pooler, seed): (&'static PoolTraits, u64)| {
            let config = self.config.of_run(pooler.name, seed);
            config.check()?;
            let mut job = Job {
                pooler,
                seed,
                name: pooler.name.to_owned(),
                directory: self.run_directory(pooler, seed),
                left: Left::All,
            };
            if self.seeds.len() > 1 {
                job.name += &format!(", seed {seed}");
            }
            if !overwrite {
                job.left = self.left(&job, &config, folds, sha256)?;
            }
            Ok(job)
        };
        self.runs().map(job).collect()
    }

    /// Returns the remaining work of a run; an error for a run of another protocol.
    fn left(
        &self,
        job: &Job,
        config: &S::Config,
        folds: &[usize],
        sha256: Option<&str>,
    ) -> Result<Left, Failure> {
        let directory = &job.directory;
        let state = directory.state()?;
        match state {
            RunState::Free => return Ok(Left::All),
            RunState::Foreign => directory.check(Existing::Keep)?,
            RunState::Finished | RunState::Unfinished => {}
        }
        let plan: Plan<S::Config, S> = Plan::read(directory.clone())?;
        let refuse = |problem: String| {
            Err(Failure::advised(
                format!(
                    "{} holds a run of `{}` that does not belong to this comparison: {problem}",
                    directory.path().display(),
                    job.pooler.name
                ),
                OTHER_RUNS,
            ))
        };
        let settings = differences(&plan.config, config)?;
        if let Some(first) = settings.first() {
            let more = match settings.len() {
                1 => String::new(),
                n => format!(", and {} more settings differ", n - 1),
            };
            return refuse(format!("{first}{more}"));
        }
        let mut data = differences(&plan.source, &self.source.absolute())?;
        if let Some(first) = data.drain(..).next() {
            return refuse(first);
        }
        if plan.check_data(sha256).is_err() {
            return refuse("its data have changed since".into());
        }
        let mut finished = state == RunState::Finished;
        if S::TASK == learn::run::SetSource::TASK {
            let own = Facts::read(plan.facts.as_ref())?.folds;
            // More folds can be added to a run.
            if own.iter().any(|fold| !folds.contains(fold)) {
                return refuse(format!(
                    "it has the folds {}, and {} are compared now",
                    list(&own),
                    list(folds)
                ));
            }
            finished &= own == folds;
        }
        if !finished {
            return Ok(Left::Rest);
        }
        // Damage is found here, and not after other poolers were trained for hours.
        job.metrics::<serde_json::Value>()?;
        Ok(Left::Nothing)
    }

    /// Returns the plan of a run.
    pub(super) fn plan(
        &self,
        job: &Job,
        wishes: &Wishes<'_>,
        front: &dyn Front,
    ) -> Result<Plan<S::Config, S>, Failure> {
        let out = Some(job.directory.path().to_owned());
        if job.left == Left::Rest {
            let resumption = Resumption {
                out,
                ..Resumption::default()
            };
            return Plan::resume(&S::default(), &resumption, front);
        }
        let place = Place {
            out,
            overwrite: wishes.overwrite,
        };
        let config = self.config.of_run(job.pooler.name, job.seed);
        Ok(Plan::new(self.source.clone(), config, &place))
    }
}

/// Checks that a directory holds a comparison, and returns whether it is one on a single
/// graph.
///
/// # Errors
///
/// Returns an error if the directory holds something else.
pub fn check_state(directory: &RunDirectory) -> Result<bool, Failure> {
    let path = directory.path().display();
    match directory.state()? {
        RunState::Free => {
            return Err(Failure::advised(
                format!("{path} holds no comparison to resume"),
                Change::Out,
            ));
        }
        RunState::Foreign => directory.check(Existing::Keep)?,
        RunState::Finished | RunState::Unfinished => {}
    }
    match task_of(directory)?.as_str() {
        cluster::run::GraphSource::COMPARISON => Ok(true),
        learn::run::SetSource::COMPARISON => Ok(false),
        task => Err(Failure::advised(
            format!("{path} holds a {task} run and no comparison"),
            Change::Out,
        )),
    }
}

fn table_of(value: &impl Serialize) -> Result<Table, Failure> {
    Table::try_from(value)
        .map_err(|e| Failure::running(format!("the settings cannot be written down: {e}")))
}

/// Describes the differences between two configurations, in the order of their keys.
fn differences(there: &impl Serialize, here: &impl Serialize) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    collect("", &table_of(there)?, &table_of(here)?, &mut found);
    Ok(found)
}

fn collect(prefix: &str, there: &Table, here: &Table, into: &mut Vec<String>) {
    let keys: std::collections::BTreeSet<&String> = there.keys().chain(here.keys()).collect();
    for key in keys {
        let path = format!("{prefix}{key}");
        let values = [there.get(key), here.get(key)];
        if let [Some(Value::Table(there)), Some(Value::Table(here))] = values {
            collect(&format!("{path}."), there, here, into);
        } else if values[0] != values[1] {
            let words = |value: Option<&Value>| value.map_or("not set".into(), Value::to_string);
            let [there, here] = values.map(words);
            into.push(format!("{path} is {there} there and {here} here"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named_by_their_keys() {
        let table = |text: &str| text.parse::<Table>().expect("TOML");
        let first = table("seed = 0\n[pooler]\nname = 'bn'\nratio = 0.5\nloss = 'auto'");
        let second = table("seed = 3\n[pooler]\nname = 'bn'\nratio = 0.25");
        let found = differences(&first, &second).expect("tables");
        assert_eq!(
            found,
            [
                "pooler.loss is \"auto\" there and not set here",
                "pooler.ratio is 0.5 there and 0.25 here",
                "seed is 0 there and 3 here",
            ]
        );
        assert!(differences(&first, &first).expect("tables").is_empty());
    }
}
