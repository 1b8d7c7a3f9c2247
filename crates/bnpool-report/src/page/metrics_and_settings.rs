//! The end of every page: metrics, settings and version.

use super::{Cell, Column, Markup, Page, Table};
use crate::Metric;

/// Table with one row per metric.
fn table(metrics: &[Metric]) -> Markup {
    let row = |metric: &Metric| {
        vec![
            Cell::text(&metric.name),
            Cell::text(&metric.value),
            Cell::text(&metric.explanation),
        ]
    };
    Table {
        caption: "Metrics".to_owned(),
        columns: vec![
            Column::new("Metric", "", false),
            Column::new("Value", "", true),
            Column::new("Meaning", "", false),
        ],
        rows: metrics.iter().map(row).collect(),
        sortable: false,
    }
    .render()
}

/// Adds the metrics, the settings and the version.
pub(crate) fn add_metrics_and_settings(
    page: &mut Page,
    metrics: &[Metric],
    config_toml: &str,
    version: &str,
) {
    if !metrics.is_empty() {
        page.add_section("metrics", "Metrics", table(metrics));
    }
    if !config_toml.is_empty() {
        let config = format!(
            "<details><summary>All settings</summary><pre>{}</pre></details>",
            Markup::text(config_toml)
        );
        page.add_section("configuration", "Settings", Markup::trusted(config));
    }
    page.set_footer(Markup::text(&format!("bnpool {version}")));
}
