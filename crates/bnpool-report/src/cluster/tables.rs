//! The tables of a report.

use super::ClusterReport;
use crate::chart::categorical;
use crate::number::{count, percent, significant};
use crate::page::{Cell, Column, Markup, Table};

fn column(name: &str, explanation: &str, numeric: bool) -> Column {
    Column {
        name: name.to_owned(),
        explanation: explanation.to_owned(),
        numeric,
    }
}

/// One row for each community.
pub(super) fn communities(report: &ClusterReport<'_>) -> Markup {
    let nodes = report.graph.nodes().max(1) as f64;
    let with_classes = report
        .communities
        .iter()
        .any(|row| row.majority_class.is_some());
    let mut columns = vec![
        column("Community", "0 is the largest", false),
        column("Nodes", "how many nodes it has", true),
        column("Share", "share of all nodes", true),
        column(
            "Inner density",
            "share of all pairs of its nodes that are linked",
            true,
        ),
        column(
            "Conductance",
            "share of its link ends that lead out of it: 0 is closed, 1 has no links inside",
            true,
        ),
        column("Parts", "connected parts it consists of", true),
        column("Confidence", "mean membership of its nodes in it", true),
    ];
    if with_classes {
        columns.push(column(
            "Main class",
            "the class most of its nodes have",
            false,
        ));
        columns.push(column(
            "Purity",
            "share of its nodes that have the main class",
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
                Some((name, share)) => (name.clone(), *share),
                None => (String::new(), f64::NAN),
            };
            cells.push(Cell::text(name));
            cells.push(Cell::number(percent(purity), purity));
        }
        cells
    };
    Table {
        caption: "Communities".to_owned(),
        columns,
        rows: report.communities.iter().enumerate().map(row).collect(),
        sortable: true,
    }
    .render()
}

/// One row for each metric.
pub(super) fn metrics(report: &ClusterReport<'_>) -> Markup {
    Table {
        caption: "Figures".to_owned(),
        columns: vec![
            column("Figure", "", false),
            column("Value", "", true),
            column("What it means", "", false),
        ],
        rows: report
            .metrics
            .iter()
            .map(|metric| {
                vec![
                    Cell::text(&metric.name),
                    Cell::text(&metric.value),
                    Cell::text(&metric.explanation),
                ]
            })
            .collect(),
        sortable: false,
    }
    .render()
}
