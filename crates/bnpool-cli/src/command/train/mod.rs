//! `bnpool train`: classification and regression of whole graphs.

mod progress;
mod summary;

pub use progress::Progress;

use crate::Program;
use crate::flags::input::InputFlags;
use crate::flags::layers::{config, presets};
use crate::flags::run::{MOST_THREADS, RunFlags};
use crate::flags::setting::{SettingFlags, TRAIN, whole};
use crate::process::interrupt;
use crate::terminal::destination::print_json;
use crate::terminal::front::{Silent, Terminal};
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use bnpool_task::learn::LearnConfig;
use bnpool_task::learn::run::{self, Folds, Plan, SetSource, Wishes, base};
use bnpool_task::run::Source;
use clap::Args;
use std::path::PathBuf;

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
    #[arg(long, value_parser = presets())]
    preset: Option<Preset>,
    /// Samples of the assignments that predictions are averaged over.
    #[arg(long, value_name = "N")]
    eval_samples: Option<usize>,
    /// Predict by the posterior mean instead of samples.
    #[arg(long, conflicts_with = "eval_samples")]
    eval_mean: bool,
    /// Write curves for TensorBoard into the run directory.
    #[arg(long)]
    tensorboard: bool,
    /// Also write every picture of the report to this directory: as SVG, and as PNG if
    /// bnpool was built with the feature `png`.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingFlags<TRAIN>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    input: InputFlags,
}

impl Arguments {
    /// Runs a rank other than rank 0; returns its exit code.
    pub fn follow(self, program: &Program) -> Result<u8, Failure> {
        let data_dir = self.run.data_dir.as_deref();
        self.run
            .on_threads(|| run::follow(data_dir, program.context(&Silent)))
    }

    /// Reads the graphs, trains, and writes and prints the metrics.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        self.check(program.ranks.engine().size())?;
        let front = Terminal {
            command: "train",
            quiet: self.run.quiet,
        };
        let source = self.source()?;
        let mut plan = if self.run.resume {
            let pooler = self.settings.pooler();
            Plan::resume(&source, &self.run.resumption(pooler), &front)?
        } else {
            let config = self.config(&source)?;
            Plan::new(source, config, &self.run.place())
        };
        let wishes = Wishes {
            folds: self.folds.clone(),
            jobs: self.jobs,
            tensorboard: self.tensorboard,
            plots: self.plots.as_deref(),
            data_dir: self.run.data_dir.as_deref(),
            config: self.run.config.as_deref(),
        };
        let done = self.run.on_threads(|| {
            let watch = |extent| Box::new(Progress::new(extent, &self.run)) as _;
            run::execute(&mut plan, &wishes, program.context(&front), watch)
        })?;
        let directory = plan.directory.path();
        let again = front.go_on(directory);
        let Some(done) = done else {
            return Err(Failure::interrupted(format!("interrupted; {again}")));
        };
        if done.metrics.is_unfinished() {
            return Err(Failure::interrupted(format!(
                "interrupted; the best models so far are in {}, marked as unfinished; {again}",
                directory.display()
            )));
        }
        if self.run.json {
            print_json(&done.metrics)?;
        } else {
            summary::print(&done, directory);
        }
        interrupt::at_the_end(directory)
    }

    /// Returns an error for flags that cannot be used.
    fn check(&self, ranks: usize) -> Result<(), Failure> {
        if ranks > 1 && self.jobs > ranks {
            return Err(Failure::input(format!(
                "--jobs {}: {ranks} ranks train at most {ranks} folds side by side; give --jobs {ranks}, or start more ranks",
                self.jobs
            )));
        }
        if self.jobs == 0 {
            return Err(Failure::input("--jobs 0: at least one is needed"));
        }
        if self.jobs > MOST_THREADS {
            return Err(Failure::input(format!(
                "--jobs {}: at most {MOST_THREADS} can run side by side",
                self.jobs
            )));
        }
        if !self.run.resume && self.dataset.is_none() && self.data.is_none() {
            return Err(Failure::input(
                "there are no graphs to learn from; name a data set with --dataset NAME (see `bnpool data list`), or your own graphs with --data PATH",
            ));
        }
        Ok(())
    }

    fn source(&self) -> Result<SetSource, Failure> {
        let source = SetSource {
            dataset: self.dataset.clone(),
            data: self.data.clone(),
            input: self.input.reading(),
        };
        if self.dataset.is_some() {
            self.input.check_unused(&source.name())?;
        }
        Ok(source)
    }

    /// Returns the settings: preset, configuration file, `--set`, flags.
    fn config(&self, source: &SetSource) -> Result<LearnConfig, Failure> {
        let base = |preset| base(preset, source.dataset.as_deref());
        config(&self.run, &self.settings, self.preset, base, |settings| {
            let samples = whole(self.eval_samples);
            // A number of samples disables the mean.
            let mean = self.eval_mean.then_some(true);
            let mean = mean.or(samples.is_some().then_some(false));
            settings.flag("evaluation.samples", samples, "--eval-samples")?;
            settings.flag("evaluation.mean", mean, "--eval-mean")
        })
    }
}
