//! A chart with a heading and a caption.

use super::{Markup, Page};
use crate::chart::Chart;

/// A chart with a heading and a caption.
#[derive(Debug, Clone)]
pub struct Figure<'a> {
    /// Name in the page, unique: letters, digits and hyphens.
    pub id: &'a str,
    /// Heading.
    pub heading: Markup,
    /// The chart.
    pub chart: &'a Chart,
    /// Caption.
    pub caption: Markup,
    /// Content between chart and caption, such as a legend.
    pub legend: Option<Markup>,
}

impl Figure<'_> {
    /// Renders the figure as HTML and adds the hover data of its chart to the
    /// page.
    #[must_use]
    pub fn place(&self, page: &mut Page) -> Markup {
        if let Some(hover) = self.chart.hover() {
            page.add_hover(self.id, hover.clone());
        }
        let legend = self.legend.as_ref().map_or("", Markup::as_str);
        Markup::trusted(format!(
            r#"<figure><h3>{}</h3><div class="draw">{}</div>{legend}<figcaption>{}</figcaption></figure>"#,
            self.heading,
            self.chart.inline(self.id),
            self.caption
        ))
    }
}
