//! `bnpool cluster`: communities of one graph.

mod execute;
mod metrics;
mod output;
mod progress;
mod source;
mod summary;

pub use execute::remake_report;
pub use output::{Finished, csv_field};
pub use progress::loss_words;
pub use source::stem;
/// The plan of a clustering run.
pub type Plan = crate::plan::Plan<ClusterConfig, Source>;

use crate::directory::{Existing, RunDirectory, path_part};
use crate::message::Failure;
use crate::plan::{Entry, Source as _, without_run_section};
use crate::pooler::{LossName, PoolerFlags, whole};
use crate::run::RunFlags;
use crate::settings::{Settings, read_file};
use bnpool::task::cluster::{ClusterConfig, Preset};
use clap::{Args, ValueEnum};
use source::Source;
use std::path::PathBuf;

/// Which text the settings follow.
#[derive(Clone, Copy, ValueEnum)]
enum PresetName {
    /// The paper.
    Paper,
    /// The authors' code.
    Authors,
    /// The paper's model on a schedule of a tenth of the epochs.
    Fast,
}

/// Flags of `bnpool cluster`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool cluster                                     the built-in Community graph
  bnpool cluster edges.csv                           your own graph
  bnpool cluster edges.csv --features x.npy --labels classes.csv --seed 1
  bnpool cluster --dataset cora --preset paper       a data set of the paper
  bnpool cluster --dataset cora --pooler mincut      a rival, told the number of classes
  bnpool cluster --resume --out runs/cluster-cora-bn-0
  bnpool cluster edges.csv --json | jq .clusters_argmax")]
pub struct Arguments {
    /// A graph file (edge list, Matrix Market, METIS, GraphML, GML, npz);
    /// without one, the built-in Community graph.
    graph: Option<PathBuf>,
    /// Node features: csv, .npy or .npz.
    #[arg(long, value_name = "FILE", requires = "graph")]
    features: Option<PathBuf>,
    /// Known classes of the nodes, to compare with.
    #[arg(long, value_name = "FILE", requires = "graph")]
    labels: Option<PathBuf>,
    /// A data set of the paper, as in `bnpool data list`.
    #[arg(long, value_name = "NAME", conflicts_with = "graph")]
    dataset: Option<String>,
    /// The settings to start from.
    #[arg(long, value_enum)]
    preset: Option<PresetName>,
    /// Tell pieces of a community apart that no path connects.
    #[arg(long)]
    split_disconnected: bool,
    /// Communities with fewer nodes join the neighbour they have most edges to.
    #[arg(long, value_name = "N")]
    min_size: Option<usize>,
    /// Also write every picture of the report as SVG and PNG to this directory.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    pooler: PoolerFlags,
    #[command(flatten)]
    run: RunFlags,
}

impl Arguments {
    /// Reads the graph, trains, writes and prints what was found.
    pub fn run(self) -> Result<(), Failure> {
        let plan = if self.run.resume {
            self.resumed()?
        } else {
            self.fresh()?
        };
        self.run
            .on_threads(|| execute::execute(&plan, &self.run, self.plots.as_deref()))
    }

    fn source(&self) -> Source {
        Source {
            dataset: self.dataset.clone(),
            graph: self.graph.clone(),
            features: self.features.clone(),
            labels: self.labels.clone(),
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
                "--resume goes on with the graph and the settings of the run; leave them out, or start anew with --overwrite".into(),
            ));
        }
        Ok(plan)
    }

    fn directory(&self, source: &Source, pooler: &str, seed: u64) -> PathBuf {
        self.run.out.clone().unwrap_or_else(|| {
            let name = path_part(&source.name());
            PathBuf::from(format!("runs/cluster-{name}-{pooler}-{seed}"))
        })
    }

    /// The settings: preset, configuration file, `--set`, flags.
    fn config(&self, source: &Source) -> Result<ClusterConfig, Failure> {
        let path = self.run.config.as_deref();
        let file = path
            .map(|p| read_file(p).map(|table| (p, without_run_section(table))))
            .transpose()?;
        let named = file.as_ref().and_then(|(_, t)| t.get("preset")?.as_str());
        let preset = match (self.preset, named) {
            (Some(preset), _) => preset.into(),
            (None, Some(name)) => PresetName::from_str(name, true)
                .map_err(|_| {
                    Failure::Input(format!(
                        "preset `{name}` is unknown; there are paper, authors and fast"
                    ))
                })?
                .into(),
            // The paper's own graphs by the paper, a user's in a minute.
            (None, None) if source.graph.is_some() => Preset::Fast,
            (None, None) => Preset::Paper,
        };
        let mut settings = Settings::new(&ClusterConfig::preset(preset))?;
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
        self.flags(&mut settings)?;
        let config: ClusterConfig = settings.finish()?;
        config.check()?;
        Ok(config)
    }

    fn flags(&self, settings: &mut Settings) -> Result<(), Failure> {
        settings.flag("seed", self.run.seed_setting()?, "--seed")?;
        self.pooler.apply(settings)?;
        for (key, value, flag) in [
            ("training.epochs", self.run.epochs, "--epochs"),
            ("evaluation.min_size", self.min_size, "--min-size"),
        ] {
            settings.flag(key, whole(value), flag)?;
        }
        let split = self.split_disconnected.then_some(true);
        settings.flag(
            "evaluation.split_disconnected",
            split,
            "--split-disconnected",
        )
    }
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Paper => Self::Paper,
            PresetName::Authors => Self::Authors,
            PresetName::Fast => Self::Fast,
        }
    }
}
