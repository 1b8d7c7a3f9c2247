//! The tables of a report.

use super::ClusterReport;
use crate::chart::categorical;
use crate::escape;
use crate::number::{count, percent, significant};
use crate::page::{Cell, Column, Markup, table};

/// Table with one row per community.
pub(super) fn communities(report: &ClusterReport<'_>) -> Markup {
    let nodes = report.graph.nodes().max(1) as f64;
    let mut rows = report.communities.iter();
    let with_classes = rows.any(|row| row.majority_class.is_some());
    let mut columns = vec![
        Column::new("Community", "0 is the largest", false),
        Column::new("Nodes", "number of nodes", true),
        Column::new("Share", "share of all nodes", true),
        Column::new(
            "Density",
            "share of the pairs of its nodes that are linked",
            true,
        ),
        Column::new(
            "Conductance",
            "weight of the links that leave it, divided by the weight of all links of the smaller side of the cut: 0 for a separate community, 1 for one without links inside",
            true,
        ),
        Column::new("Pieces", "number of connected components", true),
        Column::new(
            "Confidence",
            "how sure the community of its nodes is, on average",
            true,
        ),
    ];
    if with_classes {
        columns.push(Column::new(
            "Main class",
            "the most frequent class of its nodes",
            false,
        ));
        columns.push(Column::new(
            "Purity",
            "share of its nodes with the main class",
            true,
        ));
    }
    let row = |(community, row): (usize, &super::CommunityRow)| {
        let share = row.size as f64 / nodes;
        let mut cells = vec![
            Cell {
                text: community.to_string(),
                key: Some(community as f64),
                dot: Some(categorical(community)),
            },
            Cell::number(count(row.size), row.size as f64),
            Cell::number(percent(share), share),
            Cell::number(significant(row.internal_density, 3), row.internal_density),
            Cell::number(significant(row.conductance, 3), row.conductance),
            Cell::number(count(row.components), row.components as f64),
            Cell::number(percent(row.mean_confidence), row.mean_confidence),
        ];
        if with_classes {
            let (name, purity) = match &row.majority_class {
                Some((name, share)) => (escape::name(name), *share),
                None => (String::new(), f64::NAN),
            };
            cells.push(Cell::text(name));
            cells.push(Cell::number(percent(purity), purity));
        }
        cells
    };
    let rows: Vec<_> = report.communities.iter().enumerate().map(row).collect();
    table("Communities", &columns, &rows, true)
}
