//! The report of a graph classification or regression run.
//!
//! [`LearnReport`] borrows the plain results of a run over one or more folds;
//! [`render_html`] makes one self-contained page of them and [`pictures`] SVG
//! and PNG files. What a run has not got (classes, curves, clusters, samples)
//! is left out of the page.
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

/// The page of a run: one HTML file that needs nothing else.
///
/// To have the pictures too, make a [`Rendering`] and take both from it: the
/// sample graphs are laid out only once then.
///
/// # Errors
///
/// When the parts of the report do not fit one another.
pub fn render_html(report: &LearnReport<'_>) -> Result<String, ReportError> {
    Ok(Rendering::new(report)?.html())
}

/// The charts of a run as single pictures: `confusion`, `roc`, `predictions`,
/// `cluster_histogram`, `train_loss` and `validation_loss` (of one fold both in
/// one: `losses`), `validation_metric`, `auxiliary_loss`, `active_clusters`,
/// `learning_rate`, and for every sample graph, numbered from 1,
/// `sample_1_features`, `sample_1_clusters`, `sample_1_assignments`,
/// `sample_1_pooled` and `sample_1_reduced` (X_pool): those for which there are
/// data.
///
/// # Errors
///
/// When the parts of the report do not fit one another.
pub fn pictures(report: &LearnReport<'_>) -> Result<Vec<Picture>, ReportError> {
    Rendering::new(report)?.pictures()
}
