//! Communities of a graph.

use crate::error::{raise, wrong};
use crate::graph::{Graph, Rows, rows};
use crate::terms::keyword;
use crate::watch;
use bnpool_report::layout::force_directed;
use bnpool_task::cluster::CommunityModel;
use bnpool_task::cluster::run::{self, Pictures, headline, warnings};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;
use std::sync::Arc;

/// Communities and confidences.
type Labelled<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f32>>);

/// A pooled graph: its adjacency, and its features if any.
type Pooled<'py> = (Bound<'py, PyArray2<f32>>, Option<Bound<'py, PyArray2<f32>>>);

/// Communities of a graph.
#[pyclass(frozen, module = "bnpool._bnpool")]
pub struct Found {
    pub found: Arc<run::Found>,
}

impl Found {
    /// Returns the trained network, and the known communities without negative
    /// numbers.
    fn model(&self, known: &[i64]) -> (CommunityModel, Vec<Option<u32>>) {
        let result = self.found.result();
        let count = result.count.communities as i64;
        let known = known
            .iter()
            .map(|c| (0..count).contains(c).then_some(*c as u32));
        let model = CommunityModel::of(result, self.found.config());
        (model, known.collect())
    }

    fn square<'py>(
        py: Python<'py>,
        values: &[f32],
        shape: [usize; 2],
    ) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        if values.len() == shape[0] * shape[1] {
            Ok(Some(PyArray1::from_slice(py, values).reshape(shape)?))
        } else {
            Ok(None)
        }
    }
}

#[pymethods]
impl Found {
    #[getter]
    fn graph(&self) -> Graph {
        Graph {
            given: self.found.given().clone(),
        }
    }

    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let labels = self.found.result().labels.iter();
        let labels: Vec<i64> = labels.map(|&label| i64::from(label)).collect();
        labels.into_pyarray(py)
    }

    #[getter]
    fn confidence<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.found.result().confidence)
    }

    #[getter]
    fn entropy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.found.result().entropy)
    }

    #[getter]
    fn communities(&self) -> usize {
        self.found.result().count.communities
    }

    #[getter]
    fn interval(&self) -> (usize, usize) {
        self.found.result().count.interval.into()
    }

    #[getter]
    fn unfinished(&self) -> bool {
        self.found.result().unfinished
    }

    #[getter]
    fn modularity(&self) -> f64 {
        self.found.result().modularity
    }

    /// Returns the memberships in the communities, if they fit into memory.
    #[getter]
    fn memberships<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let result = self.found.result();
        let shape = [result.labels.len(), result.count.communities];
        Self::square(py, &result.assignments, shape)
    }

    #[getter]
    fn block_matrix<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f32>>>> {
        let result = self.found.result();
        let shape = [result.count.communities; 2];
        Self::square(py, &result.block_matrix, shape)
    }

    /// Returns the merges of the communities down to one: kept, gone, and the
    /// cost in nats.
    #[getter]
    fn merges(&self) -> Vec<(u32, u32, f64)> {
        let evidence = self.found.result().evidence.as_ref();
        let merges = evidence.map_or(&[][..], |evidence| &evidence.merges);
        let merges = merges.iter().map(|m| (m.kept, m.gone, m.length));
        merges.collect()
    }

    /// Returns the coarser partitions, finest first.
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<i64>>> {
        let evidence = self.found.result().evidence.as_ref();
        let levels = evidence.map_or(&[][..], |evidence| &evidence.levels);
        let levels = levels.iter().map(|level| {
            let labels: Vec<i64> = level.iter().map(|&label| i64::from(label)).collect();
            labels.into_pyarray(py)
        });
        levels.collect()
    }

    /// Returns the epochs as JSON.
    fn history_json(&self) -> PyResult<String> {
        serde_json::to_string(self.found.history()).map_err(|e| wrong(e.to_string()))
    }

    fn metrics_json(&self) -> PyResult<String> {
        self.found.metrics_json(keyword).map_err(raise)
    }

    fn settings_toml(&self) -> PyResult<String> {
        self.found.settings_toml().map_err(raise)
    }

    #[getter]
    fn headline(&self) -> Vec<String> {
        headline(self.found.result(), keyword)
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        warnings(self.found.result(), keyword)
    }

    /// Returns the page of the report, and its plots by name as SVG.
    #[pyo3(signature = (n_threads=None))]
    fn report(&self, py: Python<'_>, n_threads: Option<usize>) -> PyResult<(String, Pictures)> {
        let found = Arc::clone(&self.found);
        watch::run(py, n_threads, None, move |_| found.report(keyword))
    }

    /// Writes a run directory.
    fn save(&self, py: Python<'_>, path: PathBuf, overwrite: bool) -> PyResult<()> {
        let found = Arc::clone(&self.found);
        watch::run(py, None, None, move |_| {
            found.save(&path, overwrite, keyword)
        })
    }

    /// Reads a run directory.
    #[staticmethod]
    #[pyo3(signature = (path, data_dir=None, n_threads=None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        data_dir: Option<PathBuf>,
        n_threads: Option<usize>,
    ) -> PyResult<Self> {
        let load = move |_: &watch::Watch| run::Found::load(&path, data_dir.as_deref(), keyword);
        let found = watch::run(py, n_threads, None, load)?;
        Ok(Self {
            found: Arc::new(found),
        })
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.found.to_bytes()).map_err(raise)?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn of_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        let bytes = bytes.to_vec();
        let found = py.detach(|| run::Found::of_bytes(&bytes));
        Ok(Self {
            found: Arc::new(found.map_err(raise)?),
        })
    }

    /// Returns labels and confidences of the nodes of a graph from the trained
    /// network; −1 for nodes that are not connected to a known one. `known`
    /// holds the known community of each node, or a negative number.
    #[pyo3(signature = (graph, known, n_threads=None))]
    fn label<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        known: Vec<i64>,
        n_threads: Option<usize>,
    ) -> PyResult<Labelled<'py>> {
        let (model, communities) = self.model(&known);
        let given = graph.given.clone();
        let labelled = watch::run(py, n_threads, None, move |_| {
            Ok(model.label(given.graph(), &communities)?)
        })?;
        let labels = labelled
            .iter()
            .map(|l| l.map_or(-1, |l| i64::from(l.community)));
        let labels: Vec<i64> = labels.collect();
        let sure = labelled.iter().map(|l| l.map_or(0.0, |l| l.confidence));
        let sure: Vec<f32> = sure.collect();
        Ok((labels.into_pyarray(py), sure.into_pyarray(py)))
    }

    /// Returns the memberships of the nodes of a graph from the trained
    /// network; `known` as for `label`.
    #[pyo3(signature = (graph, known, n_threads=None))]
    fn memberships_of<'py>(
        &self,
        py: Python<'py>,
        graph: &Graph,
        known: Vec<i64>,
        n_threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (model, communities) = self.model(&known);
        let (given, width) = (graph.given.clone(), model.columns.len());
        let values = watch::run(py, n_threads, None, move |_| {
            Ok(model.memberships(given.graph(), &communities)?)
        })?;
        values.into_pyarray(py).reshape([known.len(), width])
    }

    /// Returns the positions of the nodes in the plane, [nodes, 2].
    #[pyo3(signature = (n_threads=None))]
    fn positions<'py>(
        &self,
        py: Python<'py>,
        n_threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let found = Arc::clone(&self.found);
        let points = watch::run(py, n_threads, None, move |_| {
            let result = found.result();
            let groups: Vec<usize> = result.labels.iter().map(|&l| l as usize).collect();
            let edges = found.given().graph().adjacency().iter();
            let edges = edges.filter(|(u, v, _)| u < v).map(|(u, v, _)| (u, v));
            let edges: Vec<(u32, u32)> = edges.collect();
            Ok(force_directed(&edges, &groups, found.config().seed))
        })?;
        let nodes = points.len();
        let flat: Vec<f64> = points.into_iter().flatten().collect();
        flat.into_pyarray(py).reshape([nodes, 2])
    }

    /// Returns the pooled graph: Sᵀ A S, and Sᵀ X if the nodes have features.
    #[pyo3(signature = (n_threads=None))]
    fn pooled<'py>(&self, py: Python<'py>, n_threads: Option<usize>) -> PyResult<Pooled<'py>> {
        let found = Arc::clone(&self.found);
        let pooled = watch::run(py, n_threads, None, move |_| {
            found.result().pooled(found.given().graph())
        })?;
        let supernodes = pooled.supernodes;
        let array = |values: Vec<f32>, width: usize| {
            let shape = [supernodes, width];
            values.into_pyarray(py).reshape(shape)
        };
        let adjacency = array(pooled.adjacency, supernodes)?;
        let features = match pooled.features.len() / supernodes.max(1) {
            0 => None,
            width => Some(array(pooled.features, width)?),
        };
        Ok((adjacency, features))
    }

    /// Returns the edges between communities: offsets, columns and weights.
    fn aggregate<'py>(&self, py: Python<'py>) -> PyResult<Rows<'py>> {
        let (graph, result) = (self.found.given().graph(), self.found.result());
        let matrix = py.detach(|| result.aggregate(graph));
        Ok(rows(py, &matrix.map_err(raise)?))
    }
}
