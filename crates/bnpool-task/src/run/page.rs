//! Common parts of the reports of both tasks.

use super::{RunDirectory, make_folder};
use crate::Failure;
use crate::failure::Terms;
use bnpool_io::format::write_atomically;
use bnpool_io::remedy::{Change, Remedy};
use bnpool_report::cluster::{Metric, Picture};
use serde::Serialize;
use std::path::Path;

/// A rendered report.
pub(crate) struct Page {
    /// Content of `report.html`.
    pub html: String,
    /// Separate plots, if requested.
    pub pictures: Vec<Picture>,
}

/// Writes a rendered report into a run directory, and its plots to a folder.
pub(crate) fn write_page(
    directory: &RunDirectory,
    page: &Page,
    plots: Option<&Path>,
) -> Result<(), Failure> {
    directory.write_bytes("report.html", page.html.as_bytes())?;
    directory.settle()?;
    let Some(folder) = plots else {
        return Ok(());
    };
    make_folder(folder)?;
    for picture in &page.pictures {
        for (name, bytes) in picture.files() {
            write_atomically(&folder.join(name), |out| out.write_all(bytes))?;
        }
    }
    Ok(())
}

/// Returns the notes of a report; if the run is unfinished, the first note is
/// about that.
pub(crate) fn with_state(notes: &[String], unfinished: bool, terms: Terms) -> Vec<String> {
    let state = unfinished.then(|| {
        let remedy = Remedy::from(Change::Resume).in_terms(&terms);
        format!(
            "the run was stopped before its end, and this report shows the best epoch so far; {remedy}"
        )
    });
    state.into_iter().chain(notes.iter().cloned()).collect()
}

/// Creates the failure for a report that cannot be drawn.
pub(crate) fn cannot_draw(problem: &dyn std::fmt::Display) -> Failure {
    Failure::running(format!("the report cannot be made: {problem}"))
}

/// Returns the metrics that have an explanation, in the order of the
/// explanations.
pub(crate) fn metric_rows(
    metrics: &impl Serialize,
    explanations: &[(&str, impl AsRef<str>)],
) -> Result<Vec<Metric>, Failure> {
    let value = serde_json::to_value(metrics)
        .map_err(|e| Failure::running(format!("the metrics cannot be written: {e}")))?;
    Ok(explanations
        .iter()
        .filter_map(|(name, explanation)| {
            let value = match value.get(name)? {
                serde_json::Value::Number(n) if n.is_f64() => {
                    format!("{:.4}", n.as_f64().unwrap_or(f64::NAN))
                }
                serde_json::Value::Null => return None,
                other => other.to_string(),
            };
            Some(Metric {
                name: (*name).to_owned(),
                value,
                explanation: explanation.as_ref().to_owned(),
            })
        })
        .collect())
}
