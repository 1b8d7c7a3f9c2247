//! The block matrix K: the tendency of communities to be linked.

use super::ClusterReport;
use crate::chart::{Chart, Group, HeatMap, Scale, Side, categorical};

/// Returns, for each column of S, whether it is that of a community.
fn used_columns(report: &ClusterReport<'_>) -> Vec<bool> {
    let mut used = vec![false; report.max_clusters];
    for &column in report.columns {
        used[column] = true;
    }
    used
}

/// Returns whether there are clusters without a community.
pub(super) fn has_unused_clusters(report: &ClusterReport<'_>) -> bool {
    used_columns(report).contains(&false)
}

/// One group per community, and one for the clusters that no node prefers,
/// which may share a single cell.
pub(super) fn side(report: &ClusterReport<'_>, columns: usize) -> Side {
    let names = (0..report.communities.len()).map(|community| vec![community]);
    side_of(&names.collect::<Vec<_>>(), columns)
}

/// One group per cluster with communities, named after them, and one for the
/// rest.
fn side_of(communities: &[Vec<usize>], columns: usize) -> Side {
    let found = communities.len();
    let named = |led: &Vec<usize>| {
        let numbers: Vec<String> = led.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let mut groups: Vec<Group> = communities
        .iter()
        .enumerate()
        .map(|(place, led)| {
            let colour = led.first().map(|&community| categorical(community));
            Group::cell(place, named(led), colour)
        })
        .collect();
    let mut cells: Vec<String> = communities
        .iter()
        .map(|led| format!("community {}", named(led)))
        .collect();
    if columns > found {
        groups.push(Group {
            end: columns as f64,
            ..Group::cell(found, "rest".to_owned(), None)
        });
        let rest = match columns - found {
            1 => "all clusters that no node prefers",
            _ => "a cluster that no node prefers",
        };
        cells.extend((found..columns).map(|_| rest.to_owned()));
    }
    Side::new("communities", cells, groups)
}

fn draw(values: &[f32], side: Side, alt: String) -> Chart {
    HeatMap {
        scale: Scale::around_zero(values),
        written: true,
        ..HeatMap::new(alt, [side.clone(), side], values, "K (log-odds)")
    }
    .draw()
}

/// Chart of the communities.
pub(super) fn chart(report: &ClusterReport<'_>) -> Chart {
    let found = report.communities.len();
    let alt =
        format!("Block matrix K of the {found} communities: log-odds of a link between members.");
    draw(report.block_matrix, side(report, found), alt)
}

/// Chart of all C clusters, those of the communities first; `None` if all of
/// them are communities.
pub(super) fn full_chart(report: &ClusterReport<'_>) -> Option<Chart> {
    if !has_unused_clusters(report) {
        return None;
    }
    let clusters = report.max_clusters;
    let mut columns: Vec<usize> = Vec::with_capacity(clusters);
    // Components of one cluster share its column.
    let mut led: Vec<Vec<usize>> = Vec::new();
    for (community, &column) in report.columns.iter().enumerate() {
        match columns.iter().position(|&known| known == column) {
            Some(place) => led[place].push(community),
            None => {
                columns.push(column);
                led.push(vec![community]);
            }
        }
    }
    let used = used_columns(report);
    columns.extend((0..clusters).filter(|&column| !used[column]));
    let entry = |&a: &usize| columns.iter().map(move |&b| (a, b));
    let values: Vec<f32> = columns
        .iter()
        .flat_map(entry)
        .map(|(a, b)| report.raw_block_matrix[a * clusters + b])
        .collect();
    let alt = format!("Block matrix K of all {clusters} clusters.");
    Some(draw(&values, side_of(&led, columns.len()), alt))
}
