//! Legends whose groups are highlighted by a click.

use super::Markup;
use crate::chart::Rgb;
use crate::escape::markup;

/// One group of a drawing.
#[derive(Debug, Clone)]
pub struct LegendItem {
    /// Its name.
    pub name: String,
    /// Short remark next to the name, such as the size.
    pub remark: String,
    /// Its colour.
    pub colour: Rgb,
}

/// The groups of a drawing, in the order of its `data-group` numbers.
#[derive(Debug, Clone)]
pub struct Legend<'a> {
    /// Name of the drawing in the page.
    pub chart: &'a str,
    /// Accessible description of the list.
    pub label: &'a str,
    /// The named groups.
    pub items: Vec<LegendItem>,
    /// Text on the groups that are not named.
    pub rest: String,
}

impl Legend<'_> {
    /// Renders the legend as HTML.
    #[must_use]
    pub fn render(&self) -> Markup {
        let item = |(i, item): (usize, &LegendItem)| {
            format!(
                r#"<li><button type="button" aria-pressed="false" data-group="{i}"><i class="dot" style="background:{}"></i>{}<small>{}</small></button></li>"#,
                item.colour,
                markup(&item.name),
                markup(&item.remark)
            )
        };
        let mut items: String = self.items.iter().enumerate().map(item).collect();
        if !self.rest.is_empty() {
            items.push_str(&format!("<li>{}</li>", markup(&self.rest)));
        }
        Markup::trusted(format!(
            r#"<ul class="legend" data-for="{}" aria-label="{}">{items}</ul>"#,
            markup(self.chart),
            markup(self.label)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_text() {
        let legend = Legend {
            chart: "graph\"",
            label: "<b>",
            items: vec![LegendItem {
                name: "<i>".to_owned(),
                remark: "<u>".to_owned(),
                colour: Rgb(1, 2, 3),
            }],
            rest: "and <s> more".to_owned(),
        };
        let html = legend.render();
        for tag in ["<b>", "<i>", "<u>", "<s>", "graph\"\""] {
            assert!(!html.as_str().contains(tag), "{html}");
        }
        assert!(html.as_str().contains(r#"data-group="0""#));
    }
}
