//! Charts as files.

use std::borrow::Cow;

use rayon::prelude::*;

use super::Picture;
use crate::ReportError;
use crate::chart::Chart;
use crate::raster;

/// The charts that there are, in their order.
pub(crate) fn pictures(
    charts: Vec<(Cow<'static, str>, Option<&Chart>)>,
) -> Result<Vec<Picture>, ReportError> {
    charts
        .into_par_iter()
        .filter_map(|(name, chart)| Some((name, chart?)))
        .map(|(name, chart)| {
            let svg = chart.picture();
            let png = raster::png(&name, &svg)?;
            Ok(Picture { name, svg, png })
        })
        .collect()
}
