//! All charts of a report, drawn once.

use std::borrow::Cow;

use super::{
    ClusterReport, Picture, block_matrix, check, drawing, hierarchy, matrices, posterior, sections,
    training,
};
use crate::ReportError;
use crate::binned::Binned;
use crate::chart::Chart;
use crate::layout::Frame;
use crate::picture;

/// A report with its charts, ready to be rendered as a page and pictures.
#[derive(Debug, Clone)]
pub struct Rendering<'a> {
    pub(super) report: ClusterReport<'a>,
    pub(super) order: Binned,
    pub(super) frame: Frame,
    pub(super) drawing: Chart,
    pub(super) adjacency: Chart,
    pub(super) classes: Option<Chart>,
    pub(super) reconstruction: Chart,
    /// S Sᵀ, a picture that is not on the page.
    pub(super) shared: Chart,
    pub(super) block_matrix: Chart,
    pub(super) full_block_matrix: Option<Chart>,
    pub(super) assignments: Chart,
    pub(super) hierarchy: Option<Chart>,
    pub(super) posterior: Option<Chart>,
    pub(super) losses: Option<Chart>,
    pub(super) active: Option<Chart>,
}

impl<'a> Rendering<'a> {
    /// Checks the report and draws its charts.
    ///
    /// # Errors
    ///
    /// Returns an error if the parts of the report are inconsistent.
    pub fn new(report: &ClusterReport<'a>) -> Result<Self, ReportError> {
        check::check(report)?;
        let order = matrices::by_community(report);
        let frame = drawing::frame(report);
        let classes = report.classes.as_ref();
        Ok(Self {
            report: *report,
            drawing: drawing::draw(report, &frame),
            frame,
            adjacency: matrices::adjacency(report, &order),
            classes: classes.map(|classes| matrices::classes(report, &order, classes)),
            reconstruction: matrices::reconstruction(report, &order),
            shared: matrices::shared(report, &order),
            block_matrix: block_matrix::chart(report),
            full_block_matrix: block_matrix::full_chart(report),
            assignments: matrices::assignments(report, &order),
            hierarchy: hierarchy::chart(report),
            posterior: posterior::chart(report),
            losses: training::losses(report),
            active: training::active(report),
            order,
        })
    }

    /// Renders the page, one self-contained HTML file.
    #[must_use]
    pub fn html(&self) -> String {
        sections::page(self).render()
    }

    /// Renders the charts as single pictures, if they have data: `graph`, `adjacency`,
    /// `classes`, `reconstruction`, `shared_memberships`, `block_matrix`, `assignments`,
    /// `hierarchy`, `cluster_posterior`, `losses` and `active_clusters`.
    ///
    /// # Errors
    ///
    /// Returns an error if a picture cannot be encoded.
    pub fn pictures(&self) -> Result<Vec<Picture>, ReportError> {
        let named = self.charts();
        let named = named.map(|(name, chart)| (Cow::Borrowed(name), chart));
        picture::pictures(named.into())
    }

    /// Returns the pictures by name, as SVG only.
    #[must_use]
    pub fn svgs(&self) -> Vec<(&'static str, String)> {
        let charts = self.charts().into_iter();
        let charts = charts.filter_map(|(name, chart)| Some((name, chart?.picture())));
        charts.collect()
    }

    fn charts(&self) -> [(&'static str, Option<&Chart>); 11] {
        [
            ("graph", Some(&self.drawing)),
            ("adjacency", Some(&self.adjacency)),
            ("classes", self.classes.as_ref()),
            ("reconstruction", Some(&self.reconstruction)),
            ("shared_memberships", Some(&self.shared)),
            ("block_matrix", Some(&self.block_matrix)),
            ("assignments", Some(&self.assignments)),
            ("hierarchy", self.hierarchy.as_ref()),
            ("cluster_posterior", self.posterior.as_ref()),
            ("losses", self.losses.as_ref()),
            ("active_clusters", self.active.as_ref()),
        ]
    }
}
