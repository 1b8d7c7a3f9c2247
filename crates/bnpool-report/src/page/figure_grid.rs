//! Figures of a section, side by side.

use super::{Figure, Markup, Page};
use crate::chart::Chart;

/// A figure without a legend. Heading and caption are written by the program.
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

/// Figures in as many columns as have room; `class` begins with a space.
pub(crate) fn grid(class: &str, figures: &[Markup]) -> Markup {
    let figures: String = figures.iter().map(Markup::as_str).collect();
    Markup::trusted(format!(r#"<div class="grid{class}">{figures}</div>"#))
}
