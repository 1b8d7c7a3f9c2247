//! One run of a grid: whoever runs it, it has the same seed and settings.

use super::item::{Grid, Measure, Task, Variants};
use crate::message::Failure;
use bnpool_task::Preset;
use bnpool_task::cluster::run::GraphSource;
use bnpool_task::run::Checksum;
use bnpool_task::run::RunConfig;
use bnpool_task::settings::Settings;
use bnpool_task::{cluster, learn};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use toml::Table;

/// Epochs of `--quick`.
const QUICK_CLUSTER: usize = 50;
const QUICK_TRAIN: usize = 5;
/// Epochs that times are measured over.
const TIMED_CLUSTER: usize = 20;
const TIMED_TRAIN: usize = 3;

/// Which run it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    pub dataset: String,
    pub pooler: String,
    /// What is changed beside; empty for nothing.
    pub variant: String,
    pub preset: String,
    pub seed: u64,
    /// 0 for one graph.
    pub fold: usize,
    pub quick: bool,
}

impl Cell {
    /// Its name for people.
    pub fn words(&self, task: Task) -> String {
        if task == Task::Count {
            return self.dataset.clone();
        }
        let variant = match self.variant.as_str() {
            "" => String::new(),
            variant => format!(" {variant}"),
        };
        let place = match (task, self.seed) {
            (Task::Cluster | Task::Count, seed) => format!("seed {seed}"),
            (Task::Train, 0) => format!("fold {}", self.fold),
            (Task::Train, seed) => format!("fold {} seed {seed}", self.fold),
        };
        format!(
            "{} {}{variant} {} {place}",
            self.dataset, self.pooler, self.preset
        )
    }
}

/// A run with its settings.
#[derive(Debug, Clone)]
pub struct Run {
    pub cell: Cell,
    pub task: Task,
    /// Settings beside preset, pooler and seed.
    sets: Vec<String>,
    /// All settings.
    pub config: Table,
    /// SHA-256 of settings, data set, task and fold.
    pub fingerprint: String,
    /// Whether the version without isomorphic graphs is read.
    pub cleaned: bool,
    /// Files of the run that are kept beside its result.
    pub keep: &'static [&'static str],
}

impl Run {
    /// The run of a cell.
    pub fn new(grid: &Grid, cell: Cell) -> Result<Self, Failure> {
        let sets = sets(grid, &cell)?;
        Self::with_sets(grid.task, cell, sets)
    }

    /// A run with its own settings.
    pub fn with_sets(task: Task, cell: Cell, sets: Vec<String>) -> Result<Self, Failure> {
        let preset = Preset::find(&cell.preset).map_err(Failure::input)?;
        let dataset = Some(cell.dataset.clone());
        let (config, cleaned) = match task {
            Task::Cluster => {
                let source = GraphSource {
                    dataset,
                    ..GraphSource::default()
                };
                (
                    resolve(&cluster::run::base(preset, &source), &cell, &sets)?,
                    false,
                )
            }
            Task::Count => (Table::new(), false),
            Task::Train => {
                let base = learn::run::base(preset, dataset.as_deref())?;
                let cleaned = base.data.cleaned;
                (resolve(&base, &cell, &sets)?, cleaned)
            }
        };
        Ok(Self {
            sets,
            cleaned,
            ..Self::of(task, cell, config)
        })
    }

    /// A run without settings.
    pub fn plain(task: Task, cell: Cell) -> Self {
        Self::of(task, cell, Table::new())
    }

    fn of(task: Task, cell: Cell, config: Table) -> Self {
        let mut sum = Checksum::default();
        for part in [
            task.command(),
            &cell.dataset,
            &cell.fold.to_string(),
            &config.to_string(),
        ] {
            sum.add(part.as_bytes());
        }
        Self {
            fingerprint: sum.finish(),
            cell,
            task,
            sets: Vec::new(),
            config,
            cleaned: false,
            keep: &[],
        }
    }

    /// The same, with files to keep.
    pub fn keeping(self, keep: &'static [&'static str]) -> Self {
        Self { keep, ..self }
    }

    /// The name of its files: which run it is, and what of.
    pub fn id(&self) -> String {
        let cell = &self.cell;
        if self.task == Task::Count {
            return format!("{}_count_{}", cell.dataset, &self.fingerprint[..8]);
        }
        let mut parts = vec![cell.dataset.as_str(), &cell.pooler];
        if !cell.variant.is_empty() {
            parts.push(&cell.variant);
        }
        parts.push(&cell.preset);
        let place = match (self.task, cell.seed) {
            (Task::Cluster | Task::Count, seed) => format!("seed-{seed}"),
            (Task::Train, 0) => format!("fold-{}", cell.fold),
            (Task::Train, seed) => format!("fold-{}-seed-{seed}", cell.fold),
        };
        parts.push(&place);
        parts.push(&self.fingerprint[..8]);
        parts.join("_")
    }

    /// Its name for people.
    pub fn words(&self) -> String {
        self.cell.words(self.task)
    }

    /// The command behind `bnpool` that runs it from the start.
    pub fn command(&self) -> Vec<OsString> {
        let cell = &self.cell;
        let mut words: Vec<OsString> = vec![self.task.command().into()];
        for (flag, value) in [
            ("--dataset", &cell.dataset),
            ("--preset", &cell.preset),
            ("--pooler", &cell.pooler),
            ("--seed", &cell.seed.to_string()),
        ] {
            words.extend([flag.into(), value.into()]);
        }
        for set in &self.sets {
            words.extend(["--set".into(), set.into()]);
        }
        if self.task == Task::Train {
            words.extend(["--folds".into(), cell.fold.to_string().into()]);
        }
        words
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
fn resolve<C: RunConfig>(base: &C, cell: &Cell, sets: &[String]) -> Result<Table, Failure> {
    let mut settings = Settings::new(base)?;
    for set in sets {
        settings.set(set, set)?;
    }
    let seed = i64::try_from(cell.seed)
        .map_err(|_| Failure::input(format!("--seeds: {} is more than can be kept", cell.seed)))?;
    settings.flag("seed", Some(seed), "--seeds")?;
    settings.flag("pooler.name", Some(cell.pooler.clone()), "pooler")?;
    let config: C = settings.finish()?;
    config.check()?;
    Table::try_from(&config)
        .map_err(|e| Failure::running(format!("the settings cannot be written down: {e}")))
}

/// The settings that a cell has beside preset, pooler and seed.
fn sets(grid: &Grid, cell: &Cell) -> Result<Vec<String>, Failure> {
    let variants = variants(grid, &cell.pooler);
    let own = variants.into_iter().find(|v| v.name == cell.variant);
    let mut sets = match own {
        Some(variant) => variant.sets,
        None => {
            return Err(Failure::input(format!(
                "`{}` is no variant of {} in this item",
                cell.variant, cell.pooler
            )));
        }
    };
    let epochs = match (grid.measure, grid.task, cell.quick) {
        (Measure::Resources, Task::Cluster, quick) => {
            Some(TIMED_CLUSTER / if quick { 4 } else { 1 })
        }
        (Measure::Resources, Task::Train | Task::Count, quick) => {
            Some(if quick { 1 } else { TIMED_TRAIN })
        }
        (_, Task::Count, _) => None,
        (_, Task::Cluster, true) => Some(QUICK_CLUSTER),
        (_, Task::Train, true) => Some(QUICK_TRAIN),
        (_, _, false) => None,
    };
    sets.extend(epochs.map(|epochs| format!("training.epochs={epochs}")));
    Ok(sets)
}

/// A variant of a pooler and its settings.
pub struct Variant {
    pub name: String,
    pub sets: Vec<String>,
}

/// What is varied for a pooler.
pub fn variants(grid: &Grid, pooler: &str) -> Vec<Variant> {
    let variant = |name: &str, sets: &[&str]| Variant {
        name: name.to_owned(),
        sets: sets.iter().map(|set| (*set).to_owned()).collect(),
    };
    match grid.variants {
        Variants::None => vec![variant("", &[])],
        Variants::Ratios => ["0.25", "0.1"]
            .map(|ratio| {
                variant(
                    &format!("ratio-{ratio}"),
                    &[&format!("pooler.ratio={ratio}")],
                )
            })
            .into(),
        Variants::Sensitivity => priors(&["1", "10", "30"], &["0.1", "1"], &["0.1", "1", "10"]),
        Variants::Search => {
            let values = ["0.1", "1", "10", "30"];
            priors(&values, &["0.1", "1"], &values)
        }
        Variants::Losses => {
            // A start from eigenvectors would count as the time of a few epochs.
            let shared = match grid.task {
                Task::Cluster => "training.warm_start=off",
                Task::Train | Task::Count => "training.batch_size=16",
            };
            match pooler {
                "bn" => ["dense", "sparse"]
                    .map(|loss| variant(loss, &[shared, &format!("pooler.loss={loss}")]))
                    .into(),
                _ => vec![variant("timed", &[shared])],
            }
        }
    }
}

fn priors(mu: &[&str], sigma: &[&str], alpha: &[&str]) -> Vec<Variant> {
    let mut all = Vec::new();
    for mu in mu {
        for sigma in sigma {
            for alpha in alpha {
                all.push(Variant {
                    name: prior_name([alpha, mu, sigma]),
                    sets: vec![
                        format!("pooler.alpha_dp={alpha}"),
                        format!("pooler.mu_k={mu}"),
                        format!("pooler.sigma_k={sigma}"),
                    ],
                });
            }
        }
    }
    all
}

/// The name of a setting of α_DP, μ_K and σ_K.
pub fn prior_name([alpha, mu, sigma]: [&str; 3]) -> String {
    format!("mu-{mu}-sigma-{sigma}-alpha-{alpha}")
}

/// `α 10, μ 1, σ 0.1` for `mu-1-sigma-0.1-alpha-10`.
pub fn prior_words(setting: &str) -> String {
    let mut parts = setting.split('-');
    let mut values = [""; 3];
    for value in &mut values {
        parts.next();
        *value = parts.next().unwrap_or_default();
    }
    let [mu, sigma, alpha] = values;
    format!("α {alpha}, μ {mu}, σ {sigma}")
}
