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

/// Renders the page of a run, one self-contained HTML file.
///
/// To get pictures as well, create a [`Rendering`] and use it for both, so that
/// the graph is laid out only once.
///
/// # Errors
///
/// Returns an error if the parts of the report are inconsistent.
pub fn render_html(report: &ClusterReport<'_>) -> Result<String, ReportError> {
    Ok(Rendering::new(report)?.html())
}

/// Renders the charts of a run as single pictures: `graph`, `adjacency`, `classes`,
/// `reconstruction`, `shared_memberships`, `block_matrix`, `assignments`, `hierarchy`, `cluster_posterior`,
/// `losses` and `active_clusters`, if they have data.
///
/// # Errors
///
/// Returns an error if the parts of the report are inconsistent.
pub fn pictures(report: &ClusterReport<'_>) -> Result<Vec<Picture>, ReportError> {
    Rendering::new(report)?.pictures()
}
