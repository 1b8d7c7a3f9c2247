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
    /// The PNG, with two pixels per unit of the SVG.
    #[cfg(feature = "png")]
    pub png: Vec<u8>,
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
            #[cfg(feature = "png")]
            let png = raster::png(&name, &svg)?;
            Ok(Picture {
                name,
                svg,
                #[cfg(feature = "png")]
                png,
            })
        })
        .collect()
}
