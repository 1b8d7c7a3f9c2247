//! `bnpool cluster`: communities of one graph.

mod progress;
mod summary;

pub use progress::{Progress, gamma_words, loss_words};

use crate::Program;
use crate::flags::input::InputFlags;
use crate::flags::layers::{config, presets};
use crate::flags::run::RunFlags;
use crate::flags::setting::{CLUSTER, SettingFlags};
use crate::process::interrupt;
use crate::terminal::destination::print_json;
use crate::terminal::front::{Silent, Terminal};
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::cluster::run::{self, Done, GraphSource, Plan, Wishes, base};
use bnpool_task::run::Source;
use clap::Args;
use std::path::{Path, PathBuf};

/// Flags of `bnpool cluster`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool cluster                                     the built-in Community graph
  bnpool cluster edges.csv                           your own graph
  bnpool cluster edges.csv --structure blocks        groups that need not be dense inside
  bnpool cluster edges.csv --clusters 4              the best partition into four
  bnpool cluster edges.csv --features x.npy --labels classes.csv --seed 1
  bnpool cluster calls.csv --source von --target nach --weight none
  bnpool cluster football.gml --label-attribute value
  bnpool cluster --dataset cora --preset paper       a data set of the paper
  bnpool cluster --dataset cora --pooler mincut      a rival, told the number of classes
  bnpool cluster edges.csv --pooler leiden           communities of high modularity
  bnpool cluster today.csv --from runs/cluster-yesterday-bn-0
  bnpool cluster huge.safetensors --memory 4GB
  bnpool cluster --resume --out runs/cluster-cora-bn-0
  bnpool cluster edges.csv --json | jq .communities")]
pub struct Arguments {
    /// A graph file in any of the formats of `--format`, packed or not, or `-`
    /// for standard input; without one, the built-in Community graph.
    graph: Option<PathBuf>,
    /// Node features: csv (numbers or text), .npy or .npz.
    #[arg(long, value_name = "FILE", requires = "graph")]
    features: Option<PathBuf>,
    /// Known classes of all or some nodes, to compare with.
    #[arg(long, value_name = "FILE", requires = "graph")]
    labels: Option<PathBuf>,
    /// Node attribute (GML, GraphML) or column of the features or labels that
    /// holds the known class.
    #[arg(long, value_name = "NAME", requires = "graph")]
    label_attribute: Option<String>,
    /// A data set of the paper, as in `bnpool data list`.
    #[arg(long, value_name = "NAME", conflicts_with = "graph")]
    dataset: Option<String>,
    /// The settings to start from.
    #[arg(long, value_parser = presets())]
    preset: Option<Preset>,
    /// A finished run on an older version of the graph: the search also starts
    /// from its communities, and the changes are reported. Nodes are matched by
    /// their ids.
    #[arg(
        long,
        value_name = "RUN",
        requires = "graph",
        conflicts_with = "resume"
    )]
    from: Option<PathBuf>,
    /// Memory for a graph that is worked on in parts, such as 4GB or 500MB; the rest is
    /// kept in files. The result does not depend on it.
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    memory: Option<u64>,
    /// Also write every picture of the report to this directory: as SVG, and as PNG if
    /// bnpool was built with the feature `png`.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingFlags<CLUSTER>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    input: InputFlags,
}

/// Parses a size in bytes, such as 500MB, 4GB or 1.5GiB.
fn memory_size(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "kb" | "k" => 1e3,
        "mb" | "m" => 1e6,
        "gb" | "g" => 1e9,
        "tb" | "t" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("a size is a number with a unit, such as 500MB or 4GB".into()),
    };
    match number.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((number * factor) as u64),
        _ => Err("a size is a number with a unit, such as 500MB or 4GB".into()),
    }
}

impl Arguments {
    /// Runs a rank other than rank 0; returns its exit code.
    pub fn follow(self, program: &Program) -> Result<u8, Failure> {
        let data_dir = self.run.data_dir.as_deref();
        self.run
            .on_threads(|| run::follow(data_dir, program.context(&Silent)))
    }

    /// Reads the graph, trains, and writes and prints the communities.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let front = Terminal {
            command: "cluster",
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
            from: self.from.as_deref(),
            plots: self.plots.as_deref(),
            memory: self.memory,
            data_dir: self.run.data_dir.as_deref(),
            config: self.run.config.as_deref(),
        };
        let done = self.run.on_threads(|| {
            let mut progress = Progress::new(&self.run);
            run::execute(&mut plan, &wishes, program.context(&front), &mut progress)
        })?;
        self.print(&done, plan.directory.path(), &front, program)
    }

    /// Prints the result.
    fn print(
        &self,
        done: &Done,
        directory: &Path,
        front: &Terminal,
        program: &Program,
    ) -> Result<(), Failure> {
        if done.unfinished {
            return Err(Failure::interrupted(format!(
                "interrupted after {} epochs; the best communities so far are in {}, marked as unfinished; {}",
                done.metrics.epochs,
                directory.display(),
                front.go_on(directory)
            )));
        }
        if self.run.json {
            print_json(&done.metrics)?;
        } else {
            summary::print(done, directory, program.terms);
        }
        interrupt::at_the_end(directory)
    }

    fn source(&self) -> Result<GraphSource, Failure> {
        let source = GraphSource {
            dataset: self.dataset.clone(),
            graph: self.graph.clone(),
            features: self.features.clone(),
            labels: self.labels.clone(),
            label_attribute: self.label_attribute.clone(),
            called: None,
            made: Vec::new(),
            input: self.input.reading(),
        };
        if self.graph.is_none() {
            self.input.check_unused(&source.name())?;
        }
        Ok(source)
    }

    /// Returns the settings: preset, configuration file, `--set`, flags.
    fn config(&self, source: &GraphSource) -> Result<ClusterConfig, Failure> {
        let base = |preset| Ok(base(preset, source));
        let config = config(&self.run, &self.settings, self.preset, base, |_| Ok(()))?;
        run::check_clusters(&config)?;
        Ok(config)
    }
}
