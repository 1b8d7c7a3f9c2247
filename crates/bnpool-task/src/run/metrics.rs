//! `metrics.json` of a run, for scripts and for commands that read runs.
//!
//! It is plain JSON. The checksum is an additional last key.

use super::RunDirectory;
use crate::Failure;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Name of the file.
const FILE: &str = "metrics.json";

/// Returns the peak memory of this process in megabytes, if available.
pub(crate) fn peak_rss_mb() -> Option<f64> {
    bnpool_math::memory::peak().map(|bytes| bytes as f64 / f64::from(1 << 20))
}

/// Begins a new measurement of the peak memory, where the system can.
pub fn forget_peak() {
    // Linux resets it for this number.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Writes `metrics.json`, which marks the end of the run.
///
/// # Errors
///
/// Returns an error if the file cannot be written.
pub(crate) fn write_metrics(
    directory: &RunDirectory,
    metrics: &impl Serialize,
) -> Result<(), Failure> {
    directory.write_json(FILE, metrics)?;
    Ok(directory.settle()?)
}

/// Reads `metrics.json`; `None` if it does not exist.
///
/// # Errors
///
/// Returns an error if the file cannot be read or was changed.
pub fn read_metrics<T: DeserializeOwned>(directory: &RunDirectory) -> Result<Option<T>, Failure> {
    Ok(directory.read_written(FILE)?)
}
