//! Communities of a graph, with all contents of a run directory.

use super::execute::{CHECKPOINT, Reopened};
use super::output::{Finished, write_results};
use super::page::render_cluster;
use super::previous::PREVIOUS;
use super::{Before, ChangeMetrics, Effort, Given, Metrics, Plan, Size};
use crate::Failure;
use crate::cluster::{Changes, ClusterConfig, ClusterState, Communities, Epoch, Trainer};
use crate::failure::Terms;
use crate::front::Silent;
use crate::run::{
    Checkpoint, Entry, Existing, OWN_GRAPH, RunDirectory, Source as _, read_history,
    write_checkpoint,
};
use bnpool_io::format::container::write_container;
use bnpool_io::format::write_atomically;
use std::path::Path;
use std::sync::Arc;

/// Plots by name, as SVG.
pub type Pictures = Vec<(&'static str, String)>;

/// Communities of a graph, with details of their detection.
pub struct Found {
    pub(super) given: Given,
    pub(super) config: ClusterConfig,
    pub(super) result: Communities,
    pub(super) history: Vec<Epoch>,
    pub(super) checkpoint: Checkpoint<ClusterState>,
    pub(super) epochs: usize,
    pub(super) seconds: f64,
    /// Communities of an older version of the graph.
    pub(super) before: Option<Before>,
}

impl Found {
    /// Creates the result from the current state of a training, which took
    /// `seconds`.
    ///
    /// # Errors
    ///
    /// As [`Trainer::finish`].
    pub fn new(
        given: Given,
        config: ClusterConfig,
        trainer: &Trainer,
        history: Vec<Epoch>,
        seconds: f64,
    ) -> Result<Self, Failure> {
        Ok(Self {
            result: trainer.finish()?,
            checkpoint: trainer.checkpoint(),
            epochs: trainer.epochs(),
            given,
            config,
            history,
            seconds,
            before: None,
        })
    }

    /// Returns the graph.
    #[must_use]
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// Returns the settings.
    #[must_use]
    pub fn config(&self) -> &ClusterConfig {
        &self.config
    }

    /// Returns the communities.
    #[must_use]
    pub fn result(&self) -> &Communities {
        &self.result
    }

    /// Returns the epochs in order.
    #[must_use]
    pub fn history(&self) -> &[Epoch] {
        &self.history
    }

    /// Returns the settings as TOML, in the format of `--config`.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be serialised.
    pub fn settings_toml(&self) -> Result<String, Failure> {
        self.plan(RunDirectory::at("")).settings_toml()
    }

    /// Returns the content of `metrics.json`.
    ///
    /// # Errors
    ///
    /// Returns an error if a value cannot be serialised.
    pub fn metrics_json(&self, terms: Terms) -> Result<String, Failure> {
        let plan = self.plan(RunDirectory::at(""));
        serde_json::to_string(&self.metrics(&plan, self.changes().as_ref(), terms))
            .map_err(|e| Failure::running(format!("the metrics cannot be written: {e}")))
    }

    /// Returns the report as one HTML page, and its plots by name as SVG.
    ///
    /// # Errors
    ///
    /// Returns an error if the report cannot be created.
    pub fn report(&self, terms: Terms) -> Result<(String, Pictures), Failure> {
        let plan = self.plan(RunDirectory::at(""));
        let changes = self.changes();
        let metrics = self.metrics(&plan, changes.as_ref(), terms);
        let run = Finished {
            plan: &plan,
            input: &self.given.input,
            result: &self.result,
            changes: changes.as_ref(),
            metrics: &metrics,
            epochs: self.epochs,
            plots: None,
        };
        render_cluster(&run, &self.history, terms, |rendering| {
            Ok((rendering.html(), rendering.svgs()))
        })
    }

    /// Writes a run directory like `bnpool cluster --out`. A graph without a file
    /// is written into it.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory contains a run and `overwrite` is
    /// false, contains other files, or cannot be written.
    pub fn save(&self, path: &Path, overwrite: bool, terms: Terms) -> Result<(), Failure> {
        let existing = if overwrite {
            Existing::Replace
        } else {
            Existing::Keep
        };
        let mut directory = RunDirectory::at(path);
        if !self.given.in_memory {
            for input in self.given.source.inputs() {
                directory.check_input(&input)?;
            }
        }
        directory.create(existing)?;
        let mut plan = self.plan(directory);
        let mut input = Arc::clone(&self.given.input);
        if self.given.in_memory {
            let file = plan.directory.file(OWN_GRAPH);
            let names = Some(&*input.class_names).filter(|names| !names.is_empty());
            write_container(&file, std::slice::from_ref(&input.graph), names)?;
            plan.source.graph = Some(file);
            plan.source.called = Some(input.name.clone());
            plan.source.made = input.notes.clone();
            // Read like the command will read it.
            input = Arc::new(plan.source.read(None, terms)?);
        }
        plan.write(input.sha256.as_deref())?;
        if let Some(before) = &self.before {
            let text = before.run.text.as_bytes();
            plan.directory.write_bytes(PREVIOUS, text)?;
        }
        let history = plan.directory.file("history.jsonl");
        write_atomically(&history, |out| out.write_all(&self.history_lines()))?;
        let checkpoint = plan.directory.file(CHECKPOINT);
        write_checkpoint(&checkpoint, self.checkpoint.clone(), self.seconds)?;
        let changes = self.changes();
        let metrics = self.metrics(&plan, changes.as_ref(), terms);
        let finished = Finished {
            plan: &plan,
            input: &input,
            result: &self.result,
            changes: changes.as_ref(),
            metrics: &metrics,
            epochs: self.epochs,
            plots: None,
        };
        write_results(&finished, &Silent, terms)
    }

    /// Reads a run directory of the command or of [`Found::save`]. The search for
    /// groups is only repeated if there is no result yet.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such run, or its data no longer exist.
    pub fn load(path: &Path, data_dir: Option<&Path>, terms: Terms) -> Result<Self, Failure> {
        if !path.join("run.toml").exists() {
            return Err(Failure::missing(format!(
                "{}: there is no run.toml, so this is not the directory of a run",
                path.display()
            )));
        }
        let plan = Plan::read(RunDirectory::at(path))?;
        let history = read_history(&plan.directory.file("history.jsonl"))?;
        let run = Reopened::read(&plan, data_dir, terms)?;
        let own = plan.source.graph.as_deref().and_then(Path::file_name);
        let given = if own == Some(OWN_GRAPH.as_ref()) {
            Given::of_run(run.input)
        } else {
            Given {
                source: plan.source.absolute(),
                input: Arc::new(run.input),
                in_memory: false,
            }
        };
        Ok(Self {
            given,
            config: plan.config,
            result: run.result,
            history,
            epochs: run.checkpoint.state.epochs(),
            checkpoint: run.checkpoint,
            seconds: run.seconds,
            before: run.before,
        })
    }

    pub(super) fn plan(&self, directory: RunDirectory) -> Plan {
        Plan {
            source: self.given.source.clone(),
            config: self.config.clone(),
            directory,
            entry: Entry::New(Existing::Keep),
            facts: None,
        }
    }

    fn changes(&self) -> Option<Changes> {
        self.before
            .as_ref()
            .map(|before| before.changes(&self.result))
    }

    fn metrics(&self, plan: &Plan, changes: Option<&Changes>, terms: Terms) -> Metrics {
        Metrics::new(
            plan.directory.path(),
            self.given.name(),
            Size::of(self.given.graph()),
            &self.config,
            &self.result,
            &Effort::new(self.epochs, self.seconds),
            terms,
        )
        .with_changes(changes.map(ChangeMetrics::of))
        .with_understood(self.given.input.understood.clone())
    }

    /// Returns the history, with one line of JSON per epoch.
    pub(super) fn history_lines(&self) -> Vec<u8> {
        let lines = self.history.iter().filter_map(|epoch| {
            let mut line = serde_json::to_vec(epoch).ok()?;
            line.push(b'\n');
            Some(line)
        });
        lines.flatten().collect()
    }
}
