//! Communities of one graph.

use crate::error::raise;
use crate::found::Found;
use crate::graph::Graph;
use crate::settings::{self, settings};
use crate::watch::{self, Sign, Watch};
use bnpool::Device;
use bnpool_task::cluster::run::{self, Given};
use bnpool_task::cluster::{ClusterConfig, SearchProgress, Trainer};
use bnpool_task::{Failure, TaskError};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// Finds the communities of a graph.
#[pyfunction]
#[pyo3(signature = (graph, preset, given, n_threads=None, show=None))]
pub fn fit(
    py: Python<'_>,
    graph: &Graph,
    preset: &str,
    given: Vec<settings::Given<'_>>,
    n_threads: Option<usize>,
    show: Option<&Bound<'_, PyAny>>,
) -> PyResult<Found> {
    let question = graph.given.clone();
    let config = run::config(&question, preset, settings(given)?).map_err(raise)?;
    let found = watch::run(py, n_threads, show, move |watch| {
        search(question, config, watch)
    })?;
    Ok(Found {
        found: Arc::new(found),
    })
}

fn search(given: Given, config: ClusterConfig, watch: &Watch) -> Result<run::Found, Failure> {
    let observer = |progress: SearchProgress| {
        watch.tell(Sign {
            stage: progress.stage.name().to_owned(),
            done: progress.done,
            total: progress.tasks,
            words: String::new(),
        })
    };
    let interrupted = |error: TaskError| {
        if watch.go_on().is_break() {
            stopped()
        } else {
            error.into()
        }
    };
    let device = Device::flex();
    let trainer = Trainer::observed(given.graph(), &config, &device, &observer);
    let mut trainer = trainer.map_err(interrupted)?;
    // The duration of a run is that of its training, as in the command.
    let started = Instant::now();
    let mut history = Vec::new();
    let total = trainer.epochs_left();
    while let Some(epoch) = trainer.advance()? {
        let sign = Sign {
            stage: "training".into(),
            done: trainer.epochs(),
            total,
            words: format!("loss {:.4}, {} clusters", epoch.total(), epoch.clusters),
        };
        history.push(epoch);
        if watch.tell(sign).is_break() {
            return Err(stopped());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    run::Found::new(given, config, &trainer, history, seconds)
}

/// Creates the failure of an interruption. It is never shown, because the call
/// has already returned.
pub fn stopped() -> Failure {
    Failure::interrupted("interrupted")
}
