//! `compare.html`.

use super::job::Job;
use super::sample::Shown;
use super::table::Table;
use crate::terminal::message::Failure;
use bnpool_report::compare::{Cell, Column, CompareReport, PooledBy, render_html};
use bnpool_task::run::RunDirectory;

/// Texts of the page.
pub struct Words {
    pub title: String,
    /// Description of the table.
    pub lead: String,
    /// Remarks on the table.
    pub remarks: Vec<String>,
    /// Settings of all runs.
    pub settings: String,
}

/// Writes the page.
pub fn write(
    directory: &RunDirectory,
    words: &Words,
    table: &Table,
    jobs: &[&Job],
    shown: Option<&Shown>,
) -> Result<(), Failure> {
    let columns: Vec<Column> = table
        .columns
        .iter()
        .enumerate()
        .map(|(i, column)| Column::new(column.name, column.meaning, i > 0))
        .collect();
    let rows: Vec<Vec<Cell>> = table
        .rows
        .iter()
        .map(|row| {
            let cell = |cell: &super::table::Cell| match cell.value {
                Some(value) => Cell::number(&cell.text, value),
                None => Cell::text(&cell.text),
            };
            row.iter().map(cell).collect()
        })
        .collect();
    let pooled: Vec<PooledBy> = match shown {
        None => Vec::new(),
        Some(shown) => jobs
            .iter()
            .zip(&shown.pooled)
            .map(|(job, pooled)| {
                let pooled = pooled.as_ref();
                PooledBy {
                    pooler: job.pooler.title,
                    summary: job.pooler.summary,
                    assignments: pooled.map_or(&[], |p| &p.assignments),
                    kept: pooled.map_or(&[], |p| &p.kept),
                    clusters: pooled.map_or(0, |p| p.clusters),
                    pooled_adjacency: pooled.map_or(&[], |p| &p.adjacency),
                    pooled_features: pooled.map_or(&[], |p| &p.features),
                    feature_maps: pooled.map_or(1, |p| p.maps),
                }
            })
            .collect(),
    };
    let page = render_html(&CompareReport {
        title: &words.title,
        lead: &words.lead,
        columns: &columns,
        rows: &rows,
        remarks: &words.remarks,
        graph: shown.map(|shown| shown.graph),
        graph_name: shown.map_or("", |shown| &shown.name),
        class_names: shown.map_or(&[], |shown| shown.class_names),
        pooled: &pooled,
        feature_words: shown.map_or("", |shown| shown.feature_words),
        config_toml: &words.settings,
        version: env!("CARGO_PKG_VERSION"),
    })
    .map_err(|e| Failure::running(format!("the page cannot be made: {e}")))?;
    Ok(directory.write_bytes("compare.html", page.as_bytes())?)
}
