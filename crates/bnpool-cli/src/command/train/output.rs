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
    let values: Vec<Option<f64>> = folds.iter().map(|fold| fold.result.val).collect();
    match best_fold(&values, error).and_then(|place| folds.get(place)) {
        Some(fold) => {
            let tensors = read_model(&FoldFiles::of(plan, fold.result.fold).model)?;
            write_model(&plan.directory.file("model.safetensors"), &tensors)
        }
        None => Ok(()),
    }
}

/// The place of the best validation score, the first of equals: the lowest of
/// errors, else the highest. A fold without a score wins only where none has one.
fn best_fold(scores: &[Option<f64>], error: bool) -> Option<usize> {
    let mut best: Option<(usize, Option<f64>)> = None;
    for (place, &score) in scores.iter().enumerate() {
        let better = match (score, best) {
            (_, None) => true,
            (Some(new), Some((_, Some(old)))) if error => new < old,
            (Some(new), Some((_, Some(old)))) => new > old,
            (Some(_), Some((_, None))) => true,
            (None, Some(_)) => false,
        };
        if better {
            best = Some((place, score));
        }
    }
    best.map(|best| best.0)
}

#[cfg(test)]
mod tests {
    use super::best_fold;

    #[test]
    fn a_fold_without_a_score_never_wins_over_one_that_has_one() {
        for error in [true, false] {
            assert_eq!(best_fold(&[None, Some(0.4), None], error), Some(1));
            assert_eq!(best_fold(&[Some(0.4), None], error), Some(0));
            assert_eq!(best_fold(&[None, None], error), Some(0));
            assert_eq!(best_fold(&[], error), None);
        }
        let scores = [Some(0.5), Some(0.4), Some(0.6), Some(0.4), Some(0.6)];
        assert_eq!(best_fold(&scores, true), Some(1));
        assert_eq!(best_fold(&scores, false), Some(2));
    }
}
