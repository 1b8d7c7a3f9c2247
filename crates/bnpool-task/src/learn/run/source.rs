//! Sources of graphs.

use crate::TaskError;
use crate::cluster::run::{notes as in_words, stem};
use crate::failure::Terms;
use crate::learn::{DataConfig, LearnConfig, LearnData};
use crate::run::Source;
use crate::{Failure, Reading};
use bnpool::parallel::Collective;
use bnpool_graph::{Graph, Target};
use bnpool_io::dataset::{Dataset, LoadOptions, Metric, Origin, Task, cache_dir, find, load};
use bnpool_io::format::{ReadOptions, ReadReport, read_graphs};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Source of the graphs, as stored in `run.toml`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SetSource {
    /// Data set of the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// Folder or file of graphs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// Options for reading the graph files, which are also used by `predict`.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub input: Reading,
}

impl Source for SetSource {
    const TASK: &'static str = "train";

    fn name(&self) -> String {
        match (&self.dataset, &self.data) {
            (Some(name), _) => name.to_lowercase(),
            (None, Some(path)) => stem(path),
            (None, None) => "graphs".into(),
        }
    }

    fn paths(&mut self) -> Vec<&mut PathBuf> {
        self.data.iter_mut().collect()
    }
}

/// Graphs that were read.
pub struct Input {
    /// Graphs as input of the network.
    pub data: LearnData,
    /// Graphs as they were read, for plots.
    pub originals: Vec<Graph>,
    /// Name of the data.
    pub name: String,
    /// Names of the graphs, if given in the data.
    pub graph_names: Vec<String>,
    /// Checksum of their files.
    pub sha256: Option<String>,
    /// Decisions and repairs of the reader.
    pub notes: Vec<String>,
}

impl Input {
    /// Returns the name of a graph: that of its file, or its number in the
    /// data.
    #[must_use]
    pub fn graph_name(&self, graph: usize) -> String {
        let name = self.graph_names.get(graph);
        name.cloned().unwrap_or_else(|| graph.to_string())
    }

    /// Returns the name of a class.
    #[must_use]
    pub fn class_name(&self, class: usize) -> String {
        let name = self.data.class_names.get(class);
        name.cloned().unwrap_or_else(|| class.to_string())
    }

    /// Adds the precomputed data of the pooler for all graphs, distributed over the ranks
    /// of `engine`.
    ///
    /// # Errors
    ///
    /// As [`LearnData::prepare`].
    pub fn prepared(
        self,
        config: &LearnConfig,
        engine: &dyn Collective,
    ) -> Result<Self, TaskError> {
        let cache = cache_dir().map(|folder| folder.join("coarsenings"));
        Ok(Self {
            data: self.data.prepare(config, cache.as_deref(), engine)?,
            ..self
        })
    }
}

impl SetSource {
    /// Reads the graphs. They must be [prepared](Input::prepared) before
    /// training.
    ///
    /// # Errors
    ///
    /// As [`read_graphs`] and [`load`]. Also returns an error if there is only
    /// one graph.
    pub fn read(
        &self,
        config: &LearnConfig,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Input, Failure> {
        let mut notes = Vec::new();
        let (set, graph_names) = match &self.data {
            Some(path) => read_path(path, &self.input, terms, &mut notes)?,
            None => {
                let set = self.read_dataset(&config.data, data_dir, &mut notes)?;
                (set, Vec::new())
            }
        };
        let originals = set.graphs.clone();
        let sha256 = set.origin.sha256().map(str::to_owned);
        Ok(Input {
            data: LearnData::unprepared(set, config)?,
            originals,
            name: self.name(),
            graph_names,
            sha256,
            notes,
        })
    }

    fn read_dataset(
        &self,
        config: &DataConfig,
        data_dir: Option<&Path>,
        notes: &mut Vec<String>,
    ) -> Result<Dataset, Failure> {
        self.input.refuse_for_dataset(&self.name())?;
        let options = LoadOptions {
            data_dir: data_dir.map(Path::to_owned),
            cleaned: config.cleaned,
            node_attributes: config.node_attributes,
            attention_column: config.attention_column,
            ..LoadOptions::paper()
        };
        let entry = find(&self.name())?;
        if entry.task == Task::Cluster {
            return Err(one_graph(entry.title));
        }
        let set = load(entry.name, &options)?;
        if let Origin::Generated { .. } = set.origin {
            notes.push("its files are not here, so it was generated".to_owned());
        }
        if set.cleaned {
            notes.push("isomorphic graphs are left out, as the authors do".to_owned());
        }
        Ok(set)
    }
}

/// Creates the failure for a single graph, which belongs to the other task.
fn one_graph(name: &str) -> Failure {
    Failure::input(format!(
        "{name} is one graph, and training needs many; `cluster` finds its communities"
    ))
}

/// Reads a folder or file of many graphs, with their names.
fn read_path(
    path: &Path,
    input: &Reading,
    terms: Terms,
    notes: &mut Vec<String>,
) -> Result<(Dataset, Vec<String>), Failure> {
    let (set, report) = read_set(path, &input.options())?;
    if set.graphs.len() == 1 {
        return Err(one_graph(&path.display().to_string()));
    }
    notes.extend(in_words(&report, terms));
    Ok((set, report.graph_names.unwrap_or_default()))
}

/// Reads a folder or file of one or many graphs as a data set.
///
/// # Errors
///
/// As [`read_graphs`].
pub fn read_set(path: &Path, options: &ReadOptions) -> Result<(Dataset, ReadReport), Failure> {
    let (graphs, report) = read_graphs(path, options)?;
    let sha256 = report.sha256().unwrap_or_default();
    let values = matches!(
        graphs.first().and_then(Graph::target),
        Some(Target::Values(_))
    );
    let class_names = report.classes.clone().unwrap_or_default();
    let set = Dataset {
        name: stem(path),
        // Numbers that are all zero or one are labels, which is determined by
        // the objective.
        task: match graphs.len() {
            1 => Task::Cluster,
            _ => Task::Classify,
        },
        metric: if values {
            Metric::Auroc
        } else {
            Metric::Accuracy
        },
        classes: class_names.len(),
        class_names,
        graphs,
        official_split: None,
        coding: report.coding.clone(),
        cleaned: false,
        origin: Origin::Files {
            path: path.to_owned(),
            sha256,
        },
    };
    Ok((set, report))
}
