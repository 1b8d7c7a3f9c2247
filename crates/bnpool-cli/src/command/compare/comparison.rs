//! Directory of a comparison, with its plan.

use super::Arguments;
use super::choose::{choose, names};
use super::differences::between;
use super::job::list;
use crate::flags::run::RunFlags;
use crate::terminal::message::Failure;
use bnpool::pool::PoolTraits;
use bnpool_task::cluster::run::GraphSource;
use bnpool_task::learn::run::SetSource;
use bnpool_task::run::{
    Entry, Existing, Plan, RunConfig, RunDirectory, RunState, Source, check_inputs, path_part,
    task_of,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use toml::{Table, Value};

/// Name of comparisons on many graphs in `run.toml`.
pub const MANY_GRAPHS: &str = "compare-graphs";
/// Name of comparisons on one graph.
pub const ONE_GRAPH: &str = "compare-graph";

/// Source of the data of a comparison, which is that of its runs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Compared<S>(pub S);

macro_rules! compared {
    ($($source:ty => $task:expr),*) => {
        $(impl Source for Compared<$source> {
            const TASK: &'static str = $task;

            fn name(&self) -> String {
                self.0.name()
            }

            fn paths(&mut self) -> Vec<&mut PathBuf> {
                self.0.paths()
            }
        })*
    };
}

compared!(SetSource => MANY_GRAPHS, GraphSource => ONE_GRAPH);

/// Further facts in `run.toml`.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Facts {
    poolers: Vec<String>,
    folds: Vec<usize>,
    /// Seeds on one graph, if there are others than that of the settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    seeds: Vec<u64>,
}

/// A planned comparison: one protocol, and several poolers.
pub struct Comparison<C, S> {
    pub source: S,
    /// Settings, for any pooler.
    pub config: C,
    pub poolers: Vec<&'static PoolTraits>,
    /// Folds of an older comparison that is resumed.
    pub folds: Option<Vec<usize>>,
    /// Seeds of the runs of each pooler. They include the seed of the settings,
    /// unless others are requested for a resumed comparison.
    pub seeds: Vec<u64>,
    pub directory: RunDirectory,
}

impl<C: RunConfig, S: Source> Comparison<C, S>
where
    Compared<S>: Source,
{
    /// Creates the comparison from the flags; `config` creates its settings.
    pub fn new(
        arguments: &Arguments,
        source: S,
        config: impl FnOnce(&S) -> Result<C, Failure>,
    ) -> Result<Self, Failure> {
        if !arguments.has_data() {
            return Self::resumed(arguments);
        }
        let config = config(&source)?;
        let directory = arguments.run.out.clone().unwrap_or_else(|| {
            let name = path_part(&source.name());
            PathBuf::from(format!("runs/compare-{name}-{}", config.seed()))
        });
        let comparison = Self {
            poolers: Self::choose(arguments.poolers.as_deref())?,
            directory: RunDirectory::at(directory),
            folds: None,
            seeds: match &arguments.seeds {
                Some(seeds) => seeds.0.clone(),
                None => vec![config.seed()],
            },
            source,
            config,
        };
        match comparison.directory.state()? {
            RunState::Free if arguments.run.resume => Err(nothing_to_resume(&comparison.directory)),
            RunState::Free => Ok(comparison),
            _ => {
                check_state(&comparison.directory)?;
                if arguments.run.overwrite {
                    comparison.check_inputs(&arguments.run)?
                } else {
                    comparison.check_same()?
                }
                Ok(comparison)
            }
        }
    }

    /// Checks that the comparison and its runs would not replace an input.
    fn check_inputs(&self, flags: &RunFlags) -> Result<(), Failure> {
        let poolers = self.poolers.iter();
        let runs = poolers.flat_map(|pooler| {
            let seeds = self.seeds.iter();
            seeds.map(move |&seed| self.seed_directory(pooler, seed))
        });
        for directory in runs.chain([self.directory.clone()]) {
            check_inputs(&directory, &self.source, &[flags.config.as_deref()])?;
        }
        Ok(())
    }

    /// Returns an error for the directory of another comparison.
    fn check_same(&self) -> Result<(), Failure> {
        let directory = &self.directory;
        let plan: Plan<C, Compared<S>> = Plan::read(directory.clone())?;
        let settings = between(&plan.config, &self.config)?;
        let data = between(&plan.source, &self.source.absolute())?;
        match settings.iter().chain(&data).next() {
            None => Ok(()),
            Some(first) => Err(Failure::input(format!(
                "{} holds another comparison: {}; --overwrite replaces it, --out names another directory",
                directory.path().display(),
                first.words()
            ))),
        }
    }

    fn choose(list: Option<&str>) -> Result<Vec<&'static PoolTraits>, Failure> {
        choose(list, Compared::<S>::TASK == ONE_GRAPH)
    }

    /// Reads the comparison in the directory, with its own data and settings.
    fn resumed(arguments: &Arguments) -> Result<Self, Failure> {
        let flags = &arguments.run;
        let changed = !flags.sets.is_empty()
            || flags.epochs.is_some()
            || flags.seed.is_some()
            || flags.config.is_some()
            || arguments.preset.is_some()
            || arguments.clusters.is_some();
        if changed {
            return Err(Failure::input(
                "--resume goes on with the data and the settings of the comparison; leave them out, or name another directory with --out and the data again",
            ));
        }
        let directory = RunDirectory::at(flags.out.clone().unwrap_or_default());
        let plan: Plan<C, Compared<S>> = Plan::read(directory)?;
        let facts = Value::Table(plan.facts.unwrap_or_default());
        let facts: Facts = facts.try_into().map_err(|e: toml::de::Error| {
            Failure::input(format!(
                "{}: it does not say which poolers are compared: {}",
                plan.directory.file("run.toml").display(),
                e.message()
            ))
        })?;
        let own = facts.poolers.join(",");
        let list = arguments.poolers.as_deref().unwrap_or(&own);
        let seeds = match (&arguments.seeds, facts.seeds.is_empty()) {
            (Some(seeds), _) => seeds.0.clone(),
            (None, true) => vec![plan.config.seed()],
            (None, false) => facts.seeds,
        };
        Ok(Self {
            seeds,
            source: plan.source.0,
            config: plan.config,
            poolers: Self::choose(Some(list))?,
            folds: Some(facts.folds),
            directory: plan.directory,
        })
    }

    /// Enters the directory, and writes the plan of the comparison.
    pub fn enter(&mut self, folds: &[usize], sha256: Option<&str>) -> Result<(), Failure>
    where
        C: Clone,
    {
        match self.directory.state()? {
            RunState::Free => self.directory.create(Existing::Keep)?,
            _ => self.directory.enter()?,
        }
        let facts = Facts {
            poolers: self.poolers.iter().map(|p| p.name.to_owned()).collect(),
            folds: folds.to_vec(),
            seeds: if self.seeds == [self.config.seed()] {
                Vec::new()
            } else {
                self.seeds.clone()
            },
        };
        let facts = Table::try_from(facts)
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

    /// Returns the common settings of all poolers, for the page.
    pub fn settings_toml(&self) -> Result<String, Failure> {
        let cannot = |e: toml::ser::Error| {
            Failure::running(format!("the settings cannot be written down: {e}"))
        };
        let mut table = Table::try_from(&self.config).map_err(cannot)?;
        // The only setting that differs between poolers.
        if let Some(Value::Table(pooler)) = table.get_mut("pooler") {
            pooler.remove("name");
        }
        toml::to_string(&table).map_err(cannot)
    }

    /// Returns the directory of the run of a pooler.
    pub fn run_directory(&self, pooler: &PoolTraits) -> RunDirectory {
        RunDirectory::at(self.directory.file(pooler.name))
    }

    /// Returns the directory of the run of a pooler with a seed. The directory
    /// for the seed of the settings has no suffix, so that seeds can be added.
    pub fn seed_directory(&self, pooler: &PoolTraits, seed: u64) -> RunDirectory {
        if seed == self.config.seed() {
            self.run_directory(pooler)
        } else {
            RunDirectory::at(self.directory.file(&format!("{}-seed-{seed}", pooler.name)))
        }
    }

    /// Prints the poolers and the data of the comparison.
    pub fn introduce(&self, data: &str, quiet: bool) -> Result<(), Failure> {
        if quiet {
            return Ok(());
        }
        let all = self.poolers.len() == Self::choose(None)?.len();
        let able = match (all, Compared::<S>::TASK == ONE_GRAPH) {
            (false, _) => "",
            (true, true) => " (all that divide the nodes of a graph)",
            (true, false) => " (all there are)",
        };
        let seeds = match self.seeds.as_slice() {
            [seed] => format!("seed {seed}"),
            many => format!("seeds {}", list(many)),
        };
        tell!("{}: {data}; {seeds}", self.source.name());
        tell!(
            "{} poolers{able}: {}",
            self.poolers.len(),
            names(&self.poolers)
        );
        Ok(())
    }
}

fn nothing_to_resume(directory: &RunDirectory) -> Failure {
    Failure::input(format!(
        "{} holds no comparison to resume; name its directory with --out",
        directory.path().display()
    ))
}

/// Returns an error if a directory contains something other than a comparison.
pub fn check_state(directory: &RunDirectory) -> Result<(), Failure> {
    match directory.state()? {
        RunState::Free => Err(nothing_to_resume(directory)),
        RunState::Foreign => Ok(directory.check(Existing::Keep)?),
        RunState::Finished | RunState::Unfinished => match task_of(directory)?.as_str() {
            MANY_GRAPHS | ONE_GRAPH => Ok(()),
            task => Err(Failure::input(format!(
                "{} holds a {task} run and no comparison; name another directory with --out",
                directory.path().display()
            ))),
        },
    }
}
