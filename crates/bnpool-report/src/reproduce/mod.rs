//! Reproduced tables and figures of the paper.
//!
//! ```
//! use bnpool_report::reproduce::{Cell, Column, ReproducePage, histogram, pictures, render_html};
//!
//! let drawing = histogram("mutag", "MUTAG", &[(5, 3), (6, 1)]);
//! let page = render_html(&ReproducePage {
//!     title: "Non-empty clusters",
//!     lead: "Ours beside the paper's.",
//!     remarks: &[],
//!     columns: &[Column::new("data set", "", false), Column::new("ours", "", true)],
//!     rows: &[vec![Cell::text("mutag"), Cell::number("5.3", 5.25)]],
//!     drawings: &[drawing.clone()],
//!     version: "0.1.0",
//! });
//! assert!(page.contains("MUTAG"));
//! assert_eq!(pictures(&[drawing])?[0].name, "mutag");
//! # Ok::<(), bnpool_report::ReportError>(())
//! ```

mod community;
mod dirichlet;
mod histogram;
mod matrix;
mod pooled;
mod sticks;
mod urn;

pub use crate::page::{Cell, Column};
pub use community::communities;
pub use dirichlet::dirichlet_draw;
pub use histogram::histogram;
pub use matrix::{NodeMatrix, memberships, node_matrix};
pub use pooled::pooled_graph;
pub use sticks::{Stick, sticks};
pub use urn::{UrnDraw, urn};

use std::borrow::Cow;

use crate::chart::Chart;
use crate::page::{Figure, Markup, Page, Table, add_metrics_and_settings, grid, notes};
use crate::{Picture, ReportError};

/// A chart with its name, heading and caption.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// Name of its files and in a page, of letters, digits and hyphens.
    name: String,
    heading: String,
    caption: String,
    chart: Chart,
}

impl Drawing {
    /// Text description.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}: {}", self.heading, self.caption)
    }
}

/// Content of the page of an item.
#[derive(Debug, Clone, Copy)]
pub struct ReproducePage<'a> {
    /// Title of the page.
    pub title: &'a str,
    /// Description of the page, in one sentence.
    pub lead: &'a str,
    /// Remarks on the content.
    pub remarks: &'a [String],
    /// Columns of the table; empty without a table.
    pub columns: &'a [Column],
    /// Rows of the table, with one cell per column.
    pub rows: &'a [Vec<Cell>],
    /// The figures.
    pub drawings: &'a [Drawing],
    /// Version of the program.
    pub version: &'a str,
}

/// Renders the page of an item, one self-contained HTML file.
#[must_use]
pub fn render_html(report: &ReproducePage<'_>) -> String {
    let mut page = Page::new(report.title);
    let mut header = Markup::trusted(format!(
        r#"<p class="lead">{}</p>"#,
        Markup::text(report.lead)
    ));
    header.push(&notes("the results", report.remarks));
    page.set_header(header);
    if !report.columns.is_empty() {
        let table = Table {
            caption: report.title.to_owned(),
            columns: report.columns.to_vec(),
            rows: report.rows.to_vec(),
            sortable: true,
        };
        page.add_section("results", "Results", table.render());
    }
    if !report.drawings.is_empty() {
        let figures: Vec<Markup> = report
            .drawings
            .iter()
            .map(|drawing| {
                let figure = Figure {
                    id: &drawing.name,
                    heading: Markup::text(&drawing.heading),
                    chart: &drawing.chart,
                    caption: Markup::text(&drawing.caption),
                    legend: None,
                };
                figure.place(&mut page)
            })
            .collect();
        page.add_section("figures", "Figures", grid("", &figures));
    }
    add_metrics_and_settings(&mut page, &[], "", report.version);
    page.render()
}

/// Renders the figures as files.
///
/// # Errors
///
/// Returns an error if a figure cannot be rendered as PNG.
pub fn pictures(drawings: &[Drawing]) -> Result<Vec<Picture>, ReportError> {
    let charts = drawings.iter();
    let charts = charts.map(|d| (Cow::Owned(d.name.clone()), Some(&d.chart)));
    crate::picture::pictures(charts.collect())
}
