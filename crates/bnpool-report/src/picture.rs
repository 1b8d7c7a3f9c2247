//! Charts as files.

use std::borrow::Cow;

use rayon::prelude::*;

use crate::ReportError;
use crate::chart::Chart;
#[cfg(feature = "png")]
use crate::raster;

/// One picture: as SVG and, with the feature `png`, as PNG.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Name without extension, such as `block_matrix` or `sample_1_graph`.
    pub name: Cow<'static, str>,
    /// The SVG.
    pub svg: String,
    /// The PNG, with two pixels per unit of the SVG; none without the feature `png`.
    pub png: Option<Vec<u8>>,
}

impl Picture {
    /// The files of the picture: their names and contents.
    pub fn files(&self) -> impl Iterator<Item = (String, &[u8])> {
        let svg = (format!("{}.svg", self.name), self.svg.as_bytes());
        let png = self.png.as_ref();
        let png = png.map(|png| (format!("{}.png", self.name), png.as_slice()));
        std::iter::once(svg).chain(png)
    }
}

#[cfg(feature = "png")]
fn png(name: &str, svg: &str) -> Result<Option<Vec<u8>>, ReportError> {
    raster::png(name, svg).map(Some)
}

#[cfg(not(feature = "png"))]
fn png(_: &str, _: &str) -> Result<Option<Vec<u8>>, ReportError> {
    Ok(None)
}

/// Renders the existing charts, in order.
pub(crate) fn pictures(
    charts: Vec<(Cow<'static, str>, Option<&Chart>)>,
) -> Result<Vec<Picture>, ReportError> {
    charts
        .into_par_iter()
        .filter_map(|(name, chart)| Some((name, chart?)))
        .map(|(name, chart)| {
            let svg = chart.picture();
            let png = png(&name, &svg)?;
            Ok(Picture { name, svg, png })
        })
        .collect()
}
