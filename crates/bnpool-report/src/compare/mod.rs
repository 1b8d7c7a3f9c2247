//! Comparison of poolers: a table, and one graph pooled by each of them.
//!
//! ```
//! use bnpool_report::compare::{Cell, Column, CompareReport, render_html};
//!
//! let page = render_html(&CompareReport {
//!     title: "Poolers on MUTAG",
//!     lead: "Accuracy on test graphs.",
//!     columns: &[Column::new("pooler", "", false), Column::new("acc", "", true)],
//!     rows: &[vec![Cell::text("bn"), Cell::number("85.0 %", 0.85)]],
//!     remarks: &[],
//!     graph: None,
//!     graph_name: "",
//!     class_names: &[],
//!     pooled: &[],
//!     feature_words: "",
//!     config_toml: "",
//!     version: "0.1.0",
//! })?;
//! assert!(page.contains("85.0 %"));
//! # Ok::<(), bnpool_report::ReportError>(())
//! ```

mod input;
mod panels;

pub use crate::page::{Cell, Column};
pub use input::{CompareReport, PooledBy};

use crate::ReportError;
use crate::page::{Markup, Page, notes, table};

/// Renders the page of a comparison, one self-contained HTML file.
///
/// # Errors
///
/// Returns an error if the parts of the report are inconsistent.
pub fn render_html(report: &CompareReport<'_>) -> Result<String, ReportError> {
    report.check()?;
    let mut header = Markup::trusted(format!(
        r#"<p class="lead">{}</p>"#,
        Markup::text(report.lead)
    ));
    header.push(&notes("the table", report.remarks));
    let mut page = Page::new(report.title, header);
    let table = table("Poolers", report.columns, report.rows, true);
    page.add_section("results", "Results", table);
    panels::add(&mut page, report);
    page.end(&[], report.config_toml, report.version);
    Ok(page.render())
}
