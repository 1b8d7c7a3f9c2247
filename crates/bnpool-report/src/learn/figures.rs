//! All charts of a report, drawn once.

use std::borrow::Cow;

use rayon::prelude::*;

use super::curves::Curves;
use super::predictions::{self, Scatter};
use super::sample::{self, Sample};
use super::{LearnReport, Picture, SampleGraph, confusion, histogram, sections};
use crate::ReportError;
use crate::chart::Chart;
use crate::picture;

/// Largest number of sample graphs, which bounds the size of the page.
const SAMPLES: usize = 24;

/// A report with its charts, ready to be rendered as a page and pictures.
#[derive(Debug, Clone)]
pub struct Rendering<'a> {
    pub(super) report: LearnReport<'a>,
    pub(super) confusion: Option<Chart>,
    pub(super) roc: Option<Chart>,
    pub(super) scatter: Option<Scatter>,
    pub(super) histogram: Option<Chart>,
    pub(super) curves: Curves,
    pub(super) samples: Vec<Sample>,
}

impl<'a> Rendering<'a> {
    /// Checks the report and draws its charts.
    ///
    /// # Errors
    ///
    /// Returns an error if the parts of the report are inconsistent.
    pub fn new(report: &LearnReport<'a>) -> Result<Self, ReportError> {
        if let Some(confusion) = &report.confusion {
            let classes = confusion.classes.len();
            let what = "entries of the confusion matrix";
            let entries = classes.saturating_mul(classes);
            ReportError::check_length(what, confusion.counts.len(), entries)?;
        }
        report.samples.iter().try_for_each(SampleGraph::check)?;
        let samples = &report.samples[..report.samples.len().min(SAMPLES)];
        Ok(Self {
            report: *report,
            confusion: report.confusion.as_ref().and_then(confusion::chart),
            roc: predictions::roc(report.roc),
            scatter: predictions::scatter(report),
            histogram: histogram::chart(report.clusters),
            curves: Curves::draw(report),
            samples: samples.par_iter().map(sample::draw).collect(),
        })
    }

    /// Renders the page, one self-contained HTML file.
    #[must_use]
    pub fn html(&self) -> String {
        sections::page(self).render()
    }

    /// Renders the charts as single pictures, if they have data: `confusion`, `roc`,
    /// `predictions`, `cluster_histogram`, `train_loss` and `validation_loss` (for a single
    /// fold combined as `losses`), `validation_metric`, `auxiliary_loss`, `active_clusters`,
    /// `learning_rate`, and for each sample graph, numbered from 1, `sample_1_features`,
    /// `sample_1_clusters`, `sample_1_assignments`, `sample_1_pooled` and `sample_1_reduced`
    /// (X_pool).
    ///
    /// # Errors
    ///
    /// Returns an error if a picture cannot be encoded.
    pub fn pictures(&self) -> Result<Vec<Picture>, ReportError> {
        let curves = &self.curves;
        let mut charts: Vec<(Cow<'static, str>, Option<&Chart>)> = [
            ("confusion", self.confusion.as_ref()),
            ("roc", self.roc.as_ref()),
            ("predictions", self.scatter.as_ref().map(|s| &s.chart)),
            ("cluster_histogram", self.histogram.as_ref()),
            ("losses", curves.losses.as_ref()),
            ("train_loss", curves.train_loss.as_ref()),
            ("validation_loss", curves.validation_loss.as_ref()),
            ("validation_metric", curves.metric.as_ref()),
            ("auxiliary_loss", curves.auxiliary.as_ref()),
            ("active_clusters", curves.clusters.as_ref()),
            ("learning_rate", curves.rate.as_ref()),
        ]
        .map(|(name, chart)| (Cow::Borrowed(name), chart))
        .into();
        for (i, sample) in self.samples.iter().enumerate() {
            let parts = [
                ("features", Some(&sample.features.chart)),
                ("clusters", sample.clusters.as_ref().map(|d| &d.chart)),
                ("assignments", sample.assignments.as_ref()),
                ("pooled", sample.pooled.as_ref()),
                ("reduced", sample.reduced.as_ref().map(|r| &r.chart)),
            ];
            let name = |part| Cow::Owned(format!("sample_{}_{part}", i + 1));
            charts.extend(parts.map(|(part, chart)| (name(part), chart)));
        }
        picture::pictures(charts)
    }
}
