//! The report of a graph classification or regression run.
//!
//! [`LearnReport`] borrows the plain results of a run over one or more folds;
//! [`render_html`] renders them as one self-contained page and [`pictures`] as
//! SVG and PNG files. Missing data of a run (classes, curves, clusters,
//! samples) is omitted from the page.
//!
//! ```
//! use bnpool_report::learn::{FoldReport, LearnReport, render_html};
//!
//! let fold = |fold, test| FoldReport {
//!     fold,
//!     history: &[],
//!     best_epoch: 12,
//!     validation: 0.9,
//!     test,
//!     graphs: [80, 10, 10],
//!     clusters_mean: None,
//! };
//! let page = render_html(&LearnReport {
//!     title: "Two folds",
//!     dataset: "MUTAG",
//!     pooler: "bn",
//!     task: "classification",
//!     metric: "acc",
//!     folds: &[fold(1, 0.8), fold(2, 0.9)],
//!     confusion: None,
//!     roc: &[],
//!     values: &[],
//!     clusters: &[],
//!     samples: &[],
//!     metrics: &[],
//!     notes: &[],
//!     config_toml: "",
//!     version: "0.1.0",
//! })?;
//! assert!(page.contains("85.0 ± 5.0 %"));
//! # Ok::<(), bnpool_report::ReportError>(())
//! ```

mod check;
mod confusion;
mod curves;
mod epochs;
mod figures;
mod headline;
pub(crate) mod histogram;
mod input;
mod roc;
pub(crate) mod sample;
mod scatter;
mod score;
mod sections;
mod tables;

pub use crate::{Metric, Picture};
pub(crate) use check::check_sample;
pub use figures::Rendering;
pub use input::{Confusion, EpochPoint, FoldReport, LearnReport, RocCurve, SampleGraph};

use crate::ReportError;

/// Renders the page of a run, one self-contained HTML file.
///
/// To get pictures as well, create a [`Rendering`] and use it for both, so that
/// the sample graphs are laid out only once.
///
/// # Errors
///
/// Returns an error if the parts of the report are inconsistent.
pub fn render_html(report: &LearnReport<'_>) -> Result<String, ReportError> {
    Ok(Rendering::new(report)?.html())
}

/// Renders the charts of a run as single pictures: `confusion`, `roc`,
/// `predictions`, `cluster_histogram`, `train_loss` and `validation_loss` (for
/// a single fold combined as `losses`), `validation_metric`, `auxiliary_loss`,
/// `active_clusters`, `learning_rate`, and for each sample graph, numbered from
/// 1, `sample_1_features`, `sample_1_clusters`, `sample_1_assignments`,
/// `sample_1_pooled` and `sample_1_reduced` (X_pool). Charts without data are
/// omitted.
///
/// # Errors
///
/// Returns an error if the parts of the report are inconsistent.
pub fn pictures(report: &LearnReport<'_>) -> Result<Vec<Picture>, ReportError> {
    Rendering::new(report)?.pictures()
}
