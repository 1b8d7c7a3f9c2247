//! Communities of a new version of a graph, without training.

use super::Arguments;
use crate::terminal::destination;
use crate::terminal::message::{Failure, write_table};
use bnpool_graph::Graph;
use bnpool_io::format::{Format, ReadOptions, read_graph};
use bnpool_task::cluster::run::{ModelState, Plan, Previous};
use bnpool_task::cluster::{CommunityModel, Labelled};
use bnpool_task::run::{Checkpoint, RunDirectory, csv_field};
use bnpool_task::{TaskError, Terms};
use serde::Serialize;
use std::fmt::Write;

/// A node with its community, if determined.
#[derive(Serialize)]
struct Row {
    node: String,
    cluster: Option<u32>,
    confidence: f32,
}

impl Arguments {
    /// Labels the nodes of a graph with a run of `bnpool cluster`.
    pub(super) fn communities(&self, terms: Terms) -> Result<(), Failure> {
        self.check_flags()?;
        let [path] = &*self.graphs else {
            return Err(Failure::input(format!(
                "{} graphs are given, and a run of `bnpool cluster` labels the nodes of one, a new version of its own",
                self.graphs.len()
            )));
        };
        let plan = Plan::read(RunDirectory::at(&self.run))?;
        let previous = Previous::of_run(&self.run)?;
        let model = self.model(&plan)?;
        if let Some(out) = &self.out {
            destination::check(out, [path].into_iter().chain(&self.features))?;
        }
        let format = match self.input.format {
            Some(format) => format,
            None => Format::detect(path)?,
        };
        let options = ReadOptions {
            features: self.features.clone(),
            ..self
                .input
                .reading()
                .options_like(&plan.source.input, format)
        };
        let (graph, report) = read_graph(path, &options)?;
        tell!("{}: {}", path.display(), report.understood(&graph, &terms));
        let known = previous.on(&graph)?;
        let communities: Vec<Option<u32>> = known.iter().map(|k| k.map(|k| k.0)).collect();
        let labelled = model.label(&graph, &communities)?;
        let rows = rows(&graph, &known, &labelled);
        let new = known.iter().filter(|k| k.is_none()).count();
        let lost = rows.iter().filter(|row| row.cluster.is_none()).count();
        tell!(
            "{} known nodes keep their community, {} new ones were labelled",
            known.len() - new,
            new - lost
        );
        if lost > 0 {
            tell!(
                "note: no path connects {lost} new nodes with a known one, so they have no community; `bnpool cluster --from {}` looks for new ones",
                self.run.display()
            );
        }
        self.write(&rows)
    }

    /// Returns an error for flags that do not apply.
    fn check_flags(&self) -> Result<(), Failure> {
        let unused = [
            ("--fold", self.fold.is_some()),
            ("--pooled", self.pooled.is_some()),
            ("--eval-samples", self.eval_samples.is_some()),
            ("--eval-mean", self.eval_mean),
            ("--seed", self.seed.is_some()),
        ];
        match unused.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((name, _)) => Err(Failure::input(format!(
                "{name} is for runs of `bnpool train`, and {} is one of `bnpool cluster`; leave it out",
                self.run.display()
            ))),
        }
    }

    /// Reads the network of the run.
    fn model(&self, plan: &Plan) -> Result<CommunityModel, Failure> {
        let run = self.run.display();
        if !plan.config.looks_for_groups() {
            return Err(Failure::input(format!(
                "{run}: the pooler {} with the preset {} does not describe nodes by the communities around them, so it cannot label new ones; use a run with --pooler bn and --preset default",
                plan.config.pooler.name,
                plan.config.preset.name()
            )));
        }
        let path = plan.directory.file("model.safetensors");
        let model = Checkpoint::<ModelState>::read(&path).map_err(TaskError::from)?;
        if model.state.around == 0 || model.state.columns.is_empty() {
            return Err(Failure::input(format!(
                "{}: it was written by an older version of bnpool, which did not keep what is needed to label new nodes; cluster the graph again",
                path.display()
            )));
        }
        Ok(CommunityModel {
            config: plan.config.clone(),
            clusters: model.state.clusters,
            columns: model.state.columns,
            around: model.state.around,
            directed: model.state.directed,
            parameters: model.tensors,
        })
    }

    fn write(&self, rows: &[Row]) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string_pretty(rows)
                .map_err(|e| Failure::running(format!("the labels cannot be written: {e}")))?;
            say!("{text}");
            return Ok(());
        }
        let mut csv = String::from("node,cluster,confidence\n");
        for row in rows {
            let cluster = row.cluster.map_or(String::new(), |c| c.to_string());
            let node = csv_field(&row.node);
            // Writing to a string cannot fail.
            let _ = writeln!(csv, "{node},{cluster},{:.6}", row.confidence);
        }
        match &self.out {
            Some(path) if !destination::is_standard_output(path) => {
                destination::write_text(path, &csv)?;
                tell!("{} labels written to {}", rows.len(), path.display());
            }
            _ => write_table(csv.trim_end()),
        }
        Ok(())
    }
}

/// Takes known nodes from the run, and labels new ones with the network.
fn rows(graph: &Graph, known: &[Option<(u32, f32)>], labelled: &[Option<Labelled>]) -> Vec<Row> {
    let nodes = known.iter().zip(labelled).enumerate();
    nodes
        .map(|(u, (known, labelled))| {
            let found = labelled.map(|l| (l.community, l.confidence));
            let answer = known.or(found);
            Row {
                node: match graph.node_ids() {
                    Some(ids) => ids[u].clone(),
                    None => u.to_string(),
                },
                cluster: answer.map(|a| a.0),
                confidence: answer.map_or(0.0, |a| a.1),
            }
        })
        .collect()
}
