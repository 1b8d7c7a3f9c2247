//! A graph and where it came from.

use crate::command::cluster::{Input, Source};
use crate::input::{InputFlags, YesNo};
use crate::message::Failure;
use crate::plan::Source as _;
use crate::remedy::flag;
use bnpool_graph::Graph;
use bnpool_io::format::{Format, Note, Weights};
use bnpool_io::remedy::Remedied;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A graph and where it came from. A clone copies no data.
#[derive(Clone)]
pub struct Given {
    pub(crate) source: Source,
    pub(crate) input: Arc<Input>,
    /// Whether the graph is in no file.
    pub(crate) in_memory: bool,
}

/// How a graph file is read: the options that run directories keep.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// A file of node features.
    pub features: Option<PathBuf>,
    /// A file of node classes.
    pub labels: Option<PathBuf>,
    /// The node attribute or column that holds the class.
    pub label_attribute: Option<String>,
    /// The format, if the name of the file does not tell.
    pub format: Option<Format>,
    /// The column of the sources.
    pub source: Option<String>,
    /// The column of the targets.
    pub target: Option<String>,
    /// Which weights are read.
    pub weights: Weights,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// Keep the directions of the edges.
    pub directed: bool,
    /// Drop edges from a node to itself.
    pub drop_self_loops: bool,
    /// Keep nodes that have features or labels, but no edge.
    pub keep_isolated: bool,
    /// Node attributes that are features.
    pub node_attributes: Vec<String>,
}

impl Reading {
    fn flags(&self) -> InputFlags {
        InputFlags {
            format: self.format,
            source: self.source.clone(),
            target: self.target.clone(),
            weight: match &self.weights {
                Weights::Auto => None,
                Weights::Ignore => Some("none".into()),
                Weights::Column(name) => Some(name.clone()),
            },
            header: self
                .header
                .map(|header| if header { YesNo::Yes } else { YesNo::No }),
            directed: self.directed,
            drop_self_loops: self.drop_self_loops,
            keep_isolated: self.keep_isolated,
            node_attributes: self.node_attributes.clone(),
            max_bytes: None,
        }
    }
}

impl Given {
    /// Reads a graph file.
    ///
    /// # Errors
    ///
    /// As [`bnpool_io::format::read_graph`].
    pub fn read(path: &Path, reading: &Reading) -> Result<Self, Failure> {
        Self::of_source(
            Source {
                dataset: None,
                graph: Some(path.to_owned()),
                features: reading.features.clone(),
                labels: reading.labels.clone(),
                label_attribute: reading.label_attribute.clone(),
                called: None,
                made: Vec::new(),
                input: reading.flags(),
            },
            None,
        )
    }

    /// Loads a data set of one graph.
    ///
    /// # Errors
    ///
    /// When there is no such set, its files are nowhere, or it has many graphs.
    pub fn dataset(name: &str, data_dir: Option<&Path>) -> Result<Self, Failure> {
        let source = Source {
            dataset: Some(name.to_owned()),
            ..Source::default()
        };
        Self::of_source(source, data_dir)
    }

    fn of_source(source: Source, data_dir: Option<&Path>) -> Result<Self, Failure> {
        let input = Arc::new(source.read(data_dir)?);
        Ok(Self {
            source: source.absolute(),
            input,
            in_memory: false,
        })
    }

    /// A graph that is in no file, with the names of the classes of its nodes and
    /// what was decided when it was made.
    #[must_use]
    pub fn in_memory(name: &str, graph: Graph, class_names: Vec<String>, made: &[Note]) -> Self {
        Self {
            source: Source {
                graph: Some(PathBuf::from(name)),
                ..Source::default()
            },
            input: Arc::new(Input {
                parts: None,
                graph,
                name: name.to_owned(),
                class_names,
                sha256: None,
                understood: None,
                notes: made.iter().map(|note| note.in_terms(&flag)).collect(),
            }),
            in_memory: true,
        }
    }

    /// The graph that a run directory holds because it was in no file.
    pub(super) fn of_run(input: Input) -> Self {
        Self {
            source: Source {
                graph: Some(PathBuf::from(&input.name)),
                ..Source::default()
            },
            input: Arc::new(Input {
                // Those are of the file.
                sha256: None,
                understood: None,
                ..input
            }),
            in_memory: true,
        }
    }

    /// The same with another graph: its features or classes were replaced. Files
    /// do not hold it any more.
    #[must_use]
    pub fn with_graph(&self, graph: Graph, class_names: Option<Vec<String>>) -> Self {
        let input = &*self.input;
        Self {
            source: Source {
                graph: Some(PathBuf::from(&input.name)),
                ..Source::default()
            },
            input: Arc::new(Input {
                parts: None,
                graph,
                name: input.name.clone(),
                class_names: class_names.unwrap_or_else(|| input.class_names.clone()),
                sha256: None,
                understood: None,
                notes: input.notes.clone(),
            }),
            in_memory: true,
        }
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.input.graph
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.input.name
    }

    /// Names of the classes of its nodes.
    #[must_use]
    pub fn class_names(&self) -> &[String] {
        &self.input.class_names
    }

    /// What a file was taken for, and what was decided without being asked.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let read = self.input.understood.iter().cloned();
        read.chain(self.input.notes.iter().cloned()).collect()
    }
}
