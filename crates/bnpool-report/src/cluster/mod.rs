//! The report of a community-detection run.

mod adjacency;
mod assignments;
mod block_matrix;
mod check;
mod class_matrix;
mod drawing;
mod figures;
mod headline;
mod hierarchy;
mod input;
mod members;
mod order;
mod posterior;
mod reconstruction;
mod sections;
mod tables;
mod training;

pub use crate::{Metric, Picture};
pub use figures::Rendering;
pub use input::{Agreement, Classes, ClusterReport, CommunityRow, HistoryPoint, LossCurve, Merge};

use crate::ReportError;

/// The page of a run: one HTML file that needs nothing else.
///
/// To have the pictures too, make a [`Rendering`] and take both from it: the
/// graph is laid out only once then.
///
/// # Errors
///
/// When the parts of the report do not fit one another.
pub fn render_html(report: &ClusterReport<'_>) -> Result<String, ReportError> {
    Ok(Rendering::new(report)?.html())
}

/// The charts of a run as single pictures: `graph`, `adjacency`, `classes`,
/// `reconstruction`, `block_matrix`, `assignments`, `hierarchy`,
/// `cluster_posterior`, `losses` and `active_clusters`, those for which there are data.
///
/// # Errors
///
/// When the parts of the report do not fit one another.
pub fn pictures(report: &ClusterReport<'_>) -> Result<Vec<Picture>, ReportError> {
    Rendering::new(report)?.pictures()
}
