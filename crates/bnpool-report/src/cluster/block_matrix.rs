//! The block matrix K: which communities tend to be linked.

use super::ClusterReport;
use crate::chart::{Chart, Group, HeatMap, Ramp, Scale, Side, categorical};

/// Columns of S, those of the communities first.
pub(super) fn all_columns(report: &ClusterReport<'_>) -> Vec<usize> {
    let mut used = vec![false; report.max_clusters];
    for &column in report.columns {
        used[column] = true;
    }
    let unused = (0..report.max_clusters).filter(|&column| !used[column]);
    report.columns.iter().copied().chain(unused).collect()
}

/// One group for each community and one for the clusters that no node prefers,
/// which may share a single cell.
pub(super) fn side(report: &ClusterReport<'_>, columns: usize) -> Side {
    let found = report.columns.len();
    let mut groups: Vec<Group> = (0..found)
        .map(|community| Group {
            start: community as f64,
            end: community as f64 + 1.0,
            name: community.to_string(),
            colour: Some(categorical(community)),
        })
        .collect();
    let mut cells: Vec<String> = (0..found).map(|c| format!("community {c}")).collect();
    if columns > found {
        groups.push(Group {
            start: found as f64,
            end: columns as f64,
            name: "rest".to_owned(),
            colour: None,
        });
        let rest = match columns - found {
            1 => "all clusters that no node prefers",
            _ => "a cluster that no node prefers",
        };
        cells.extend((found..columns).map(|_| rest.to_owned()));
    }
    Side {
        name: "communities".to_owned(),
        cells,
        groups,
        split: false,
        upwards: false,
    }
}

fn draw(report: &ClusterReport<'_>, columns: &[usize], alt: String) -> Chart {
    let clusters = report.max_clusters;
    let entry = |&a: &usize| columns.iter().map(move |&b| (a, b));
    let values: Vec<f32> = columns
        .iter()
        .flat_map(entry)
        .map(|(a, b)| report.block_matrix[a * clusters + b])
        .collect();
    HeatMap {
        alt,
        rows: side(report, columns.len()),
        columns: side(report, columns.len()),
        values: &values,
        scale: Scale::around_zero(&values),
        ramp: Ramp::Diverging,
        value_name: "K (log-odds)".to_owned(),
        written: true,
        texts: None,
    }
    .draw()
}

/// The communities alone.
pub(super) fn chart(report: &ClusterReport<'_>) -> Chart {
    let alt = format!(
        "Block matrix K of the {} communities: log-odds of a link between members.",
        report.columns.len()
    );
    draw(report, report.columns, alt)
}

/// All C clusters; nothing when every one is a community.
pub(super) fn full_chart(report: &ClusterReport<'_>) -> Option<Chart> {
    let columns = all_columns(report);
    let alt = format!("Block matrix K of all {} clusters.", columns.len());
    (columns.len() > report.columns.len()).then(|| draw(report, &columns, alt))
}
