//! `bnpool train`: classes or numbers for whole graphs.

mod execute;
mod facts;
mod fold;
mod follow;
mod metrics;
mod output;
mod predictions;
mod progress;
mod report;
mod source;
mod summary;
mod work;

pub use facts::Facts;
pub use output::read_model;
pub use report::remake as remake_report;
pub use source::{Input, Source, read_set};
pub use summary::{score_words, shown};
pub use work::Shared;

use crate::input::InputFlags;
use crate::layers::Layers;
use crate::message::Failure;
use crate::pooler::{PoolerFlags, whole};
use crate::preset::{self, PresetName};
use crate::ranks;
use crate::run::{MOST_THREADS, RunFlags};
use bnpool_task::Preset;
use bnpool_task::TaskError;
use bnpool_task::learn::LearnConfig;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// The plan of a training run.
pub type Plan = crate::plan::Plan<LearnConfig, Source>;

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
        let folds = text
            .split(',')
            .map(|part| part.trim().parse::<usize>())
            .collect::<Result<Vec<_>, _>>()
            .map_err(|_| "write `all`, or numbers like 0,1,2".to_owned())?;
        Ok(Self::of(folds))
    }
}

impl Folds {
    /// These folds, each once.
    pub fn of(folds: impl IntoIterator<Item = usize>) -> Self {
        let once: std::collections::BTreeSet<usize> = folds.into_iter().collect();
        Self::Some(once.into_iter().collect())
    }

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
  bnpool train --dataset mutag                        ten folds
  bnpool train --dataset enzymes --preset authors --folds 0,1,2
  bnpool train --dataset nci1 --pooler topk --jobs 2
  bnpool train --data my-graphs/                      your own graphs, with a graphs.csv of targets
  bnpool train --data molecules/ --node-attributes mass,charge
  bnpool train --resume --out runs/train-mutag-bn-0
  mpirun -n 4 bnpool train --dataset dd --threads 2   on four ranks, if built with MPI
  bnpool predict --run runs/train-mutag-bn-0 others.zip")]
pub struct Arguments {
    /// A data set of the paper, as in `bnpool data list`.
    #[arg(long, value_name = "NAME", conflicts_with = "data")]
    dataset: Option<String>,
    /// Your own graphs: a folder of graph files with a table `graphs.csv` of
    /// file, target and maybe node features, a TU folder or zip, or a container.
    #[arg(long, value_name = "PATH")]
    data: Option<PathBuf>,
    /// Folds to train: `all` (the default), or a list such as 0,1,2. A resumed
    /// run keeps its own and adds these.
    #[arg(long, value_name = "FOLDS")]
    folds: Option<Folds>,
    /// Folds to train side by side, on several ranks by one group of ranks each. The
    /// result does not depend on it.
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
    #[command(flatten)]
    input: InputFlags,
}

/// What is asked for beside the plan.
pub struct Options {
    pub folds: Option<Folds>,
    pub jobs: usize,
    pub tensorboard: bool,
    pub plots: Option<PathBuf>,
}

/// The values of a preset for these data.
pub fn base(preset: Preset, source: &Source) -> Result<LearnConfig, Failure> {
    let name = source.dataset.as_deref();
    let known = name.map(bnpool_io::dataset::find).transpose()?;
    Ok(LearnConfig::preset(preset, known.map(|entry| entry.name)))
}

impl Arguments {
    /// Does the part of a rank other than the first; gives its exit code.
    pub fn follow(self) -> Result<u8, Failure> {
        self.run.on_threads(|| follow::follow(&self.run))
    }

    /// Reads the graphs, trains, writes and prints what came out.
    pub fn run(self) -> Result<(), Failure> {
        let ranks = ranks::engine().size();
        if ranks > 1 && self.jobs > ranks {
            return Err(Failure::Input(format!(
                "--jobs {}: {ranks} ranks train at most {ranks} folds side by side; give --jobs {ranks}, or start more ranks",
                self.jobs
            )));
        }
        if self.jobs == 0 {
            return Err(Failure::Input("--jobs 0: at least one is needed".into()));
        }
        if self.jobs > MOST_THREADS {
            return Err(Failure::Input(format!(
                "--jobs {}: at most {MOST_THREADS} can run side by side",
                self.jobs
            )));
        }
        if !self.run.resume && self.dataset.is_none() && self.data.is_none() {
            return Err(Failure::Input(
                "there are no graphs to learn from; name a data set with --dataset NAME (see `bnpool data list`), or your own graphs with --data PATH".into(),
            ));
        }
        let mut plan = if self.run.resume {
            Plan::resume(&self.source(), self.pooler.pooler.as_deref(), &self.run)?
        } else {
            let source = self.source();
            let config = self.config(&source)?;
            Plan::new(source, config, &self.run)
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
            input: self.input.clone(),
        }
    }

    /// The settings: preset, configuration file, `--set`, flags.
    fn config(&self, source: &Source) -> Result<LearnConfig, Failure> {
        let layers = Layers::read(&self.run, &self.pooler)?;
        let preset = preset::choose(self.preset, &layers)?;
        layers.over(&base(preset, source)?, preset.follows_code(), |settings| {
            let samples = whole(self.eval_samples);
            // Asking for samples is asking not to take the mean.
            let mean = self.eval_mean.then_some(true);
            let mean = mean.or(samples.is_some().then_some(false));
            settings.flag("evaluation.samples", samples, "--eval-samples")?;
            settings.flag("evaluation.mean", mean, "--eval-mean")
        })
    }
}
