//! The report of a graph classification or regression run.
//!
//! [`LearnReport`] borrows the plain results of a run over one or more folds;
//! [`Rendering`] draws them once and renders them as one self-contained page and as
//! SVG and PNG files. Missing data of a run (classes, curves, clusters,
//! samples) is omitted from the page.
//!
//! ```
//! use bnpool_report::learn::{FoldReport, LearnReport, Rendering};
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
//! let page = Rendering::new(&LearnReport {
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
//! })?
//! .html();
//! assert!(page.contains("85.0 ± 5.0 %"));
//! # Ok::<(), bnpool_report::ReportError>(())
//! ```

mod confusion;
mod curves;
mod figures;
mod headline;
pub(crate) mod histogram;
mod input;
mod predictions;
pub(crate) mod sample;
mod score;
mod sections;

pub use crate::{Metric, Picture};
pub use figures::Rendering;
pub use input::{Confusion, EpochPoint, FoldReport, LearnReport, RocCurve, SampleGraph};
