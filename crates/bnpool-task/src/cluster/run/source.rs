//! Sources of graphs.

use crate::failure::Terms;
use crate::run::Source;
use crate::{Failure, Reading};
use bnpool_graph::Graph;
use bnpool_graph::divide::PartSource;
use bnpool_io::dataset::{LoadOptions, Origin, load};
use bnpool_io::format::{ReadOptions, ReadReport, read_graph};
use bnpool_io::remedy::Remedied;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Source of the graph, as stored in `run.toml`. If all fields are empty, it is
/// the built-in Community graph.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GraphSource {
    /// Data set of the paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset: Option<String>,
    /// Graph file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph: Option<PathBuf>,
    /// File of node features.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<PathBuf>,
    /// File of node classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<PathBuf>,
    /// Node attribute or column of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_attribute: Option<String>,
    /// Name of a graph without a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    /// Decisions during the creation of such a graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made: Vec<String>,
    /// Options for reading the graph file.
    #[serde(default, skip_serializing_if = "Reading::is_default")]
    pub input: Reading,
}

/// A graph that was read.
pub struct Input {
    /// The graph; empty if it is read in parts.
    pub graph: Graph,
    /// The graph in parts, if it is not read as a whole.
    pub parts: Option<Arc<dyn PartSource>>,
    /// Name of the graph.
    pub name: String,
    /// Names of the classes of its nodes.
    pub class_names: Vec<String>,
    /// Checksum of its files.
    pub sha256: Option<String>,
    /// Interpretation of the file, in one line.
    pub understood: Option<String>,
    /// Decisions and repairs of the reader.
    pub notes: Vec<String>,
}

/// Size of a graph.
#[derive(Debug, Clone, Copy)]
pub struct Size {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of directed edges.
    pub edges: usize,
    /// Number of features.
    pub features: usize,
}

impl Size {
    /// Returns the size of a graph in memory.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        Self {
            nodes: graph.nodes(),
            edges: graph.edges(),
            features: graph.features().width(),
        }
    }
}

impl Input {
    /// Creates the input of a graph without a file.
    #[must_use]
    pub fn in_memory(
        name: &str,
        graph: Graph,
        class_names: Vec<String>,
        notes: Vec<String>,
    ) -> Self {
        Self {
            graph,
            parts: None,
            name: name.to_owned(),
            class_names,
            sha256: None,
            understood: None,
            notes,
        }
    }

    /// Returns the size of the graph.
    #[must_use]
    pub fn size(&self) -> Size {
        match &self.parts {
            None => Size::of(&self.graph),
            Some(parts) => Size {
                nodes: parts.nodes(),
                edges: parts.entries(),
                features: 0,
            },
        }
    }
}

impl Source for GraphSource {
    const TASK: &'static str = "cluster";

    fn name(&self) -> String {
        match (&self.called, &self.dataset, &self.graph) {
            (Some(name), _, _) => name.clone(),
            (None, Some(name), _) => name.to_lowercase(),
            (None, None, Some(path)) => stem(path),
            (None, None, None) => "community".into(),
        }
    }

    fn paths(&mut self) -> Vec<&mut PathBuf> {
        [&mut self.graph, &mut self.features, &mut self.labels]
            .into_iter()
            .flatten()
            .collect()
    }
}

impl GraphSource {
    /// Reads the graph. Notes use the wording of `terms`.
    ///
    /// # Errors
    ///
    /// As [`read_graph`] and [`load`]. Also returns an error if a data set has
    /// many graphs.
    pub fn read(&self, data_dir: Option<&Path>, terms: Terms) -> Result<Input, Failure> {
        let Some(path) = &self.graph else {
            return self.read_dataset(data_dir);
        };
        let options = ReadOptions {
            features: self.features.clone(),
            labels: self.labels.clone(),
            label_attribute: self.label_attribute.clone(),
            ..self.input.options()
        };
        let (graph, report) = read_graph(path, &options)?;
        Ok(Input {
            name: self.name(),
            class_names: report.classes.clone().unwrap_or_default(),
            sha256: report.sha256(),
            understood: Some(report.understood(&graph, &terms)),
            notes: [self.made.clone(), notes(&report, terms)].concat(),
            graph,
            parts: None,
        })
    }

    fn read_dataset(&self, data_dir: Option<&Path>) -> Result<Input, Failure> {
        self.input.refuse_for_dataset(&self.name())?;
        let options = LoadOptions {
            data_dir: data_dir.map(Path::to_owned),
            ..LoadOptions::paper()
        };
        let mut set = load(&self.name(), &options)?;
        if set.graphs.len() != 1 {
            return Err(Failure::input(format!(
                "{} has {} graphs, and communities are looked for in one; `train` learns from many",
                set.name,
                set.graphs.len()
            )));
        }
        let mut notes = Vec::new();
        if let Origin::Generated { .. } = set.origin {
            notes.push("its files are not here, so it was generated".to_owned());
        }
        Ok(Input {
            graph: set.graphs.remove(0),
            parts: None,
            name: set.name.to_lowercase(),
            class_names: set.class_names,
            sha256: set.origin.sha256().map(str::to_owned),
            understood: None,
            notes,
        })
    }
}

/// Returns the decisions and repairs of a reader, in the wording of the front
/// end.
#[must_use]
pub fn notes(report: &ReadReport, terms: Terms) -> Vec<String> {
    let notes = report.notes.iter();
    notes.map(|note| note.in_terms(&terms)).collect()
}

/// Returns the name of a file without its extensions.
#[must_use]
pub fn stem(path: &Path) -> String {
    if path == Path::new("-") {
        return "stdin".into();
    }
    // Path that the shell substitutes for `<(command)`.
    if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") {
        return "pipe".into();
    }
    // Paths such as `.` must be resolved to get a name.
    let resolved = match path.file_name() {
        Some(_) => None,
        None => path.canonicalize().ok(),
    };
    let name = resolved.as_deref().unwrap_or(path).file_name();
    let name = name.map_or("graph".into(), |n| n.to_string_lossy().into_owned());
    let packed = [".gz", ".zst", ".xz", ".bz2"];
    let unpacked = packed.iter().find_map(|ending| name.strip_suffix(ending));
    let name = unpacked.unwrap_or(&name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem.to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_no_endings() {
        for (path, name) in [
            ("a/b.csv", "b"),
            ("b.gml.zst", "b"),
            ("b.json.xz", "b"),
            ("b.txt.gz", "b"),
            (".hidden", ".hidden"),
            ("-", "stdin"),
            ("/dev/fd/63", "pipe"),
        ] {
            assert_eq!(stem(Path::new(path)), name);
        }
        // A folder has its own name, whatever the form of its path.
        let here = std::env::current_dir().expect("a folder");
        assert_eq!(stem(Path::new(".")), stem(&here));
    }
}
