//! Facts of a training in `run.toml` that are not settings.

use crate::Failure;
use serde::{Deserialize, Serialize};
use toml::Table;

/// Facts of a training.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Facts {
    /// Folds to train.
    pub folds: Vec<usize>,
}

impl Facts {
    /// Returns the table for `run.toml`.
    ///
    /// # Errors
    ///
    /// Returns an error if the folds cannot be represented in TOML.
    pub fn table(&self) -> Result<Table, Failure> {
        Table::try_from(self)
            .map_err(|e| Failure::running(format!("the folds cannot be written: {e}")))
    }

    /// Reads the facts of a run.
    ///
    /// # Errors
    ///
    /// Returns an error if the folds are missing.
    pub fn read(table: Option<&Table>) -> Result<Self, Failure> {
        let table = table.cloned().unwrap_or_default();
        toml::Value::Table(table)
            .try_into()
            .map_err(|e: toml::de::Error| {
                Failure::input(format!("run.toml has no list of folds: {}", e.message()))
            })
    }
}
