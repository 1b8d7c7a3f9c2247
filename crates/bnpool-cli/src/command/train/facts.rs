//! What `run.toml` keeps of the data, so that a model can be used without them.

use super::source::Input;
use crate::message::Failure;
use bnpool::model::InputKind;
use bnpool::task::learn::{Objective, Score};
use bnpool_graph::format::tu::TuCoding;
use serde::{Deserialize, Serialize};
use toml::Table;

/// The facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    /// How results are judged.
    pub score: Score,
    /// Mean number of nodes of a graph.
    pub nodes: f64,
    /// Folds to train.
    #[serde(default)]
    pub folds: Vec<usize>,
    /// Names of the classes.
    pub classes: Vec<String>,
    /// What is predicted.
    pub objective: Objective,
    /// What nodes and edges are described by.
    pub input: InputKind,
    /// How labels and attributes of a TU set became features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coding: Option<TuCoding>,
}

/// The facts of graphs.
pub fn of(input: &Input, folds: &[usize]) -> Result<Table, Failure> {
    let data = &input.data;
    let facts = Facts {
        score: data.score,
        nodes: data.mean_nodes(),
        folds: folds.to_vec(),
        classes: data.class_names.clone(),
        objective: data.objective,
        input: data.input(),
        coding: input.coding.clone(),
    };
    Table::try_from(facts)
        .map_err(|e| Failure::Running(format!("the facts cannot be written down: {e}")))
}

/// The facts that a run kept.
pub fn read(table: Option<&Table>) -> Result<Facts, Failure> {
    let table = table.cloned().unwrap_or_default();
    toml::Value::Table(table)
        .try_into()
        .map_err(|e: toml::de::Error| {
            Failure::Input(format!(
                "run.toml does not say what the model was trained on: {}",
                e.message()
            ))
        })
}
