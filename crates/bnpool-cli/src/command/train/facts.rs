//! What `run.toml` keeps of a training beside its settings.

use crate::message::Failure;
use serde::{Deserialize, Serialize};
use toml::Table;

/// The facts.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    /// Folds to train.
    pub folds: Vec<usize>,
}

impl Facts {
    /// As a table of `run.toml`.
    pub fn table(&self) -> Result<Table, Failure> {
        Table::try_from(self)
            .map_err(|e| Failure::Running(format!("the folds cannot be written down: {e}")))
    }

    /// The facts that a run kept.
    pub fn read(table: Option<&Table>) -> Result<Self, Failure> {
        let table = table.cloned().unwrap_or_default();
        toml::Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| {
                Failure::Input(format!(
                    "run.toml does not say which folds are trained: {}",
                    e.message()
                ))
            })
    }
}
