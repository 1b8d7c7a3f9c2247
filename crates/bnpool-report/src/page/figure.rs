//! Charts with headings, captions and legends.

use super::{Markup, Page};
use crate::chart::{Chart, Rgb};
use crate::escape::markup;
use crate::number::count;

/// One group of a drawing.
#[derive(Debug, Clone)]
pub(crate) struct LegendItem {
    pub(crate) name: String,
    /// Short remark next to the name, such as the size.
    pub(crate) remark: String,
    pub(crate) colour: Rgb,
}

/// Renders the groups of the drawing `chart`, in the order of its `data-group` numbers, of
/// which a click highlights one. At most `most` are named; `rest` ends the line on the
/// others.
pub(crate) fn legend(
    chart: &str,
    label: &str,
    items: impl ExactSizeIterator<Item = LegendItem>,
    most: usize,
    rest: &str,
) -> Markup {
    let more = items.len().saturating_sub(most);
    let item = |(i, item): (usize, LegendItem)| {
        format!(
            r#"<li><button type="button" aria-pressed="false" data-group="{i}"><i class="dot" style="background:{}"></i>{}<small>{}</small></button></li>"#,
            item.colour,
            markup(&item.name),
            markup(&item.remark)
        )
    };
    let mut items: String = items.take(most).enumerate().map(item).collect();
    if more > 0 {
        items.push_str(&format!("<li>and {} {rest}</li>", count(more)));
    }
    Markup::trusted(format!(
        r#"<ul class="legend" data-for="{}" aria-label="{}">{items}</ul>"#,
        markup(chart),
        markup(label)
    ))
}

/// A chart with its heading and caption, which are trusted text of the program; nothing
/// without a chart. `id` is its name in the page, unique: letters, digits and hyphens.
pub(crate) fn figure<'c>(
    page: &mut Page,
    id: &str,
    heading: &str,
    chart: impl Into<Option<&'c Chart>>,
    caption: &str,
) -> Markup {
    figure_with_legend(page, id, heading, chart, caption, &Markup::default())
}

/// Like [`figure`], with a legend between chart and caption.
pub(crate) fn figure_with_legend<'c>(
    page: &mut Page,
    id: &str,
    heading: &str,
    chart: impl Into<Option<&'c Chart>>,
    caption: &str,
    legend: &Markup,
) -> Markup {
    let Some(chart) = chart.into() else {
        return Markup::default();
    };
    if let Some(hover) = chart.hover() {
        page.add_hover(id, hover.clone());
    }
    Markup::trusted(format!(
        r#"<figure><h3>{heading}</h3><div class="draw">{}</div>{legend}<figcaption>{caption}</figcaption></figure>"#,
        chart.inline(id)
    ))
}

/// Arranges figures in as many columns as fit, nothing without figures; `class` begins with
/// a space.
pub(crate) fn grid(class: &str, figures: &[Markup]) -> Markup {
    let figures: String = figures.iter().map(Markup::as_str).collect();
    if figures.is_empty() {
        return Markup::default();
    }
    Markup::trusted(format!(r#"<div class="grid{class}">{figures}</div>"#))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        let item = |name: &str| LegendItem {
            name: name.to_owned(),
            remark: "<u>".to_owned(),
            colour: Rgb(1, 2, 3),
        };
        let items = [item("<i>"), item("more")].into_iter();
        let html = legend("graph\"", "<b>", items, 1, "more");
        for tag in ["<b>", "<i>", "<u>", "graph\"\""] {
            assert!(!html.as_str().contains(tag), "{html}");
        }
        assert!(html.as_str().contains(r#"data-group="0""#));
        assert!(html.as_str().contains("<li>and 1 more</li>"));
    }
}
