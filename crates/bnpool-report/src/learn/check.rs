//! Consistency checks of a report.

use super::{LearnReport, SampleGraph};
use crate::ReportError;

pub(super) fn check(report: &LearnReport<'_>) -> Result<(), ReportError> {
    if let Some(confusion) = &report.confusion {
        let classes = confusion.classes.len();
        let what = "entries of the confusion matrix";
        fits(what, confusion.counts.len(), classes, classes)?;
    }
    report.samples.iter().try_for_each(check_sample)
}

/// Checks the consistency of a pooled graph.
pub(crate) fn check_sample(sample: &SampleGraph<'_>) -> Result<(), ReportError> {
    let (nodes, clusters) = (sample.graph.nodes(), sample.clusters);
    // Neither is required of poolers without them.
    if !sample.assignments.is_empty() {
        let what = "memberships of a sample graph";
        fits(what, sample.assignments.len(), nodes, clusters)?;
    }
    if !sample.pooled_adjacency.is_empty() {
        let what = "entries of a pooled adjacency matrix";
        fits(what, sample.pooled_adjacency.len(), clusters, clusters)?;
    }
    if !sample.pooled_features.is_empty() {
        let found = sample.pooled_features.len();
        let maps = sample.feature_maps.max(1);
        let width = found / clusters.saturating_mul(maps).max(1);
        let what = "features of a pooled graph";
        fits(what, found, clusters, width.saturating_mul(maps))?;
    }
    Ok(())
}

/// Checks the number of rows and columns of a matrix.
fn fits(what: &'static str, found: usize, rows: usize, columns: usize) -> Result<(), ReportError> {
    let expected = rows.saturating_mul(columns);
    if found == expected {
        Ok(())
    } else {
        Err(ReportError::Length {
            what,
            found,
            expected,
        })
    }
}
