//! `metrics.json` of a run: for scripts, and for commands that read runs again.

use super::RunDirectory;
use crate::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Its name.
const FILE: &str = "metrics.json";

/// The most memory that this process has had at once, in megabytes, if the system tells.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    bnpool_math::memory::peak().map(|bytes| bytes as f64 / f64::from(1 << 20))
}

/// Writes `metrics.json`, which marks the end of the run.
///
/// # Errors
///
/// Returns an error if it cannot be written.
pub(crate) fn write_metrics(
    directory: &RunDirectory,
    metrics: &impl Serialize,
) -> Result<(), Failure> {
    directory.write_json(FILE, metrics)?;
    Ok(directory.settle()?)
}

/// Reads `metrics.json`; none if it is not there.
///
/// # Errors
///
/// Returns an error if it cannot be read or was changed.
pub fn read_metrics<T: DeserializeOwned>(directory: &RunDirectory) -> Result<Option<T>, Failure> {
    Ok(directory.read_written(FILE)?)
}
