//! Whether the parts of a comparison fit one another.

use super::CompareReport;
use crate::ReportError;

pub(super) fn check(report: &CompareReport<'_>) -> Result<(), ReportError> {
    for row in report.rows {
        fits("cells in a row", row.len(), report.columns.len())?;
    }
    let Some(graph) = report.graph else {
        return Ok(());
    };
    let nodes = graph.nodes();
    for pooled in report.pooled {
        let clusters = pooled.clusters;
        if !pooled.assignments.is_empty() {
            let expected = nodes.saturating_mul(clusters);
            fits("memberships", pooled.assignments.len(), expected)?;
        }
        if !pooled.pooled_adjacency.is_empty() {
            let expected = clusters.saturating_mul(clusters);
            let what = "entries of a pooled adjacency matrix";
            fits(what, pooled.pooled_adjacency.len(), expected)?;
        }
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

fn fits(what: &'static str, found: usize, expected: usize) -> Result<(), ReportError> {
    match found == expected {
        true => Ok(()),
        false => Err(ReportError::Length {
            what,
            found,
            expected,
        }),
    }
}
