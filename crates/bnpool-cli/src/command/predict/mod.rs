//! `bnpool predict`: predictions of a trained run for new graphs.

mod communities;
mod names;
mod write;

use crate::Program;
use crate::flags::input::InputFlags;
use crate::terminal::destination;
use crate::terminal::message::{Failure, write_table};
use crate::terminal::progress::Bar;
use bnpool_graph::Graph;
use bnpool_io::format::tu::TuCoding;
use bnpool_io::format::{Format, ReadOptions, feature_files, read_graph, read_graphs};
use bnpool_io::remedy::{Change, Remedied};
use bnpool_task::learn::TrainedModel;
use bnpool_task::learn::run::{Plan, read_model};
use bnpool_task::run::{Inputs, RunDirectory, path_part, task_of};
use bnpool_task::{Reading, TaskError, Terms};
use clap::Args;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Table of a folder of graphs.
const TABLE: &str = "graphs.csv";

/// Largest number of files that are described one by one.
const INTRODUCED: usize = 3;

/// Flags of `bnpool predict`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool predict --run runs/train-mutag-bn-0 others.zip           many graphs
  bnpool predict --run runs/train-mutag-bn-0 a.graphml b.graphml  one graph a file
  bnpool predict --run runs/train-mutag-bn-0 others.zip --out said.csv --pooled pooled/
  bnpool predict --run runs/train-mutag-bn-0 others.zip --eval-samples 10
  bnpool predict --run runs/cluster-edges-bn-0 newer.csv          communities of new nodes")]
pub struct Arguments {
    /// The directory of a run of `bnpool train` or one of its models, or of `bnpool
    /// cluster` to label the nodes of a new version of its graph.
    #[arg(long, value_name = "RUN")]
    run: PathBuf,
    /// Graphs: files of one, or sets (a TU folder or zip, a folder with a table
    /// `graphs.csv`, a container).
    #[arg(required = true)]
    graphs: Vec<PathBuf>,
    /// Node features of a single edge list: csv, .npy or .npz.
    #[arg(long, value_name = "FILE")]
    features: Option<PathBuf>,
    /// The model of this fold instead of the best one.
    #[arg(long, value_name = "FOLD")]
    fold: Option<usize>,
    /// Where to write the predictions (csv); `-`, the default, is standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Also write assignments and pooled graphs (.npy) to this directory.
    #[arg(long, value_name = "DIR")]
    pooled: Option<PathBuf>,
    /// Samples of the assignments that predictions are averaged over.
    #[arg(long, value_name = "N")]
    eval_samples: Option<usize>,
    /// Predict by the posterior mean instead of samples.
    #[arg(long, conflicts_with = "eval_samples")]
    eval_mean: bool,
    /// Seed of the samples; that of the run by default.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The predictions as JSON on standard output.
    #[arg(long, conflicts_with = "out")]
    json: bool,
    #[command(flatten)]
    input: InputFlags,
}

/// Returns the flag of this command for a change.
fn own_flag(change: Change) -> Option<String> {
    match change {
        Change::Setting {
            key: "evaluation.samples",
            ..
        } => Some("give --eval-samples N".into()),
        _ => None,
    }
}

/// Graphs with their names.
#[derive(Default)]
struct Named {
    names: Vec<String>,
    graphs: Vec<Graph>,
    /// Files that were read from folders.
    files: Vec<PathBuf>,
}

/// Model for the predictions.
struct Chosen {
    model: TrainedModel,
    path: PathBuf,
    /// Options with which its training graphs were read.
    trained: Reading,
}

impl Arguments {
    /// Reads the run and the graphs, and writes the predictions.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        if self.eval_samples == Some(0) {
            return Err(Failure::input("--eval-samples 0: at least one is needed"));
        }
        if let Some(out) = &self.out {
            // A copy of a run may lack its marker, which is a hidden file.
            RunDirectory::at(&self.run).check_output(out)?;
        }
        if !self.run.is_file() && task_of(&RunDirectory::at(&self.run))? == "cluster" {
            return self.communities(program.terms);
        }
        let Chosen {
            mut model,
            path,
            trained,
        } = self.chosen()?;
        if let Some(fold) = model.card.fold {
            tell!("the model of fold {fold}");
        }
        let config = &mut model.card.config;
        config.seed = self.seed.unwrap_or(config.seed);
        config.evaluation.samples = self.eval_samples.unwrap_or(config.evaluation.samples);
        config.evaluation.mean =
            self.eval_mean || config.evaluation.mean && self.eval_samples.is_none();
        let predictor = model
            .predictor()
            .map_err(|error| Failure::input(error.in_terms(&own_flag)))?;
        let predictor = match self.pooled {
            Some(_) => predictor.with_pooled_graphs(),
            None => predictor,
        };
        let paths = self.paths();
        let inputs = || paths.iter().chain(&self.features).chain([&path]);
        if let Some(out) = &self.out {
            destination::check(out, inputs())?;
        }
        let mut named = Named::default();
        for (path, stem) in paths.iter().zip(names::distinct(&paths)) {
            let coding = model.card.coding.as_ref();
            self.read((path, stem), &trained, coding, program.terms, &mut named)?;
        }
        let Named {
            names,
            graphs,
            files,
        } = named;
        if let Some(out) = &self.out {
            destination::check(out, &files)?;
        }
        let inputs = Inputs::new(inputs().chain(&files));
        let pooled = self
            .pooled
            .as_deref()
            .map(|folder| write::PooledFolder::new(folder, &names, &inputs))
            .transpose()?;
        let mut table = write::Table::new(&model.card);
        let (all, mut done) = (names.len(), 0);
        let bar = Bar::new(all, "graphs  {bar:24} {pos}/{len}  {eta} left", false);
        let said = predictor.predict_each(graphs, |place, prediction| {
            if let (Some(folder), Some(pooled)) = (&pooled, &prediction.pooled) {
                folder.write(&names[place], pooled)?;
            }
            table.push(&names[place], &prediction);
            done += 1;
            bar.show(done, || format!("{done} of {all} graphs"));
            Ok(())
        });
        drop(bar);
        said.map_err(|problem: Problem| problem.in_words(&names))?;
        if self.json {
            say!("{}", table.json()?);
        } else if let Some(path) = &self.out
            && !destination::is_standard_output(path)
        {
            destination::write_text(path, &table.csv())?;
            let plural = if names.len() == 1 { "" } else { "s" };
            tell!(
                "{} prediction{plural} written to {}",
                names.len(),
                path.display()
            );
        } else {
            write_table(table.csv().trim_end());
        }
        Ok(())
    }

    /// Reads the model: a single file, or one of a run.
    fn chosen(&self) -> Result<Chosen, Failure> {
        if self.run.is_file() {
            if let Some(fold) = self.fold {
                return Err(Failure::input(format!(
                    "{} is one model, and --fold {fold} is one of several; name the directory of the run",
                    self.run.display()
                )));
            }
            return Ok(Chosen {
                model: TrainedModel::load(&self.run)?,
                path: self.run.clone(),
                trained: Reading::default(),
            });
        }
        let plan = Plan::read(RunDirectory::at(&self.run))?;
        let file = match self.fold {
            Some(fold) => format!("model.fold-{fold}.safetensors"),
            None => "model.safetensors".into(),
        };
        let path = plan.directory.file(&file);
        if !path.exists() {
            return Err(Failure::input(format!(
                "{} is not there: the run has not come to its end, or there is no such fold",
                path.display()
            )));
        }
        let model = match self.fold {
            Some(fold) => read_model(&plan, fold)?,
            None => TrainedModel::load(&path)?,
        };
        Ok(Chosen {
            model,
            path,
            trained: plan.source.input,
        })
    }

    /// Returns the paths of graphs. Excludes tables of folders and the node
    /// features named in them, because `new/*.csv` contains all of them.
    fn paths(&self) -> Vec<PathBuf> {
        let mut paths = self.graphs.clone();
        let tables = self.graphs.iter().filter(|path| path.ends_with(TABLE));
        let described: HashSet<PathBuf> = tables
            .filter_map(|table| {
                let folder = table.parent()?;
                feature_files(folder, &ReadOptions::default()).ok()
            })
            .flatten()
            .collect();
        paths.retain(|path| {
            let is_features = described.contains(path);
            if is_features {
                tell!(
                    "note: {} holds node features, says {TABLE}, and is no graph; name the folder to use them",
                    path.display()
                );
            }
            !is_features
        });
        paths.retain(|path| {
            let is_table = path.ends_with(TABLE);
            if is_table && self.graphs.len() > 1 {
                tell!(
                    "note: {} is the table of a folder and no graph; name the folder to predict what the table lists",
                    path.display()
                );
            }
            !is_table
        });
        if paths.is_empty() {
            // A table without graph files represents its folder.
            let folders = self.graphs.iter().filter_map(|table| table.parent());
            return folders
                .map(|folder| {
                    if folder.as_os_str().is_empty() {
                        PathBuf::from(".")
                    } else {
                        folder.to_owned()
                    }
                })
                .collect();
        }
        paths
    }

    /// Adds the graphs of a file or folder.
    fn read(
        &self,
        (path, stem): (&Path, String),
        trained: &Reading,
        coding: Option<&TuCoding>,
        terms: Terms,
        named: &mut Named,
    ) -> Result<(), Failure> {
        let format = match self.input.format {
            Some(format) => format,
            None => Format::detect(path)?,
        };
        let options = ReadOptions {
            features: self.features.clone(),
            // Columns must have the meaning of the training graphs.
            coding: coding.cloned(),
            ..self.input.reading().options_like(trained, format)
        };
        if !format.holds_many() {
            let (graph, report) = read_graph(path, &options)?;
            if self.graphs.len() <= INTRODUCED {
                tell!("{stem}: {}", report.understood(&graph, &terms));
            }
            named.names.push(stem);
            named.graphs.push(graph);
            return Ok(());
        }
        let (graphs, report) = read_graphs(path, &options)?;
        named.files.extend(destination::files_read(path, &report));
        // Names are only useful if they still differ as file names.
        let own = report.graph_names.filter(|names| {
            let distinct: HashSet<String> = names.iter().map(|name| path_part(name)).collect();
            distinct.len() == names.len()
        });
        let own = own.unwrap_or_default();
        let one = graphs.len() == 1;
        for i in 0..graphs.len() {
            named.names.push(match own.get(i) {
                Some(name) => format!("{stem}/{name}"),
                None if one => stem.clone(),
                None => format!("{stem}/{i}"),
            });
        }
        named.graphs.extend(graphs);
        Ok(())
    }
}

/// Error of a graph or of its output.
enum Problem {
    Task(TaskError),
    Other(Failure),
}

impl From<TaskError> for Problem {
    fn from(error: TaskError) -> Self {
        Self::Task(error)
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Other(failure)
    }
}

impl Problem {
    /// Replaces the number of the graph by its name.
    fn in_words(self, names: &[String]) -> Failure {
        match self {
            Self::Task(TaskError::FeatureWidth {
                graph,
                what,
                found,
                expected,
            }) => Failure::input(format!(
                "{}: it has {found} {what} features, but the model was trained on {expected}; describe its {what}s as those of the training graphs",
                names.get(graph).map_or("a graph", String::as_str)
            )),
            Self::Task(TaskError::Prediction { graph }) => Failure::input(format!(
                "{}: its prediction is not finite; check its features for extreme values",
                names.get(graph).map_or("a graph", String::as_str)
            )),
            Self::Task(other) => other.into(),
            Self::Other(failure) => failure,
        }
    }
}
