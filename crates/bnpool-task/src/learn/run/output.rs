//! Files of a run.

use super::Plan;
use super::fold::{FinishedFold, FoldFiles};
use super::source::Input;
use crate::Failure;
use crate::learn::{ModelCard, TrainedModel, best_fold};
use crate::run::NamedTensor;
use crate::run::read_bytes;
use bnpool_io::format::write_atomically;
use bnpool_io::remedy::Change;
use std::path::Path;

/// Writes the model of a fold.
pub(super) fn write_model(
    path: &Path,
    plan: &Plan,
    input: &Input,
    fold: usize,
    parameters: &[NamedTensor],
) -> Result<(), Failure> {
    let model = TrainedModel {
        card: ModelCard::new(&input.data, &plan.config).with_fold(fold),
        parameters: parameters.to_vec(),
    };
    Ok(model.save(path)?)
}

/// Reads the model of a fold, and checks that it belongs to this fold, which a
/// checksum cannot detect.
///
/// # Errors
///
/// Returns an error if the file is missing or damaged.
pub fn read_model(plan: &Plan, fold: usize) -> Result<TrainedModel, Failure> {
    Ok(read_file(plan, fold)?.0)
}

/// Reads the model of a fold, and the bytes of its file.
fn read_file(plan: &Plan, fold: usize) -> Result<(TrainedModel, Vec<u8>), Failure> {
    let files = FoldFiles::of(plan, fold);
    let bytes = read_bytes(&files.model)?;
    let model = TrainedModel::of_bytes(&bytes, &files.model)?;
    match model.card.fold {
        Some(found) if found != fold => Err(Failure::advised(
            format!(
                "{}: it is damaged: it belongs to fold {found} and not to fold {fold}; remove it and {}, and the run makes both again",
                files.model.display(),
                files.result,
            ),
            Change::Resume,
        )),
        _ => Ok((model, bytes)),
    }
}

/// Writes `history.jsonl`, the concatenated histories of the folds.
pub(super) fn join_histories(plan: &Plan, folds: &[usize]) -> Result<(), Failure> {
    let mut all = Vec::new();
    for &fold in folds {
        let path = FoldFiles::of(plan, fold).history;
        match std::fs::read(&path) {
            Ok(lines) => all.extend(lines),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
            Err(e) => {
                return Err(Failure::running(format!(
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

/// Writes the model for `bnpool predict`: that of the fold with the best metric
/// on its validation graphs; ties go to the first.
pub(super) fn write_best_model(
    plan: &Plan,
    folds: &[FinishedFold],
    error: bool,
) -> Result<(), Failure> {
    let values: Vec<Option<f64>> = folds.iter().map(|fold| fold.result.val).collect();
    match best_fold(&values, error).and_then(|place| folds.get(place)) {
        Some(fold) => {
            let (_, bytes) = read_file(plan, fold.result.fold)?;
            Ok(plan.directory.write_bytes("model.safetensors", &bytes)?)
        }
        None => Ok(()),
    }
}
