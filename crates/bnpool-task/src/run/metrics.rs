//! `metrics.json` of a run: for scripts, and for commands that read runs again.
//!
//! It stays plain JSON. Its checksum is one more key, behind all others.

use super::seal::{open_if_sealed, sealed};
use super::{RunDirectory, RunError};
use crate::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Its name.
const FILE: &str = "metrics.json";

/// The most memory that this process has had at once, in megabytes, if the system tells.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    bnpool_math::memory::peak().map(|bytes| bytes as f64 / f64::from(1 << 20))
}

/// Writes `metrics.json`.
///
/// # Errors
///
/// When it cannot be written.
pub fn write_metrics(directory: &RunDirectory, metrics: &impl Serialize) -> Result<(), Failure> {
    let sealed = sealed(metrics)
        .map_err(|e| Failure::running(format!("the metrics cannot be written: {e}")))?;
    Ok(directory.write_json(FILE, &sealed)?)
}

/// Reads `metrics.json`; none if it is not there.
///
/// # Errors
///
/// When it cannot be read or was changed.
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
