//! Saved result of a run, so that the search for groups need not be repeated.
//!
//! Large arrays are in `.npy` files, which are also for users.
//! `result.safetensors` contains the rest, and checksums of those files and of
//! `labels.csv`.

use crate::Failure;
use crate::TaskError;
use crate::cluster::Communities;
use crate::run::{Checkpoint, CheckpointError, RunDirectory, part};
use bnpool_io::format::npy::{Npy, encode_f32};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// File of the result.
const RESULT: &str = "result.safetensors";
/// Prefix of the parameters of the network among its arrays.
const MODEL: &str = "model.";

/// Largest number of communities of a saved result. The properties of each are in the
/// header of the file, which is limited to 100 MB. A result with more communities is not
/// saved, so reading the run repeats the search.
const MOST_COMMUNITIES: usize = 200_000;

/// The content of the file apart from its arrays.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Rest {
    /// Number of finished epochs of all starts at the time of the result.
    epochs: usize,
    /// The result without its arrays.
    result: Communities,
}

/// A saved result.
pub(super) struct Kept {
    pub epochs: usize,
    pub result: Communities,
}

/// Returns whether a result has a value for each of `nodes` nodes.
pub(super) fn fits(result: &Communities, nodes: usize) -> bool {
    let lengths = [
        result.labels.len(),
        result.confidence.len(),
        result.entropy.len(),
    ];
    lengths.iter().all(|&length| length == nodes)
}

/// Writes the arrays of a result, then the rest. `labels.csv` must exist.
pub(super) fn write(
    directory: &RunDirectory,
    result: &Communities,
    epochs: usize,
) -> Result<(), Failure> {
    let (nodes, communities) = (result.labels.len(), result.count.communities);
    let clusters = result.clusters;
    for (name, shape, values) in [
        // One column per community, numbered as in labels.csv.
        ("assignments.npy", [nodes, communities], &result.assignments),
        (
            "block_matrix.npy",
            [communities, communities],
            &result.block_matrix,
        ),
        // One column for each of the C clusters of the model.
        (
            "assignments_raw.npy",
            [nodes, clusters],
            &result.raw_assignments,
        ),
        (
            "block_matrix_raw.npy",
            [clusters, clusters],
            &result.raw_block_matrix,
        ),
    ] {
        // Memberships of a huge graph in many communities are left out.
        if values.len() == shape[0] * shape[1] {
            directory.write_bytes(name, &encode_f32(&shape, values))?;
        } else {
            directory.remove(name)?;
        }
    }
    if communities > MOST_COMMUNITIES {
        // A file from before the run was continued has other checksums.
        return Ok(directory.remove(RESULT)?);
    }
    let mut tensors = result.node_arrays();
    tensors.extend(result.parameters.iter().map(|t| t.with_prefix(MODEL)));
    let file = Checkpoint {
        tensors,
        state: Rest {
            epochs,
            result: result.without_arrays(),
        },
    };
    let bytes = file
        .to_bytes()
        .map_err(|e| Failure::running(format!("{RESULT}: cannot be written: {e}")))?;
    Ok(directory.write_bytes(RESULT, &bytes)?)
}

/// Reads the file of a result.
fn open<T: Serialize + DeserializeOwned>(path: &Path) -> Result<Checkpoint<T>, Failure> {
    match Checkpoint::read(path) {
        Err(CheckpointError::Malformed { problem, .. }) => {
            Err(refused(path, path, &format!("it is damaged: {problem}")))
        }
        read => Ok(read.map_err(TaskError::from)?),
    }
}

/// Describes the problem with a file of the result at `path`, and its remedy.
fn refused(path: &Path, file: &Path, problem: &str) -> Failure {
    Failure::input(format!(
        "{}: {problem}; remove {}, and the graph is searched again",
        file.display(),
        path.display()
    ))
}

/// Reads the result of a run on a graph with this number of nodes; `None` if the
/// run has no result yet.
pub(super) fn read(directory: &RunDirectory, nodes: usize) -> Result<Option<Kept>, Failure> {
    let path = directory.file(RESULT);
    // Metrics are written last: without them, other files may be older than the
    // checkpoint.
    if !directory.file("metrics.json").exists() || !path.exists() {
        return Ok(None);
    }
    let refuse = |file: &Path, problem: &str| refused(&path, file, problem);
    let Checkpoint { tensors, state } = open::<Rest>(&path)?;
    let Rest { epochs, mut result } = state;
    let array = |name: &str| -> Result<Vec<f32>, Failure> {
        if !directory.has_written(name) {
            return Ok(Vec::new());
        }
        let file = directory.file(name);
        let bytes =
            std::fs::read(&file).map_err(|e| refuse(&file, &format!("cannot read: {e}")))?;
        if let Some(problem) = directory.problem(name, &bytes) {
            return Err(refuse(&file, problem));
        }
        let values = Npy::parse(&file, &bytes)?.data.to_f32();
        values.ok_or_else(|| refuse(&file, "it holds no numbers"))
    };
    result.assignments = array("assignments.npy")?;
    result.block_matrix = array("block_matrix.npy")?;
    result.raw_assignments = array("assignments_raw.npy")?;
    result.raw_block_matrix = array("block_matrix_raw.npy")?;
    result.set_node_arrays(&tensors);
    result.parameters = part(&tensors, MODEL);
    if fits(&result, nodes) {
        Ok(Some(Kept { epochs, result }))
    } else {
        Err(refuse(&path, "it has other nodes than the graph"))
    }
}
