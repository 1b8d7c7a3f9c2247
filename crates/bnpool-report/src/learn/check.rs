//! Whether the parts of a report fit one another.

use super::{LearnReport, SampleGraph};
use crate::ReportError;

pub(super) fn check(report: &LearnReport<'_>) -> Result<(), ReportError> {
    if let Some(confusion) = &report.confusion {
        let classes = confusion.classes.len();
        let what = "entries of the confusion matrix";
        fits(what, confusion.counts.len(), classes, classes)?;
    }
    report.samples.iter().try_for_each(sample)
}

fn sample(sample: &SampleGraph<'_>) -> Result<(), ReportError> {
    let (nodes, clusters) = (sample.graph.nodes(), sample.clusters);
    // Neither is demanded of a pooler that has none.
    if !sample.assignments.is_empty() {
        let what = "memberships of a sample graph";
        fits(what, sample.assignments.len(), nodes, clusters)?;
    }
    if !sample.pooled_adjacency.is_empty() {
        let what = "entries of a pooled adjacency matrix";
        fits(what, sample.pooled_adjacency.len(), clusters, clusters)?;
    }
    Ok(())
}

/// Whether a matrix has so many rows and columns.
fn fits(what: &'static str, found: usize, rows: usize, columns: usize) -> Result<(), ReportError> {
    let expected = rows.saturating_mul(columns);
    match found == expected {
        true => Ok(()),
        false => Err(ReportError::Length {
            what,
            found,
            expected,
        }),
    }
}
