//! `bnpool compare`: several poolers under one protocol.
//!
//! It trains nothing itself: it runs `bnpool train` or `bnpool cluster` for each pooler,
//! one after another. So the times are independent, and the peak memory of a process is
//! that of one pooler. All directories are examined before anything is written or
//! started. The numbers of the table are read from `metrics.json` of the runs, except
//! differences and the size of graphs that are not pooled.
//!
//! The settings are resolved once. A child process gets them as `--preset` and the
//! `--set`s that differ from it, so `run.toml` of each run contains the whole protocol.
//! It also determines whether an existing run belongs to the comparison.

mod child;
mod choose;
mod comparison;
pub mod differences;
mod graphs;
mod job;
mod one_graph;
mod outcome;
mod page;
mod progress;
mod sample;
mod seeds;
pub mod table;

use crate::Program;
use crate::flags::input::InputFlags;
use crate::flags::preset::PresetName;
use crate::flags::run::{MOST_THREADS, RunFlags};
use crate::flags::setting::{SHARED, SettingFlags};
use crate::terminal::message::Failure;
use bnpool::pool::POOLERS;
use bnpool_io::dataset::{Task, find};
use bnpool_task::learn::run::Folds;
use bnpool_task::run::{RunDirectory, task_of};
use clap::Args;
use comparison::{MANY_GRAPHS, ONE_GRAPH};
use seeds::Seeds;
use std::path::PathBuf;

/// Examples, and the names of the poolers.
const EXAMPLES: &str = "Examples:
  bnpool compare --dataset mutag                         all poolers, ten folds each
  bnpool compare --dataset enzymes --poolers bn,mincut,topk --folds 0,1,2
  bnpool compare --data my-graphs/ --poolers bn,none --jobs 2
  bnpool compare --dataset cora --poolers bn,diff,mincut,dmon,jb --seeds 0-4
  bnpool compare edges.csv --labels classes.csv --poolers bn,mincut,graclus
  bnpool compare --dataset mutag --set pooler.ratio=0.25 --out quarter
  bnpool compare --resume --out runs/compare-mutag-0     after Ctrl-C

Poolers run one after another, each in a process of its own, so that times and
memory can be compared. Differences are those to the first pooler.";

fn after_help() -> String {
    let names: Vec<&str> = POOLERS.iter().map(|pooler| pooler.name).collect();
    format!(
        "{EXAMPLES}\nThere are {}; docs/POOLERS.md describes them.",
        names.join(", ")
    )
}

/// Flags of `bnpool compare`.
#[derive(Args)]
#[command(
    // A list takes its place.
    mut_arg("pooler", |flag| flag.hide(true)),
    after_help = after_help()
)]
pub struct Arguments {
    /// One graph whose communities are compared; for many graphs see --dataset
    /// and --data.
    graph: Option<PathBuf>,
    /// Node features of the graph: csv, .npy or .npz.
    #[arg(long, value_name = "FILE", requires = "graph")]
    features: Option<PathBuf>,
    /// Known classes of its nodes, to compare with.
    #[arg(long, value_name = "FILE", requires = "graph")]
    labels: Option<PathBuf>,
    /// Node attribute (GML, GraphML) or column of the features or labels that
    /// holds the known class.
    #[arg(long, value_name = "NAME", requires = "graph")]
    label_attribute: Option<String>,
    /// A data set of the paper, of many graphs or of one; see `bnpool data list`.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["data", "graph"])]
    dataset: Option<String>,
    /// Your own graphs, as `bnpool train` reads them.
    #[arg(long, value_name = "PATH", conflicts_with = "graph")]
    data: Option<PathBuf>,
    /// Poolers to compare, such as bn,mincut,topk; by default `all` that can
    /// serve the task. The others are compared with the first.
    #[arg(long, value_name = "NAMES")]
    poolers: Option<String>,
    /// One graph: number of clusters of the poolers that do not find it; by
    /// default the number of known classes.
    #[arg(long, value_name = "K")]
    clusters: Option<usize>,
    /// One graph: seeds of the runs of every pooler, such as 0-4 or 0,1,2. The
    /// table has means and deviations then, and differences seed by seed.
    #[arg(long, value_name = "SEEDS", conflicts_with = "seed")]
    seeds: Option<Seeds>,
    /// Many graphs: folds to train, `all` (the default) or a list such as 0,1,2.
    #[arg(long, value_name = "FOLDS")]
    folds: Option<Folds>,
    /// Many graphs: folds to train side by side. Results do not depend on it, but
    /// times and memory do.
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The settings to start from.
    #[arg(long, value_enum)]
    preset: Option<PresetName>,
    #[command(flatten)]
    settings: SettingFlags<SHARED>,
    #[command(flatten)]
    run: RunFlags,
    #[command(flatten)]
    input: InputFlags,
}

/// Whether an assignment of `--set` is one of this key.
fn assigns(set: &str, key: &str) -> bool {
    set.split('=').next().is_some_and(|own| own.trim() == key)
}

impl Arguments {
    /// Runs every pooler that has not been run, and writes and prints the table.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        self.check()?;
        let one_graph = self.is_one_graph()?;
        self.run.on_threads(|| {
            if one_graph {
                one_graph::compare(&self, program)
            } else {
                graphs::compare(&self, program)
            }
        })
    }

    /// Whether data are named; else those of the comparison that is resumed are
    /// meant.
    fn has_data(&self) -> bool {
        self.graph.is_some() || self.dataset.is_some() || self.data.is_some()
    }

    /// Refuses flags that mean nothing here.
    fn check(&self) -> Result<(), Failure> {
        let refuse = |words: String| Err(Failure::input(words));
        if let Some(name) = self.settings.pooler() {
            return refuse(format!(
                "--pooler {name}: a comparison takes a list of poolers; write --poolers NAME,NAME"
            ));
        }
        if let Some(set) = self.run.sets.iter().find(|set| assigns(set, "pooler.name")) {
            return refuse(format!(
                "--set {set}: the poolers of a comparison are those of --poolers"
            ));
        }
        if let Some(set) = self.run.sets.iter().find(|set| assigns(set, "seed"))
            && self.seeds.is_some()
        {
            return refuse(format!("--set {set}: the seeds are those of --seeds"));
        }
        match self.jobs {
            Some(0) => return refuse("--jobs 0: at least one is needed".into()),
            Some(jobs) if jobs > MOST_THREADS => {
                return refuse(format!(
                    "--jobs {jobs}: at most {MOST_THREADS} can run side by side"
                ));
            }
            _ => {}
        }
        if self.clusters == Some(0) {
            return refuse(
                "--clusters 0: at least one cluster is needed; leave it out to have the number of known classes".into(),
            );
        }
        let paths = [&self.graph, &self.data, &self.features, &self.labels];
        if paths
            .into_iter()
            .flatten()
            .any(|path| path.as_os_str() == "-")
        {
            return refuse(
                "standard input can be read once, and every pooler reads the data; save them to a file".into(),
            );
        }
        Ok(())
    }

    fn is_one_graph(&self) -> Result<bool, Failure> {
        let one = match &self.dataset {
            Some(name) => find(name)?.task == Task::Cluster,
            None if self.has_data() => self.graph.is_some(),
            None => self.resumed_task()? == ONE_GRAPH,
        };
        let wrong = match one {
            true if self.folds.is_some() => "--folds is for many graphs, and this is one",
            true if self.jobs.is_some() => {
                "--jobs is for the folds of many graphs, and this is one graph"
            }
            false if self.clusters.is_some() => {
                "--clusters is for one graph; poolers of many graphs keep a share κ of the nodes, which --set pooler.ratio=0.25 changes"
            }
            false if self.seeds.is_some() => {
                "--seeds is for one graph; many graphs are compared over their folds (--folds), with one seed (--seed)"
            }
            _ => return Ok(one),
        };
        Err(Failure::input(wrong))
    }

    /// The task of the comparison in the directory.
    fn resumed_task(&self) -> Result<&'static str, Failure> {
        match (&self.run.out, self.run.resume) {
            (Some(out), true) => {
                let directory = RunDirectory::at(out);
                comparison::check_state(&directory)?;
                Ok(if task_of(&directory)? == ONE_GRAPH {
                    ONE_GRAPH
                } else {
                    MANY_GRAPHS
                })
            }
            (None, true) => Err(Failure::input(
                "--resume needs the directory of the comparison: name it with --out DIR",
            )),
            (_, false) => Err(Failure::input(
                "there is nothing to compare poolers on; name a data set with --dataset NAME (see `bnpool data list`), your own graphs with --data PATH, or one graph as a file",
            )),
        }
    }
}
