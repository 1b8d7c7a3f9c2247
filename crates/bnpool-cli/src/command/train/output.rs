//! The files of a run.

use super::Plan;
use super::fold::{FinishedFold, FoldFiles};
use crate::message::Failure;
use bnpool::task::TaskError;
use bnpool::train::{Checkpoint, NamedTensor};
use bnpool_graph::format::write_atomically;
use serde_json::json;
use std::path::Path;

/// Writes trained parameters.
pub fn write_model(path: &Path, tensors: &[NamedTensor]) -> Result<(), Failure> {
    let model = Checkpoint {
        tensors: tensors.to_vec(),
        state: json!({ "task": "train", "version": env!("CARGO_PKG_VERSION") }),
    };
    Ok(model.write(path).map_err(TaskError::from)?)
}

/// Reads trained parameters.
pub fn read_model(path: &Path) -> Result<Vec<NamedTensor>, Failure> {
    let model = Checkpoint::<serde_json::Value>::read(path).map_err(TaskError::from)?;
    Ok(model.tensors)
}

/// `history.jsonl`: the histories of the folds, one after the other.
pub fn join_histories(plan: &Plan, folds: &[usize]) -> Result<(), Failure> {
    let mut all = Vec::new();
    for &fold in folds {
        let path = FoldFiles::of(plan, fold).history;
        match std::fs::read(&path) {
            Ok(lines) => all.extend(lines),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => {
                return Err(Failure::Running(format!(
                    "{}: cannot read: {e}",
                    path.display()
                )));
            }
        }
    }
    Ok(write_atomically(
        &plan.directory.file("history.jsonl"),
        |out| out.write_all(&all),
    )?)
}

/// The model that `bnpool predict` takes: of the fold that did best on its
/// validation graphs, the first of equals.
pub fn write_best_model(plan: &Plan, folds: &[FinishedFold], error: bool) -> Result<(), Failure> {
    let value = |fold: &FinishedFold| {
        let val = fold.result.val.unwrap_or(f64::NEG_INFINITY);
        if error { -val } else { val }
    };
    let mut best: Option<&FinishedFold> = None;
    for fold in folds {
        if best.is_none_or(|b| value(fold) > value(b)) {
            best = Some(fold);
        }
    }
    match best {
        Some(fold) => {
            let tensors = read_model(&FoldFiles::of(plan, fold.result.fold).model)?;
            write_model(&plan.directory.file("model.safetensors"), &tensors)
        }
        None => Ok(()),
    }
}
