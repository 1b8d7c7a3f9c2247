//! Grids of figures in a section.

use super::{Figure, Markup, Page};
use crate::chart::Chart;

/// A figure without a legend. Heading and caption are trusted text of the
/// program.
pub(crate) fn figure(
    page: &mut Page,
    id: &str,
    heading: &str,
    chart: &Chart,
    caption: &str,
) -> Markup {
    Figure {
        id,
        heading: Markup::trusted(heading),
        chart,
        caption: Markup::trusted(caption),
        legend: None,
    }
    .place(page)
}

/// Arranges figures in as many columns as fit; `class` begins with a space.
pub(crate) fn grid(class: &str, figures: &[Markup]) -> Markup {
    let figures: String = figures.iter().map(Markup::as_str).collect();
    Markup::trusted(format!(r#"<div class="grid{class}">{figures}</div>"#))
}
