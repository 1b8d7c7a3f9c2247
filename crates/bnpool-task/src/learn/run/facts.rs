//! Facts that `run.toml` keeps of a training beside its settings.

use crate::Failure;
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
    ///
    /// # Errors
    ///
    /// When the folds have no form in TOML.
    pub fn table(&self) -> Result<Table, Failure> {
        Table::try_from(self)
            .map_err(|e| Failure::running(format!("the folds cannot be written: {e}")))
    }

    /// The facts that a run kept.
    ///
    /// # Errors
    ///
    /// When the folds are missing.
    pub fn read(table: Option<&Table>) -> Result<Self, Failure> {
        let table = table.cloned().unwrap_or_default();
        toml::Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| {
                Failure::input(format!("run.toml has no list of folds: {}", e.message()))
            })
    }
}
