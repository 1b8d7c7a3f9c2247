//! `metrics.json` of a run, for scripts and for commands that read runs.
//!
//! It is plain JSON. The checksum is an additional last key.

use super::seal::{open_if_sealed, sealed};
use super::{RunDirectory, RunError};
use crate::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Name of the file.
const FILE: &str = "metrics.json";

/// Returns the peak memory of this process in megabytes, if available.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    bnpool_math::memory::peak().map(|bytes| bytes as f64 / f64::from(1 << 20))
}

/// Writes `metrics.json`.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub fn write_metrics(directory: &RunDirectory, metrics: &impl Serialize) -> Result<(), Failure> {
    let sealed = sealed(metrics)
        .map_err(|e| Failure::running(format!("the metrics cannot be written: {e}")))?;
    Ok(directory.write_json(FILE, &sealed)?)
}

/// Reads `metrics.json`; `None` if it does not exist.
///
/// # Errors
///
/// Returns an error if the file cannot be read or was changed.
pub fn read_metrics<T: DeserializeOwned>(directory: &RunDirectory) -> Result<Option<T>, Failure> {
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
