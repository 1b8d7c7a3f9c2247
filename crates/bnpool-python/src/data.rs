//! Data sets, and files of many graphs.

use crate::error::{raise, wrong};
use crate::graph::Graph;
use crate::terms::keyword;
use bnpool::pool::POOLERS;
use bnpool_io::dataset::{Dataset, LoadOptions, load, registry};
use bnpool_io::format::ReadOptions;
use bnpool_io::format::container::write_container;
use bnpool_task::cluster::run::Given;
use bnpool_task::learn::run::read_set as read;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A set of graphs.
#[pyclass(frozen, module = "bnpool._bnpool")]
pub struct Set {
    pub set: Dataset,
}

#[pymethods]
impl Set {
    #[getter]
    fn name(&self) -> &str {
        &self.set.name
    }

    #[getter]
    fn task(&self) -> &'static str {
        self.set.task.name()
    }

    #[getter]
    fn class_names(&self) -> Vec<String> {
        self.set.class_names.clone()
    }

    fn __len__(&self) -> usize {
        self.set.graphs.len()
    }

    /// Returns the graph at a position, with its target.
    fn graph(&self, place: usize) -> PyResult<Graph> {
        let graph = self.set.graphs.get(place);
        let graph = graph.ok_or_else(|| wrong(format!("there is no graph {place}")))?;
        let name = format!("{}-{place}", self.set.name);
        Ok(Graph {
            given: Given::in_memory(&name, graph.clone(), Vec::new(), &[], keyword),
        })
    }
}

/// Loads a data set of many graphs.
#[pyfunction]
#[pyo3(signature = (name, data_dir=None))]
pub fn load_set(py: Python<'_>, name: &str, data_dir: Option<PathBuf>) -> PyResult<Set> {
    let options = LoadOptions {
        data_dir,
        ..LoadOptions::paper()
    };
    let set = py.detach(|| load(name, &options)).map_err(raise)?;
    Ok(Set { set })
}

/// Reads a file or folder of many graphs.
#[pyfunction]
pub fn read_set(py: Python<'_>, path: PathBuf) -> PyResult<Set> {
    let read = py.detach(|| read(&path, &ReadOptions::default()));
    let (set, _) = read.map_err(raise)?;
    Ok(Set { set })
}

/// Returns name, title and task of each data set.
#[pyfunction]
pub fn list_sets() -> Vec<(&'static str, &'static str, &'static str)> {
    let sets = registry().iter();
    let sets = sets.map(|entry| (entry.name, entry.title, entry.task.name()));
    sets.collect()
}

/// Writes graphs and the names of their classes to one file.
#[pyfunction]
pub fn write_graphs(
    py: Python<'_>,
    path: PathBuf,
    graphs: Vec<PyRef<'_, Graph>>,
    class_names: Option<Vec<String>>,
) -> PyResult<()> {
    let graphs: Vec<_> = graphs.iter().map(|g| g.given.graph().clone()).collect();
    py.detach(|| write_container(&path, &graphs, class_names.as_deref()))
        .map_err(raise)
}

/// Returns name and summary of each pooler.
#[pyfunction]
pub fn poolers() -> Vec<(&'static str, &'static str)> {
    let all = POOLERS.iter();
    all.map(|pooler| (pooler.name, pooler.summary)).collect()
}
