//! Figures of the paper, drawn again.
//!
//! ```
//! use bnpool_report::reproduce::{histogram, pictures};
//!
//! let drawing = histogram("mutag", "MUTAG", &[5, 5, 6, 5]).expect("graphs");
//! assert!(drawing.words().contains("4 test graphs"));
//! assert_eq!(pictures(&[drawing])?[0].name, "mutag");
//! # Ok::<(), bnpool_report::ReportError>(())
//! ```

mod dirichlet;
mod histogram;
mod pooled;
mod sticks;
mod urn;

pub use dirichlet::dirichlet_draw;
pub use histogram::histogram;
pub use pooled::pooled_graph;
pub use sticks::{Stick, sticks};
pub use urn::{UrnDraw, urn};

use std::borrow::Cow;

use crate::chart::Chart;
use crate::{Picture, ReportError};

/// A chart with its name, heading and caption.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// Name of its files: letters, digits, hyphens.
    name: String,
    heading: String,
    caption: String,
    chart: Chart,
}

impl Drawing {
    fn new(name: &str, heading: &str, caption: &str, chart: Chart) -> Self {
        Self {
            name: name.to_owned(),
            heading: heading.to_owned(),
            caption: caption.to_owned(),
            chart,
        }
    }

    /// Its heading and caption.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{}: {}", self.heading, self.caption)
    }
}

/// The figures as files.
///
/// # Errors
///
/// When one cannot be drawn as PNG.
pub fn pictures(drawings: &[Drawing]) -> Result<Vec<Picture>, ReportError> {
    let charts = drawings.iter();
    let charts = charts.map(|d| (Cow::Owned(d.name.clone()), Some(&d.chart)));
    crate::picture::pictures(charts.collect())
}
