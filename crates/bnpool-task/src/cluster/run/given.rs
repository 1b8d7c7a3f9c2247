//! A graph and its source.

use super::{GraphSource, Input};
use crate::Failure;
use crate::failure::Terms;
use crate::run::Source as _;
use bnpool_graph::Graph;
use bnpool_io::format::Note;
use bnpool_io::remedy::Remedied;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A graph and its source. Clones share the data.
#[derive(Clone)]
pub struct Given {
    pub(super) source: GraphSource,
    pub(super) input: Arc<Input>,
    /// Whether the graph has no file.
    pub(super) in_memory: bool,
}

impl Given {
    /// Reads a graph file or a data set of one graph.
    ///
    /// # Errors
    ///
    /// As [`GraphSource::read`].
    pub fn read(
        source: GraphSource,
        data_dir: Option<&Path>,
        terms: Terms,
    ) -> Result<Self, Failure> {
        let input = Arc::new(source.read(data_dir, terms)?);
        Ok(Self {
            source: source.absolute(),
            input,
            in_memory: false,
        })
    }

    /// Creates a graph without a file, with the names of the classes of its nodes and
    /// notes about its creation.
    #[must_use]
    pub fn in_memory(
        name: &str,
        graph: Graph,
        class_names: Vec<String>,
        made: &[Note],
        terms: Terms,
    ) -> Self {
        let notes = made.iter().map(|note| note.in_terms(&terms)).collect();
        Self::of_run(Input::in_memory(name, graph, class_names, notes))
    }

    /// Creates the graph of a run directory, which contains it because it had
    /// no file.
    pub(super) fn of_run(input: Input) -> Self {
        Self {
            source: GraphSource {
                graph: Some(PathBuf::from(&input.name)),
                ..GraphSource::default()
            },
            input: Arc::new(Input {
                // These describe the file.
                sha256: None,
                understood: None,
                ..input
            }),
            in_memory: true,
        }
    }

    /// Replaces the graph, for new features or classes. The result has no file.
    #[must_use]
    pub fn with_graph(&self, graph: Graph, class_names: Option<Vec<String>>) -> Self {
        let input = &*self.input;
        let class_names = class_names.unwrap_or_else(|| input.class_names.clone());
        Self::of_run(Input::in_memory(
            &input.name,
            graph,
            class_names,
            input.notes.clone(),
        ))
    }

    /// Returns the graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.input.graph
    }

    /// Returns the name of the graph.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.input.name
    }

    /// Returns the names of the classes of its nodes.
    #[must_use]
    pub fn class_names(&self) -> &[String] {
        &self.input.class_names
    }

    /// Returns the interpretation of the file and the decisions of the reader.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let read = self.input.understood.iter().cloned();
        read.chain(self.input.notes.iter().cloned()).collect()
    }
}
