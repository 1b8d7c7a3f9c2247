//! `bnpool train`: classes or numbers for whole graphs.

mod execute;
mod facts;
mod fold;
mod metrics;
mod output;
mod progress;
mod report;
mod source;
mod summary;

pub use facts::{Facts, read as read_facts};
pub use output::read_model;
pub use report::remake as remake_report;

use crate::directory::{Existing, RunDirectory, path_part};
use crate::message::Failure;
use crate::plan::{Entry, Source as _, without_run_section};
use crate::pooler::{LossName, PoolerFlags, whole};
use crate::run::RunFlags;
use crate::settings::{Settings, read_file};
use bnpool::task::TaskError;
use bnpool::task::learn::{LearnConfig, Preset};
use clap::{Args, ValueEnum};
use source::Source;
use std::path::PathBuf;
use std::str::FromStr;

/// The plan of a training run.
pub type Plan = crate::plan::Plan<LearnConfig, Source>;

/// Which text the settings follow.
#[derive(Clone, Copy, ValueEnum)]
enum PresetName {
    /// The paper.
    Paper,
    /// The authors' code.
    Authors,
}

/// Which folds to train.
#[derive(Clone, Debug)]
pub enum Folds {
    /// All of them.
    All,
    /// Some of them.
    Some(Vec<usize>),
}

impl FromStr for Folds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "all" {
            return Ok(Self::All);
        }
        let mut folds = text
            .split(',')
            .map(|part| part.trim().parse::<usize>())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| "write `all`, or numbers like 0,1,2".to_owned())?;
        folds.sort_unstable();
        folds.dedup();
        Ok(Self::Some(folds))
    }
}

impl Folds {
    /// The folds, of which there are `count`.
    pub fn choose(&self, count: usize) -> Result<Vec<usize>, Failure> {
        match self {
            Self::All => Ok((0..count).collect()),
            Self::Some(folds) => match folds.iter().find(|&&fold| fold >= count) {
                Some(&fold) => Err(TaskError::NoFold { fold, folds: count }.into()),
                None => Ok(folds.clone()),
            },
        }
    }
}

/// Flags of `bnpool train`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool train --dataset mutag                        ten folds, the paper's settings
  bnpool train --dataset enzymes --preset authors --folds 0,1,2
  bnpool train --dataset nci1 --pooler topk --jobs 2
  bnpool train --data my-graphs/                      your own graphs, with a graphs.csv of targets
  bnpool train --resume --out runs/train-mutag-bn-0
  bnpool predict --run runs/train-mutag-bn-0 others.zip")]
pub struct Arguments {
    /// A data set of the paper, as in `bnpool data list`.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "data",
        required_unless_present_any = ["data", "resume"]
    )]
    dataset: Option<String>,
    /// Your own graphs: a folder of edge lists with `graphs.csv`, a TU folder or
    /// zip, or a container.
    #[arg(long, value_name = "PATH")]
    data: Option<PathBuf>,
    /// Folds to train: `all`, or a list such as 0,1,2.
    #[arg(long, default_value = "all", value_name = "FOLDS")]
    folds: Folds,
    /// Folds to train side by side. The result does not depend on it.
    #[arg(long, default_value_t = 1, value_name = "N")]
    jobs: usize,
    /// The settings to start from.
    #[arg(long, value_enum)]
    preset: Option<PresetName>,
    /// Samples of the assignments that predictions are averaged over.
    #[arg(long, value_name = "N")]
    eval_samples: Option<usize>,
    /// Predict by the posterior mean instead of samples.
    #[arg(long, conflicts_with = "eval_samples")]
    eval_mean: bool,
    /// Write curves for TensorBoard into the run directory.
    #[arg(long)]
    tensorboard: bool,
    /// Also write every picture of the report as SVG and PNG to this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    pooler: PoolerFlags,
    #[command(flatten)]
    run: RunFlags,
}

/// What is asked for beside the plan.
pub struct Options {
    pub folds: Folds,
    pub jobs: usize,
    pub tensorboard: bool,
    pub plots: Option<PathBuf>,
}

impl Arguments {
    /// Reads the graphs, trains, writes and prints what came out.
    pub fn run(self) -> Result<(), Failure> {
        if self.jobs == 0 {
            return Err(Failure::Input("--jobs 0: at least one is needed".into()));
        }
        let mut plan = if self.run.resume {
            self.resumed()?
        } else {
            self.fresh()?
        };
        let options = Options {
            folds: self.folds.clone(),
            jobs: self.jobs,
            tensorboard: self.tensorboard,
            plots: self.plots.clone(),
        };
        self.run
            .on_threads(|| execute::execute(&mut plan, &self.run, &options))
    }

    fn source(&self) -> Source {
        Source {
            dataset: self.dataset.clone(),
            data: self.data.clone(),
        }
    }

    /// A new run.
    fn fresh(&self) -> Result<Plan, Failure> {
        let source = self.source();
        let config = self.config(&source)?;
        let existing = match (&self.run.out, self.run.overwrite) {
            (_, true) => Existing::Replace,
            (Some(_), false) => Existing::Keep,
            // A directory nobody chose may be taken again.
            (None, false) => Existing::ReplaceFinished,
        };
        Ok(Plan {
            directory: RunDirectory::new(self.directory(&source, &config.pooler.name, config.seed)),
            source,
            config,
            entry: Entry::New(existing),
            facts: None,
        })
    }

    /// The run that is in the directory: with its own settings, of which only
    /// the number of epochs can be changed.
    fn resumed(&self) -> Result<Plan, Failure> {
        let source = self.source();
        let pooler = self.pooler.pooler.as_deref().unwrap_or("bn");
        let path = self.directory(&source, pooler, self.run.seed.unwrap_or(0));
        let directory = RunDirectory::new(path);
        if !directory.holds_run() {
            return Err(Failure::Input(format!(
                "{} holds no run to resume; name its directory with --out",
                directory.path().display()
            )));
        }
        let mut plan = Plan::read(directory)?;
        if let Some(epochs) = self.run.epochs {
            plan.config.training.epochs = epochs;
        }
        if (source != Source::default() && source != plan.source) || !self.run.sets.is_empty() {
            return Err(Failure::Input(
                "--resume goes on with the data and the settings of the run; leave them out, or start anew with --overwrite".into(),
            ));
        }
        Ok(plan)
    }

    fn directory(&self, source: &Source, pooler: &str, seed: u64) -> PathBuf {
        self.run.out.clone().unwrap_or_else(|| {
            let name = path_part(&source.name());
            PathBuf::from(format!("runs/train-{name}-{pooler}-{seed}"))
        })
    }

    /// The settings: preset, configuration file, `--set`, flags.
    fn config(&self, source: &Source) -> Result<LearnConfig, Failure> {
        let path = self.run.config.as_deref();
        let file = path
            .map(|p| read_file(p).map(|table| (p, without_run_section(table))))
            .transpose()?;
        let named = file.as_ref().and_then(|(_, t)| t.get("preset")?.as_str());
        let preset = match (self.preset, named) {
            (Some(PresetName::Paper), _) => Preset::Paper,
            (Some(PresetName::Authors), _) => Preset::Authors,
            (None, Some("authors")) => Preset::Authors,
            (None, Some("paper") | None) => Preset::Paper,
            (None, Some(name)) => {
                return Err(Failure::Input(format!(
                    "preset `{name}` is unknown; there are paper and authors"
                )));
            }
        };
        let known = source
            .dataset
            .as_deref()
            .map(bnpool_graph::dataset::find)
            .transpose()?;
        let mut settings =
            Settings::new(&LearnConfig::preset(preset, known.map(|entry| entry.name)))?;
        if preset == Preset::Authors && self.pooler.loss == Some(LossName::Sparse) {
            // Their configuration of the sparse loss has another concentration.
            settings.set("pooler.alpha_dp=1.0")?;
        }
        if let Some((path, mut values)) = file {
            values.remove("preset");
            settings.file(path, values)?;
        }
        for assignment in &self.run.sets {
            settings.set(assignment)?;
        }
        settings.flag("seed", self.run.seed_setting()?, "--seed")?;
        self.pooler.apply(&mut settings)?;
        settings.flag("training.epochs", whole(self.run.epochs), "--epochs")?;
        settings.flag(
            "evaluation.samples",
            whole(self.eval_samples),
            "--eval-samples",
        )?;
        settings.flag(
            "evaluation.mean",
            self.eval_mean.then_some(true),
            "--eval-mean",
        )?;
        let config: LearnConfig = settings.finish()?;
        config.check()?;
        Ok(config)
    }
}
