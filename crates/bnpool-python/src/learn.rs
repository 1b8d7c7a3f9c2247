//! Classification and regression of whole graphs.

use crate::error::{raise, wrong};
use crate::fit::stopped;
use crate::graph::Graph;
use crate::settings::{self, settings};
use crate::watch::{self, Sign};
use bnpool_io::dataset::{Dataset, Metric, Origin, Task};
use bnpool_task::learn::run;
use bnpool_task::learn::{
    LearnData, LearnEpoch, ModelCard, Objective, PooledGraph, TrainedModel, fit,
};
use bnpool_task::run::Checkpoint;
use bnpool_task::{Failure, TaskError};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A trained model.
#[pyclass(frozen, module = "bnpool._bnpool")]
pub struct Model {
    model: Arc<TrainedModel>,
    #[pyo3(get)]
    epochs: usize,
    #[pyo3(get)]
    best_epoch: usize,
    #[pyo3(get)]
    validation: Option<f64>,
    history: Vec<LearnEpoch>,
}

/// Trains a model on graphs with targets.
#[pyfunction]
#[pyo3(signature = (graphs, regress, class_names, preset, given, validation, dataset=None, n_threads=None, show=None))]
#[allow(clippy::too_many_arguments)] // Keyword arguments of Python.
pub fn learn(
    py: Python<'_>,
    graphs: Vec<PyRef<'_, Graph>>,
    regress: bool,
    class_names: Vec<String>,
    preset: &str,
    given: Vec<settings::Given<'_>>,
    validation: f64,
    dataset: Option<&str>,
    n_threads: Option<usize>,
    show: Option<&Bound<'_, PyAny>>,
) -> PyResult<Model> {
    let config = run::config(dataset, preset, settings(given)?).map_err(raise)?;
    let set = Dataset {
        name: dataset.unwrap_or("graphs").to_owned(),
        task: if regress {
            Task::Regress
        } else {
            Task::Classify
        },
        metric: if regress {
            Metric::Mae
        } else {
            Metric::Accuracy
        },
        graphs: graphs.iter().map(|g| g.given.graph().clone()).collect(),
        classes: class_names.len(),
        class_names,
        official_split: None,
        coding: None,
        cleaned: false,
        origin: Origin::BuiltIn,
    };
    drop(graphs);
    watch::run(py, n_threads, show, move |watch| {
        let data = LearnData::new(set, &config)?;
        let mut history: Vec<LearnEpoch> = Vec::new();
        let learned = fit(&data, &config, validation, |epoch| {
            history.push(epoch.clone());
            watch.tell(Sign {
                stage: "training".into(),
                done: epoch.epoch,
                total: config.training.epochs,
                words: epoch_words(epoch, data.score.name()),
            })
        })?;
        if watch.go_on().is_break() {
            return Err(stopped());
        }
        Ok(Model {
            model: Arc::new(learned.model),
            epochs: learned.epochs,
            best_epoch: learned.best_epoch,
            validation: learned.val,
            history,
        })
    })
}

fn epoch_words(epoch: &LearnEpoch, score: &str) -> String {
    match epoch.val {
        Some(value) => format!("loss {:.4}, {score} {value:.3}", epoch.train_loss),
        None => format!("loss {:.4}", epoch.train_loss),
    }
}

/// A pooled graph: memberships, kept nodes, adjacency and features.
type Pooled<'py> = (
    Option<Bound<'py, PyArray2<f32>>>,
    Vec<usize>,
    Bound<'py, PyArray2<f32>>,
    Bound<'py, PyArray2<f32>>,
);

#[pymethods]
impl Model {
    /// Predicts a row of probabilities or numbers for each graph.
    #[pyo3(signature = (graphs, n_threads=None))]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        graphs: Vec<PyRef<'_, Graph>>,
        n_threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let graphs: Vec<_> = graphs.iter().map(|g| g.given.graph().clone()).collect();
        let (rows, model) = (graphs.len(), Arc::clone(&self.model));
        let values = watch::run(py, n_threads, None, move |_| {
            let predictions = model.predictor()?.predict(graphs)?;
            let values = predictions.into_iter().flat_map(|p| p.values);
            Ok(values.collect::<Vec<f64>>())
        })?;
        let width = values.len() / rows.max(1);
        values.into_pyarray(py).reshape([rows, width])
    }

    /// Returns the graphs after pooling, at the first level.
    #[pyo3(signature = (graphs, n_threads=None))]
    fn pooled<'py>(
        &self,
        py: Python<'py>,
        graphs: Vec<PyRef<'_, Graph>>,
        n_threads: Option<usize>,
    ) -> PyResult<Vec<Pooled<'py>>> {
        let graphs: Vec<_> = graphs.iter().map(|g| g.given.graph().clone()).collect();
        let nodes: Vec<usize> = graphs.iter().map(bnpool_graph::Graph::nodes).collect();
        let model = Arc::clone(&self.model);
        let pooled = watch::run(py, n_threads, None, move |_| {
            let predictor = model.predictor()?.with_pooled_graphs();
            let predictions = predictor.predict(graphs)?;
            let pooled = predictions.into_iter().filter_map(|p| p.pooled);
            Ok(pooled.collect::<Vec<PooledGraph>>())
        })?;
        let all = pooled.into_iter().zip(nodes);
        all.map(|(pooled, nodes)| arrays(py, pooled, nodes))
            .collect()
    }

    /// Returns the epochs as JSON.
    fn history_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.history).map_err(|e| wrong(e.to_string()))
    }

    /// Returns the settings as JSON.
    fn settings_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.model.card.config).map_err(|e| wrong(e.to_string()))
    }

    /// Returns the names of the classes; empty for other objectives.
    #[getter]
    fn class_names(&self) -> Vec<String> {
        let card = &self.model.card;
        match card.objective {
            Objective::Classes { count } => (0..count).map(|i| card.class_name(i)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the objective: one of the classes, several labels, or numbers.
    #[getter]
    fn objective(&self) -> &'static str {
        match self.model.card.objective {
            Objective::Classes { .. } => "classes",
            Objective::Labels { .. } => "labels",
            Objective::Numbers { .. } => "numbers",
        }
    }

    /// Returns the number of predicted values per graph.
    #[getter]
    fn outputs(&self) -> usize {
        self.model.card.objective.outputs()
    }

    /// Returns names and shapes of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<(String, Vec<usize>)> {
        let all = self.model.parameters.iter();
        all.map(|p| (p.name.clone(), p.shape.clone())).collect()
    }

    /// Writes the model in the format of `model.safetensors` of a run.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.model.save(&path)).map_err(raise)
    }

    /// Reads a model: a file, or the best one of a run directory.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let file = if path.is_dir() {
            path.join("model.safetensors")
        } else {
            path
        };
        if !file.exists() {
            return Err(raise(Failure::missing(format!(
                "{}: there is no such file; name the directory of a run of `bnpool train`, or its model.safetensors",
                file.display()
            ))));
        }
        let model = py.detach(|| TrainedModel::load(&file)).map_err(raise)?;
        Ok(Self::of(model))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let file = Checkpoint {
            tensors: self.model.parameters.clone(),
            state: Learned {
                card: self.model.card.clone(),
                epochs: self.epochs,
                best_epoch: self.best_epoch,
                validation: self.validation,
                history: self.history.clone(),
            },
        };
        let bytes = file.to_bytes().map_err(|e| wrong(e.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    #[staticmethod]
    fn of_bytes(bytes: &[u8]) -> PyResult<Self> {
        let file = Checkpoint::<Learned>::of_bytes(bytes, Path::new("the saved model"));
        let Checkpoint { tensors, state } = file.map_err(TaskError::from).map_err(raise)?;
        Ok(Self {
            model: Arc::new(TrainedModel {
                card: state.card,
                parameters: tensors,
            }),
            epochs: state.epochs,
            best_epoch: state.best_epoch,
            validation: state.validation,
            history: state.history,
        })
    }
}

/// Header of a serialised model.
#[derive(Serialize, Deserialize)]
struct Learned {
    card: ModelCard,
    epochs: usize,
    best_epoch: usize,
    validation: Option<f64>,
    history: Vec<LearnEpoch>,
}

impl Model {
    /// Creates a model without data of its training.
    fn of(model: TrainedModel) -> Self {
        Self {
            model: Arc::new(model),
            epochs: 0,
            best_epoch: 0,
            validation: None,
            history: Vec::new(),
        }
    }
}

fn arrays(py: Python<'_>, pooled: PooledGraph, nodes: usize) -> PyResult<Pooled<'_>> {
    let count = pooled.supernodes;
    let array = |values: Vec<f32>, rows: usize| {
        let width = values.len() / rows.max(1);
        values.into_pyarray(py).reshape([rows, width])
    };
    let memberships = if pooled.assignments.is_empty() {
        None
    } else {
        Some(array(pooled.assignments, nodes)?)
    };
    Ok((
        memberships,
        pooled.kept,
        array(pooled.adjacency, count)?,
        array(pooled.features, count)?,
    ))
}
