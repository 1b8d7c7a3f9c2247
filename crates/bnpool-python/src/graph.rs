//! Graphs.

use crate::arrays;
use crate::error::{raise, wrong};
use crate::terms::keyword;
use bnpool_graph::{Features, GraphBuilder, Target, UNLABELLED};
use bnpool_io::format::{
    self, Encoding, Format, Note, NumberStyle, ReadOptions, Weights, graph_of_edges,
};
use bnpool_task::Reading;
use bnpool_task::cluster::run::{Given, GraphSource};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// A graph of the engine.
#[pyclass(frozen, module = "bnpool._bnpool")]
pub struct Graph {
    pub given: Given,
}

/// Removes and returns a value of a dictionary of keyword arguments.
fn take<'py, T: FromPyObjectOwned<'py>>(
    given: &Bound<'py, PyDict>,
    key: &str,
) -> PyResult<Option<T>> {
    match given.get_item(key)? {
        Some(value) if !value.is_none() => {
            let read = value.extract::<T>();
            read.map(Some).map_err(|error| {
                let error: PyErr = error.into();
                wrong(format!("{key}: {}", error.value(value.py())))
            })
        }
        _ => Ok(None),
    }
}

/// Returns the source of a graph file, with the options for reading it.
fn source(path: PathBuf, given: Option<&Bound<'_, PyDict>>) -> PyResult<GraphSource> {
    let Some(given) = given else {
        return Ok(GraphSource {
            graph: Some(path),
            ..GraphSource::default()
        });
    };
    let format: Option<String> = take(given, "format")?;
    let format = format.map(|name| name.parse::<Format>());
    let encoding: Option<String> = take(given, "encoding")?;
    let encoding = encoding.map(|name| name.parse::<Encoding>());
    let input = Reading {
        format: format.transpose().map_err(|e| wrong(e.to_string()))?,
        source: take(given, "source")?,
        target: take(given, "target")?,
        weight: match (given.contains("weight")?, take(given, "weight")?) {
            (true, None) => Some("none".to_owned()),
            (_, column) => column,
        },
        header: take(given, "header")?,
        bipartite: take(given, "bipartite")?,
        encoding: encoding.transpose().map_err(|e| wrong(e.to_string()))?,
        skip_bad: take(given, "skip_bad")?.unwrap_or(false),
        directed: take(given, "directed")?.unwrap_or(false),
        drop_self_loops: take(given, "drop_self_loops")?.unwrap_or(false),
        keep_isolated: take(given, "keep_isolated")?.unwrap_or(false),
        node_attributes: take(given, "node_attributes")?.unwrap_or_default(),
        max_bytes: None,
    };
    Ok(GraphSource {
        graph: Some(path),
        features: take(given, "features")?,
        labels: take(given, "labels")?,
        label_attribute: take(given, "label_attribute")?,
        input,
        ..GraphSource::default()
    })
}

/// Returns the weights that the argument `weight` asks for; the column of a name is read
/// already.
fn kind_of_weights(weight: Option<&str>) -> Weights {
    match weight {
        None => Weights::Ignore,
        Some("count") => Weights::Count,
        Some(_) => Weights::Auto,
    }
}

/// The places of the columns of sources, targets and weights, the way in which the weights
/// are written, words for two kinds of nodes, and a description.
type Chosen = (
    usize,
    usize,
    Option<usize>,
    &'static str,
    Option<(String, String)>,
    String,
);

/// Chooses the columns of a frame by its first rows as text.
#[pyfunction]
#[pyo3(signature = (names, rows, source, target, weight, bipartite))]
pub fn choose_columns(
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    source: Option<String>,
    target: Option<String>,
    weight: Option<String>,
    bipartite: Option<bool>,
) -> PyResult<Chosen> {
    let reading = Reading {
        source,
        target,
        weight,
        bipartite,
        ..Reading::default()
    };
    let chosen = format::choose_columns("frame", &names, &rows, &reading.options());
    let (source, target, weight, columns) = chosen.map_err(raise)?;
    let style = match columns.style {
        NumberStyle::Point => "point",
        NumberStyle::Comma => "comma",
        NumberStyle::Grouped => "grouped",
    };
    let words = columns.in_words(&keyword);
    let sides = columns.sides.map(|sides| (sides.source, sides.target));
    Ok((source, target, weight, style, sides, words))
}

impl Graph {
    /// Replaces some parts of the graph.
    fn rebuilt(
        &self,
        names: Option<Vec<String>>,
        change: impl FnOnce(GraphBuilder) -> GraphBuilder,
    ) -> PyResult<Self> {
        let builder = self.given.graph().clone().into_builder();
        let graph = change(builder).build().map_err(raise)?;
        Ok(Self {
            given: self.given.with_graph(graph, names),
        })
    }
}

#[pymethods]
impl Graph {
    /// Creates a graph from lists of sources and targets; `undirected` if edges are
    /// undirected and listed once.
    #[staticmethod]
    #[pyo3(signature = (name, nodes, sources, targets, weights, weight, directed, undirected, notes))]
    #[allow(clippy::too_many_arguments)] // One for each option of the package.
    fn from_edges(
        name: &str,
        nodes: usize,
        sources: &Bound<'_, PyAny>,
        targets: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        weight: Option<&str>,
        directed: bool,
        undirected: bool,
        notes: Vec<String>,
    ) -> PyResult<Self> {
        let options = ReadOptions {
            weights: kind_of_weights(weight),
            directed,
            ..ReadOptions::default()
        };
        let edges = arrays::pairs(sources, targets, nodes)?;
        Self::of_pairs(name, nodes, edges, weights, &options, undirected, notes)
    }

    /// Creates a graph from a matrix in compressed rows.
    #[staticmethod]
    #[pyo3(signature = (name, nodes, indptr, indices, weights, weight, directed, undirected, notes))]
    #[allow(clippy::too_many_arguments)] // One for each option of the package.
    fn from_rows(
        name: &str,
        nodes: usize,
        indptr: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        weights: Option<&Bound<'_, PyAny>>,
        weight: Option<&str>,
        directed: bool,
        undirected: bool,
        notes: Vec<String>,
    ) -> PyResult<Self> {
        let options = ReadOptions {
            weights: kind_of_weights(weight),
            directed,
            ..ReadOptions::default()
        };
        let edges = arrays::places(indptr, indices, nodes, nodes)?;
        Self::of_pairs(name, nodes, edges, weights, &options, undirected, notes)
    }

    /// Reads a file.
    #[staticmethod]
    #[pyo3(signature = (path, **options))]
    fn read(py: Python<'_>, path: PathBuf, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let source = source(path, options)?;
        let given = py.detach(|| Given::read(source, None, keyword));
        Ok(Self {
            given: given.map_err(raise)?,
        })
    }

    /// Loads a data set of one graph.
    #[staticmethod]
    #[pyo3(signature = (name, data_dir=None))]
    fn dataset(py: Python<'_>, name: &str, data_dir: Option<PathBuf>) -> PyResult<Self> {
        let source = GraphSource {
            dataset: Some(name.to_owned()),
            ..GraphSource::default()
        };
        let given = py.detach(|| Given::read(source, data_dir.as_deref(), keyword));
        Ok(Self {
            given: given.map_err(raise)?,
        })
    }

    /// Replaces the node features by dense ones.
    fn with_features(&self, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let matrix = arrays::matrix(values, "X")?;
        self.rebuilt(None, |builder| builder.features(matrix))
    }

    /// Replaces the node features by sparse ones.
    fn with_sparse_features(
        &self,
        indptr: &Bound<'_, PyAny>,
        indices: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        shape: [usize; 2],
    ) -> PyResult<Self> {
        let matrix = arrays::sparse(indptr, indices, values, shape, "X")?;
        self.rebuilt(None, |builder| builder.features(matrix))
    }

    /// Replaces the known classes of the nodes, which are negative if unknown.
    fn with_classes(&self, classes: &Bound<'_, PyAny>, names: Vec<String>) -> PyResult<Self> {
        let classes = arrays::whole(classes, "y")?;
        let known = classes.iter().map(|&class| {
            let class = u32::try_from(class).unwrap_or(UNLABELLED);
            if (class as usize) < names.len() {
                class
            } else {
                UNLABELLED
            }
        });
        let known: Vec<u32> = known.collect();
        self.rebuilt(Some(names), |builder| builder.node_labels(known))
    }

    /// Replaces the names of the nodes.
    fn with_ids(&self, ids: Vec<String>) -> PyResult<Self> {
        self.rebuilt(None, |builder| builder.node_ids(ids))
    }

    /// Replaces the target by a class.
    fn with_class(&self, class: u32) -> PyResult<Self> {
        self.rebuilt(None, |builder| builder.target(Target::Class(class)))
    }

    /// Replaces the target by numbers.
    fn with_numbers(&self, numbers: Vec<f32>) -> PyResult<Self> {
        self.rebuilt(None, |builder| builder.target(Target::Values(numbers)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.given.name()
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.given.graph().nodes()
    }

    /// Returns the number of directed entries of the adjacency.
    #[getter]
    fn edges(&self) -> usize {
        self.given.graph().edges()
    }

    #[getter]
    fn directed(&self) -> bool {
        !self.given.graph().adjacency().is_symmetric()
    }

    #[getter]
    fn ids(&self) -> Option<Vec<String>> {
        self.given.graph().node_ids().map(<[String]>::to_vec)
    }

    #[getter]
    fn class_names(&self) -> Vec<String> {
        self.given.class_names().to_vec()
    }

    #[getter]
    fn notes(&self) -> Vec<String> {
        self.given.notes()
    }

    /// Returns the known classes of the nodes, −1 if unknown.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        let labels = self.given.graph().node_labels()?;
        let known = labels.iter().map(|&class| match class {
            UNLABELLED => -1,
            class => i64::from(class),
        });
        Some(known.collect::<Vec<_>>().into_pyarray(py))
    }

    /// Returns the target of the whole graph: a class, numbers, or none.
    #[getter]
    fn target<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match self.given.graph().target() {
            None => None,
            Some(Target::Class(class)) => Some(class.into_pyobject(py)?.into_any()),
            Some(Target::Values(values)) => Some(values.clone().into_pyarray(py).into_any()),
        })
    }

    /// Returns offsets, columns and weights of the adjacency.
    fn rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        rows(py, self.given.graph().adjacency())
    }

    /// Returns the number of node features.
    #[getter]
    fn width(&self) -> usize {
        self.given.graph().features().width()
    }

    /// Returns the node features: a dense matrix, or offsets, columns and values of a
    /// sparse one.
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.given.graph().features() {
            Features::Dense(matrix) => {
                let shape = [matrix.rows(), matrix.columns()];
                let flat = PyArray1::from_slice(py, matrix.as_slice());
                Ok(flat.reshape(shape)?.into_any())
            }
            Features::Sparse(matrix) => Ok(rows(py, matrix).into_pyobject(py)?.into_any()),
        }
    }
}

/// Offsets, columns and, if any, weights.
pub type Rows<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i64>>,
    Option<Bound<'py, PyArray1<f32>>>,
);

/// Returns the arrays of a matrix.
pub fn rows<'py>(py: Python<'py>, matrix: &bnpool_graph::Csr) -> Rows<'py> {
    let offsets: Vec<i64> = matrix.offsets().iter().map(|&x| x as i64).collect();
    let columns: Vec<i64> = matrix.columns().iter().map(|&x| i64::from(x)).collect();
    (
        offsets.into_pyarray(py),
        columns.into_pyarray(py),
        matrix.weights().map(|w| PyArray1::from_slice(py, w)),
    )
}

impl Graph {
    fn of_pairs(
        name: &str,
        nodes: usize,
        edges: Vec<(u32, u32)>,
        weights: Option<&Bound<'_, PyAny>>,
        options: &ReadOptions,
        undirected: bool,
        remarks: Vec<String>,
    ) -> PyResult<Self> {
        let weights = weights.map(|w| arrays::numbers(w, "weights")).transpose()?;
        let made = graph_of_edges(name, nodes, edges, weights, options);
        let (graph, decided) = made.map_err(raise)?;
        let remarks = remarks.into_iter().map(Note::Remark);
        let mut notes: Vec<Note> = remarks.chain(decided).collect();
        // No decision was made for edges that are known to be undirected.
        notes.retain(|note| !(undirected && matches!(note, Note::Symmetrised { .. })));
        Ok(Self {
            given: Given::in_memory(name, graph, Vec::new(), &notes, keyword),
        })
    }
}
