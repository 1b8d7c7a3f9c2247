//! `bnpool compare`: several poolers under one protocol.

mod seeds;

use crate::Program;
use crate::command::{cluster, train};
use crate::flags::input::InputFlags;
use crate::flags::layers::{config, presets};
use crate::flags::run::{MOST_THREADS, RunFlags};
use crate::flags::setting::{SHARED, SettingFlags, whole};
use crate::terminal::destination::print_json;
use crate::terminal::front::Terminal;
use crate::terminal::message::Failure;
use bnpool::pool::{POOLERS, PoolTraits, find_dividing_pooler, find_pooler};
use bnpool_io::dataset::{Task, find};
use bnpool_task::FailureKind;
use bnpool_task::cluster::run::{GraphSource, Watch as WatchGraph, base as of_graph};
use bnpool_task::compare::{Comparison, Outcome, Subject, Watch, Wishes, check_state};
use bnpool_task::learn::run::{Extent, Folds, SetSource, Watch as WatchFolds, base as of_graphs};
use bnpool_task::run::{RunConfig, RunDirectory, RunState, path_part};
use bnpool_task::{Preset, compare};
use clap::Args;
use seeds::Seeds;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Keyword for all poolers.
const ALL: &str = "all";

/// Examples, and the names of the poolers.
const EXAMPLES: &str = "Examples:
  bnpool compare --dataset mutag                         all poolers, ten folds each
  bnpool compare --dataset enzymes --poolers bn,mincut,topk --folds 0,1,2
  bnpool compare --data my-graphs/ --poolers bn,none --jobs 2
  bnpool compare --dataset cora --poolers bn,diff,mincut,dmon,jb --seeds 0-4
  bnpool compare edges.csv --labels classes.csv --poolers bn,mincut,graclus
  bnpool compare --dataset mutag --set pooler.ratio=0.25 --out quarter
  bnpool compare --resume --out runs/compare-mutag-0     after Ctrl-C

Poolers run one after another, so that times and memory can be compared.
Differences are those to the first pooler.";

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
    #[arg(long, value_parser = presets())]
    preset: Option<Preset>,
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
        if self.is_one_graph()? {
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
            let base = |preset, source: &GraphSource| Ok(of_graph(preset, source));
            self.compare(source, base, program)
        } else {
            let source = SetSource {
                dataset: self.dataset.clone(),
                data: self.data.clone(),
                input: self.input.reading(),
            };
            let base = |preset, source: &SetSource| of_graphs(preset, source.dataset.as_deref());
            self.compare(source, base, program)
        }
    }

    fn compare<S: Subject>(
        &self,
        source: S,
        base: impl FnOnce(Preset, &S) -> Result<S::Config, Failure>,
        program: &Program,
    ) -> Result<(), Failure> {
        if self.dataset.is_some() {
            self.input.check_unused(&source.name())?;
        }
        let comparison = self.comparison(source, base)?;
        let directory = comparison.directory.path().to_owned();
        let front = Terminal {
            command: "compare",
            quiet: self.run.quiet,
        };
        let wishes = Wishes {
            folds: self.folds.clone(),
            jobs: self.jobs.unwrap_or(1),
            overwrite: self.run.overwrite,
            data_dir: self.run.data_dir.as_deref(),
            config: self.run.config.as_deref(),
        };
        let outcome = self.run.on_threads(|| {
            compare(
                comparison,
                &wishes,
                program.context(&front),
                &Progress(&self.run),
            )
        });
        let outcome = outcome.map_err(|failure| match failure.kind() {
            FailureKind::Interrupted => {
                Failure::interrupted(format!("{failure}; {}", front.go_on(&directory)))
            }
            _ => failure,
        })?;
        if self.run.json {
            return print_json(&outcome);
        }
        say!("{}", outcome.heading);
        say!("");
        print_table(&outcome);
        say!("");
        for remark in &outcome.remarks {
            say!("  {remark}");
        }
        say!(
            "  written to {}: compare.html, compare.csv, compare.json, and the runs",
            directory.display()
        );
        Ok(())
    }

    /// Returns the comparison of the flags, or the one in the directory.
    fn comparison<S: Subject>(
        &self,
        source: S,
        base: impl FnOnce(Preset, &S) -> Result<S::Config, Failure>,
    ) -> Result<Comparison<S>, Failure> {
        let flags = &self.run;
        let poolers = self.poolers.as_deref();
        let mut comparison = if self.has_data() {
            let base = |preset| base(preset, &source);
            let config = config(flags, &self.settings, self.preset, base, |settings| {
                settings.flag("clusters", whole(self.clusters), "--clusters")
            })?;
            let first = self.seeds.as_ref().and_then(|seeds| seeds.0.first());
            let seed = *first.unwrap_or(&config.seed());
            // The pooler of a configuration file is ignored in favour of the list.
            let config = config.of_run(POOLERS[0].name, seed);
            let directory = flags.out.clone().unwrap_or_else(|| {
                let name = path_part(&source.name());
                PathBuf::from(format!("runs/compare-{name}-{seed}"))
            });
            let chosen = choose::<S>(poolers)?;
            let comparison = Comparison::new(source, config, chosen, directory);
            if flags.resume && comparison.directory.state()? == RunState::Free {
                check_state(&comparison.directory)?;
            }
            comparison
        } else {
            self.check_resumed()?;
            let directory = RunDirectory::at(flags.out.clone().unwrap_or_default());
            let mut comparison = Comparison::read(directory)?;
            if poolers.is_some() {
                comparison.poolers = choose::<S>(poolers)?;
            }
            comparison
        };
        if let Some(seeds) = &self.seeds {
            comparison.seeds = seeds.0.clone();
        }
        Ok(comparison)
    }

    /// Refuses flags that would change a comparison that is resumed.
    fn check_resumed(&self) -> Result<(), Failure> {
        let flags = &self.run;
        let changed = !flags.sets.is_empty()
            || flags.epochs.is_some()
            || flags.seed.is_some()
            || flags.config.is_some()
            || self.preset.is_some()
            || self.clusters.is_some();
        if changed {
            return Err(Failure::input(
                "--resume goes on with the data and the settings of the comparison; leave them out, or name another directory with --out and the data again",
            ));
        }
        Ok(())
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
            None => self.resumes_one_graph()?,
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

    /// Whether the comparison in the directory is one on a single graph.
    fn resumes_one_graph(&self) -> Result<bool, Failure> {
        match (&self.run.out, self.run.resume) {
            (Some(out), true) => check_state(&RunDirectory::at(out)),
            (None, true) => Err(Failure::input(
                "--resume needs the directory of the comparison: name it with --out DIR",
            )),
            (_, false) => Err(Failure::input(
                "there is nothing to compare poolers on; name a data set with --dataset NAME (see `bnpool data list`), your own graphs with --data PATH, or one graph as a file",
            )),
        }
    }
}

/// Returns the poolers of a list such as `bn,mincut`. Without a list, or for `all`, returns
/// those that can be used.
fn choose<S: Subject>(list: Option<&str>) -> Result<Vec<&'static PoolTraits>, Failure> {
    let able = || POOLERS.iter().filter(|pooler| S::is_able(pooler));
    let Some(list) = list.filter(|list| list.trim() != ALL) else {
        return Ok(able().collect());
    };
    let mut chosen: Vec<&'static PoolTraits> = Vec::new();
    for name in list.split(',').map(str::trim) {
        if name.is_empty() {
            let names: Vec<&str> = able().map(|pooler| pooler.name).collect();
            return Err(Failure::input(format!(
                "--poolers `{list}`: a name is missing; write `all`, or names separated by commas: {}",
                names.join(",")
            )));
        }
        let found = find_pooler(name).and_then(|pooler| {
            if S::is_able(pooler) {
                Ok(pooler)
            } else {
                find_dividing_pooler(name)
            }
        });
        // The error lists the choices; `--pooler` is a flag of other commands.
        let pooler = found.map_err(|error| Failure::input(format!("--poolers {list}: {error}")))?;
        if chosen.iter().any(|other| other.name == pooler.name) {
            return Err(Failure::input(format!(
                "--poolers {list}: `{name}` is named twice; name every pooler once"
            )));
        }
        chosen.push(pooler);
    }
    Ok(chosen)
}

/// A line for the start and the end of each run, with its own progress between them.
struct Progress<'a>(&'a RunFlags);

impl Progress<'_> {
    fn tell(&self, run: &str, words: &str) {
        if !self.0.quiet {
            tell!("{run}: {words}");
        }
    }
}

impl Watch for Progress<'_> {
    fn known(&self, run: &str) {
        self.tell(run, "done before");
    }

    fn begin(&self, run: &str, resumed: bool) {
        self.tell(run, if resumed { "goes on" } else { "begins" });
    }

    fn finished(&self, run: &str, seconds: f64) {
        self.tell(run, &format!("done in {seconds:.1} s"));
    }

    fn cluster(&self) -> Box<dyn WatchGraph + '_> {
        Box::new(cluster::Progress::new(self.0))
    }

    fn train(&self, extent: Extent) -> Box<dyn WatchFolds + '_> {
        Box::new(train::Progress::new(extent, self.0))
    }
}

/// Prints the table with left-aligned names and right-aligned numbers.
fn print_table(outcome: &Outcome) {
    let names = outcome.columns.iter().map(|column| column.name.as_str());
    let cells = outcome.cells.iter();
    let cells = cells.map(|row| row.iter().map(|cell| cell.text.as_str()).collect());
    let lines: Vec<Vec<&str>> = std::iter::once(names.collect()).chain(cells).collect();
    let wide = |i: usize| lines.iter().map(|line| line[i].chars().count()).max();
    let widths: Vec<usize> = (0..lines[0].len()).map(|i| wide(i).unwrap_or(0)).collect();
    for line in lines {
        let mut out = String::new();
        for (i, (cell, &width)) in line.into_iter().zip(&widths).enumerate() {
            // Writing to a string cannot fail.
            let _ = match i {
                0 => write!(out, "  {cell:<width$}"),
                _ => write!(out, "  {cell:>width$}"),
            };
        }
        say!("{}", out.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen<S: Subject>(list: Option<&str>) -> Result<String, String> {
        let poolers = choose::<S>(list).map_err(|failure| failure.to_string())?;
        let names: Vec<&str> = poolers.iter().map(|pooler| pooler.name).collect();
        Ok(names.join(", "))
    }

    #[test]
    fn lists_keep_their_order() {
        assert_eq!(chosen::<SetSource>(Some("topk, bn")), Ok("topk, bn".into()));
        let all = chosen::<SetSource>(None).expect("all");
        assert_eq!(Ok(all.clone()), chosen::<SetSource>(Some("all")));
        assert!(all.starts_with("bn, ") && all.contains("topk") && all.contains("none"));
        let dividing = chosen::<GraphSource>(None).expect("all");
        assert!(!dividing.contains("topk") && !dividing.contains("none"));
    }

    #[test]
    fn bad_lists_are_refused() {
        for (list, one_graph, part) in [
            ("", false, "a name is missing"),
            ("bn,,mincut", false, "a name is missing"),
            ("bn,bn", false, "named twice"),
            ("bn,best", false, "mincut"),
            ("bn,topk", true, "these do: bn"),
            ("none", true, "these do: bn"),
        ] {
            let chosen = if one_graph {
                chosen::<GraphSource>(Some(list))
            } else {
                chosen::<SetSource>(Some(list))
            };
            let message = chosen.expect_err(list);
            assert!(message.contains(part), "{list}: {message}");
        }
    }
}
