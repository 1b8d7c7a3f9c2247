//! Consistency checks of a comparison.

use super::CompareReport;
use crate::ReportError;
use crate::learn::check_sample;

pub(super) fn check(report: &CompareReport<'_>) -> Result<(), ReportError> {
    for row in report.rows {
        if row.len() != report.columns.len() {
            return Err(ReportError::Length {
                what: "cells in a row",
                found: row.len(),
                expected: report.columns.len(),
            });
        }
    }
    let Some(graph) = report.graph else {
        return Ok(());
    };
    let nodes = graph.nodes();
    for pooled in report.pooled {
        check_sample(&pooled.sample(graph))?;
        if let Some(&index) = pooled.kept.iter().find(|&&node| node >= nodes) {
            return Err(ReportError::Index {
                what: "kept node",
                index,
                count: nodes,
            });
        }
    }
    Ok(())
}
