//! `metrics.json` of a run: for scripts, and for commands that read runs again.
//!
//! It stays plain JSON. Its checksum is one more key, behind all others.

use crate::message::Failure;
use crate::seal::{open_if_sealed, sealed};
use bnpool_task::run::{RunDirectory, RunError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Its name.
const FILE: &str = "metrics.json";

/// Writes it.
pub fn write(directory: &RunDirectory, metrics: &impl Serialize) -> Result<(), Failure> {
    let sealed = sealed(metrics)
        .map_err(|e| Failure::Running(format!("the metrics cannot be written: {e}")))?;
    Ok(directory.write_json(FILE, &sealed)?)
}

/// Reads it; none if it is not there.
pub fn read<T: DeserializeOwned>(directory: &RunDirectory) -> Result<Option<T>, Failure> {
    let Some(mut value) = directory.read_json::<Json>(FILE)? else {
        return Ok(None);
    };
    let damaged = |problem: String| RunError::Damaged {
        path: directory.file(FILE),
        problem,
    };
    open_if_sealed(&mut value).map_err(|problem| damaged(problem.to_owned()))?;
    let metrics = serde_json::from_value(value).map_err(|e| damaged(e.to_string()))?;
    Ok(Some(metrics))
}
