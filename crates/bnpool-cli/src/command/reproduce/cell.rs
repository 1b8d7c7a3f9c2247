//! One run of a grid: whoever runs it, it has the same seed and settings.

use super::item::{Grid, Task};
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::cluster::run::GraphSource;
use bnpool_task::learn::LearnConfig;
use bnpool_task::learn::run::SetSource;
use bnpool_task::run::{Checksum, RunConfig};
use bnpool_task::settings::Settings as Layers;
use bnpool_task::{cluster, learn};
use serde::{Deserialize, Serialize};
use toml::Table;

/// Which run it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    pub dataset: String,
    pub pooler: String,
    /// Further change of the settings; empty for none.
    pub variant: String,
    pub preset: String,
    pub seed: u64,
    /// 0 for one graph.
    pub fold: usize,
    pub quick: bool,
}

/// Settings of a task.
#[derive(Debug, Clone)]
pub enum Settings {
    /// A data set is counted.
    Count,
    Graph(Box<ClusterConfig>),
    Graphs(Box<LearnConfig>),
}

/// A run with its settings.
#[derive(Debug, Clone)]
pub struct Run {
    pub cell: Cell,
    pub task: Task,
    pub settings: Settings,
    /// All settings.
    pub config: Table,
    /// SHA-256 of settings, data set, task and fold.
    pub fingerprint: String,
    /// Whether the version without isomorphic graphs is read.
    pub cleaned: bool,
    /// Files of the run that are kept beside its result.
    pub keep: Vec<String>,
}

impl Run {
    /// The run of a cell.
    pub fn new(grid: &Grid, cell: Cell) -> Result<Self, Failure> {
        let sets = sets(grid, &cell)?;
        let preset = || Preset::find(&cell.preset).map_err(Failure::input);
        let mut cleaned = false;
        let (settings, config) = match grid.task {
            Task::Count => (Settings::Count, Table::new()),
            Task::Cluster => {
                let base = cluster::run::base(preset()?, &cell.graph());
                let (config, table) = resolve(&base, &cell, &sets)?;
                (Settings::Graph(Box::new(config)), table)
            }
            Task::Train => {
                let base = learn::run::base(preset()?, Some(&cell.dataset))?;
                cleaned = base.data.cleaned;
                let (config, table) = resolve(&base, &cell, &sets)?;
                (Settings::Graphs(Box::new(config)), table)
            }
        };
        let mut sum = Checksum::default();
        for part in [
            grid.task.command(),
            &cell.dataset,
            &cell.fold.to_string(),
            &config.to_string(),
        ] {
            sum.add(part.as_bytes());
        }
        Ok(Self {
            fingerprint: sum.finish(),
            cell,
            task: grid.task,
            settings,
            config,
            cleaned,
            keep: Vec::new(),
        })
    }

    /// Its name for people.
    pub fn words(&self) -> String {
        let cell = &self.cell;
        let seed = format!("seed-{}", cell.seed);
        let repeat = match (self.task, cell.seed) {
            (Task::Count, _) => String::new(),
            (Task::Cluster, _) => seed,
            (Task::Train, 0) => format!("fold-{}", cell.fold),
            (Task::Train, _) => format!("fold-{} {seed}", cell.fold),
        };
        let mut parts = vec![&cell.dataset, &cell.pooler, &cell.variant, &cell.preset];
        parts.push(&repeat);
        parts.retain(|part| !part.is_empty());
        let parts: Vec<&str> = parts.into_iter().map(String::as_str).collect();
        parts.join(" ")
    }

    /// The name of its files: which run it is, and what of.
    pub fn id(&self) -> String {
        let name = self.words().replace(' ', "_");
        format!("{name}_{}", &self.fingerprint[..8])
    }
}

impl Cell {
    /// The source of one graph.
    pub fn graph(&self) -> GraphSource {
        GraphSource {
            dataset: Some(self.dataset.clone()),
            ..GraphSource::default()
        }
    }

    /// The source of many graphs.
    pub fn graphs(&self) -> SetSource {
        SetSource {
            dataset: Some(self.dataset.clone()),
            ..SetSource::default()
        }
    }
}

impl Task {
    /// The sub-command.
    pub fn command(self) -> &'static str {
        match self {
            Self::Cluster => "cluster",
            Self::Train => "train",
            Self::Count => "count",
        }
    }
}

/// All settings of a run, as the command will have them.
fn resolve<C: RunConfig>(base: &C, cell: &Cell, sets: &[String]) -> Result<(C, Table), Failure> {
    let mut settings = Layers::new(base)?;
    for set in sets {
        settings.set(set, set)?;
    }
    let seed = i64::try_from(cell.seed)
        .map_err(|_| Failure::input(format!("--seeds: {} is more than can be kept", cell.seed)))?;
    settings.flag("seed", Some(seed), "--seeds")?;
    settings.flag("pooler.name", Some(cell.pooler.clone()), "pooler")?;
    let config: C = settings.finish()?;
    config.check()?;
    let table = Table::try_from(&config)
        .map_err(|e| Failure::running(format!("the settings cannot be written down: {e}")))?;
    Ok((config, table))
}

/// The settings that a cell has beside preset, pooler and seed.
fn sets(grid: &Grid, cell: &Cell) -> Result<Vec<String>, Failure> {
    let mut variants = variants(grid, &cell.pooler).into_iter();
    let Some(variant) = variants.find(|v| v.name == cell.variant) else {
        return Err(Failure::input(format!(
            "`{}` is no variant of {} in this item",
            cell.variant, cell.pooler
        )));
    };
    let epochs = if cell.quick {
        grid.quick_epochs
    } else {
        grid.epochs
    };
    let mut sets = variant.sets;
    sets.extend(epochs.map(|epochs| format!("training.epochs={epochs}")));
    Ok(sets)
}

/// A variant of a pooler and its settings.
#[derive(Clone)]
pub struct Variant {
    pub name: String,
    sets: Vec<String>,
}

/// Every combination of what is varied for a pooler.
pub fn variants(grid: &Grid, pooler: &str) -> Vec<Variant> {
    let mut all = vec![Variant {
        name: grid.plain.clone(),
        sets: grid.set.iter().map(|set| (*set).to_owned()).collect(),
    }];
    let own = |name: &String| name == pooler;
    for vary in &grid.vary {
        if !vary.pooler.as_ref().is_none_or(own) {
            continue;
        }
        all = (all.iter())
            .flat_map(|variant| vary.values.iter().map(move |value| (variant, value)))
            .map(|(variant, value)| {
                let mut variant = variant.clone();
                let mut parts = vec![variant.name.as_str(), &vary.name, value];
                parts.retain(|part| !part.is_empty() && *part != grid.plain);
                let name = parts.join("-");
                variant.sets.push(format!("{}={value}", vary.key));
                variant.name = name;
                variant
            })
            .collect();
    }
    all
}

/// The name of a setting of α_DP, μ_K and σ_K.
pub fn prior_name([alpha, mu, sigma]: [&str; 3]) -> String {
    format!("mu-{mu}-sigma-{sigma}-alpha-{alpha}")
}

/// `α 10, μ 1, σ 0.1` for `mu-1-sigma-0.1-alpha-10`.
pub fn prior_words(setting: &str) -> String {
    match setting.split('-').collect::<Vec<&str>>()[..] {
        [_, mu, _, sigma, _, alpha] => format!("α {alpha}, μ {mu}, σ {sigma}"),
        _ => setting.to_owned(),
    }
}
