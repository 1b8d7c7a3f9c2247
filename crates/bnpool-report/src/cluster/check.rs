//! Consistency checks of a report.

use super::ClusterReport;
use crate::ReportError;

pub(super) fn check(report: &ClusterReport<'_>) -> Result<(), ReportError> {
    let nodes = report.graph.nodes();
    let (clusters, found) = (report.max_clusters, report.communities.len());
    let assignments = report.assignments.len();
    let labels = report.classes.map(|classes| classes.labels.len());
    let of_clusters = clusters.saturating_mul(clusters);
    let of_communities = found.saturating_mul(found);
    for (what, length, expected) in [
        ("labels", report.labels.len(), nodes),
        ("confidences", report.confidence.len(), nodes),
        ("entropies", report.entropy.len(), nodes),
        (
            "memberships in communities",
            assignments,
            // They are omitted for huge graphs.
            match assignments {
                0 => 0,
                _ => nodes.saturating_mul(found),
            },
        ),
        (
            "entries of the block matrix of communities",
            report.block_matrix.len(),
            of_communities,
        ),
        (
            "memberships",
            report.raw_assignments.len(),
            nodes.saturating_mul(clusters),
        ),
        (
            "entries of the block matrix",
            report.raw_block_matrix.len(),
            of_clusters,
        ),
        ("columns of communities", report.columns.len(), found),
        ("class labels", labels.unwrap_or(nodes), nodes),
        (
            "coordinates",
            report.coordinates.map_or(nodes, <[_]>::len),
            nodes,
        ),
    ] {
        ReportError::check_length(what, length, expected)?;
    }
    for loss in report.losses {
        let epochs = report.history.len();
        ReportError::check_length("values of a loss", loss.values.len(), epochs)?;
    }
    ReportError::check_indices("community", report.labels, found)?;
    ReportError::check_indices("cluster", report.columns, clusters)?;
    for merge in report.merges {
        let pair = [merge.kept, merge.gone];
        ReportError::check_indices("community of a merge", &pair, found)?;
    }
    // A class number far above the number of nodes would only waste memory.
    let classes = report.classes.map_or(0, |classes| classes.count());
    let last = classes.saturating_sub(1);
    ReportError::check_indices("class", &[last], nodes.max(1 << 16))
}
