//! Consistency checks of a report.

use super::ClusterReport;
use crate::ReportError;

pub(super) fn check(report: &ClusterReport<'_>) -> Result<(), ReportError> {
    let nodes = report.graph.nodes();
    let (clusters, found) = (report.max_clusters, report.communities.len());
    let product = |a: usize, b: usize| a.saturating_mul(b);
    let lengths = [
        ("labels", report.labels.len(), nodes),
        ("confidences", report.confidence.len(), nodes),
        ("entropies", report.entropy.len(), nodes),
        (
            "memberships in communities",
            report.assignments.len(),
            if report.assignments.is_empty() {
                // They are omitted for huge graphs.
                0
            } else {
                product(nodes, found)
            },
        ),
        (
            "entries of the block matrix of communities",
            report.block_matrix.len(),
            product(found, found),
        ),
        (
            "memberships",
            report.raw_assignments.len(),
            product(nodes, clusters),
        ),
        (
            "entries of the block matrix",
            report.raw_block_matrix.len(),
            product(clusters, clusters),
        ),
        ("columns of communities", report.columns.len(), found),
        (
            "class labels",
            report.classes.map_or(nodes, |classes| classes.labels.len()),
            nodes,
        ),
        (
            "coordinates",
            report.coordinates.map_or(nodes, <[_]>::len),
            nodes,
        ),
    ];
    let losses = report.losses.iter().map(|loss| {
        let epochs = report.history.len();
        ("values of a loss", loss.values.len(), epochs)
    });
    for (what, length, expected) in lengths.into_iter().chain(losses) {
        if length != expected {
            return Err(ReportError::Length {
                what,
                found: length,
                expected,
            });
        }
    }
    within("community", report.labels, found)?;
    within("cluster", report.columns, clusters)?;
    for merge in report.merges {
        within("community of a merge", &[merge.kept, merge.gone], found)?;
    }
    // A class number far above the number of nodes would only waste memory.
    let classes = report.classes.map_or(0, |classes| classes.count());
    let most = nodes.max(1 << 16);
    if classes > most {
        return Err(ReportError::Index {
            what: "class",
            index: classes - 1,
            count: most,
        });
    }
    Ok(())
}

fn within(what: &'static str, indices: &[usize], count: usize) -> Result<(), ReportError> {
    match indices.iter().copied().find(|&index| index >= count) {
        Some(index) => Err(ReportError::Index { what, index, count }),
        None => Ok(()),
    }
}
