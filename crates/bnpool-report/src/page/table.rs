//! Sortable tables.

use super::Markup;
use crate::Metric;
use crate::chart::Rgb;
use crate::escape::markup;
use crate::number::decimal;

/// A column of a table.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its heading.
    pub name: String,
    /// Explanation, shown on hover over the heading.
    pub explanation: String,
    /// Whether it contains numbers, which are right-aligned.
    pub numeric: bool,
}

impl Column {
    /// A column; an empty explanation shows nothing.
    #[must_use]
    pub fn new(name: &str, explanation: &str, numeric: bool) -> Self {
        Self {
            name: name.to_owned(),
            explanation: explanation.to_owned(),
            numeric,
        }
    }

    fn class(&self) -> &'static str {
        if self.numeric { r#" class="num""# } else { "" }
    }
}

/// A cell of a table.
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// Text of the cell.
    pub text: String,
    /// Sort key, if it differs from the text.
    pub key: Option<f64>,
    /// A coloured dot before the text.
    pub dot: Option<Rgb>,
}

impl Cell {
    /// A cell with a text.
    #[must_use]
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// A cell with a number, as text and as sort key.
    #[must_use]
    pub fn number(text: impl Into<String>, key: f64) -> Self {
        Self {
            text: text.into(),
            key: Some(key),
            ..Self::default()
        }
    }
}

/// Renders rows, with one cell per column, under headings; a click on one sorts the rows if
/// they are `sortable`. The caption describes the table to screen readers.
pub(crate) fn table(
    caption: &str,
    columns: &[Column],
    rows: &[Vec<Cell>],
    sortable: bool,
) -> Markup {
    let mut out = format!(
        r#"<div class="table" tabindex="0" role="region" aria-label="{0}"><table{1}><caption class="hidden">{0}</caption><thead><tr>"#,
        markup(caption),
        if sortable { " data-sort" } else { "" }
    );
    for column in columns {
        let name = markup(&column.name);
        let name = if sortable {
            format!(r#"<button type="button">{name}</button>"#)
        } else {
            name
        };
        let title = if column.explanation.is_empty() {
            String::new()
        } else {
            format!(r#" title="{}""#, markup(&column.explanation))
        };
        let class = column.class();
        out.push_str(&format!(r#"<th scope="col"{class}{title}>{name}</th>"#));
    }
    out.push_str("</tr></thead><tbody>");
    for row in rows {
        out.push_str("<tr>");
        for (column, cell) in columns.iter().zip(row) {
            out.push_str(&render_cell(column, cell));
        }
        out.push_str("</tr>");
    }
    Markup::trusted(out + "</tbody></table></div>")
}

/// A row per metric.
pub(super) fn metrics(metrics: &[Metric]) -> Markup {
    let row = |metric: &Metric| {
        let texts = [&metric.name, &metric.value, &metric.explanation];
        texts.map(Cell::text).into()
    };
    let columns = [("Metric", false), ("Value", true), ("Meaning", false)];
    let columns = columns.map(|(name, numeric)| Column::new(name, "", numeric));
    let rows: Vec<Vec<Cell>> = metrics.iter().map(row).collect();
    table("Metrics", &columns, &rows, false)
}

fn render_cell(column: &Column, cell: &Cell) -> String {
    let class = column.class();
    let key = cell.key.map_or(String::new(), |key| {
        format!(r#" data-key="{}""#, decimal(key, 9))
    });
    let dot = cell.dot.map_or(String::new(), |colour| {
        format!(r#"<i class="dot" style="background:{colour}"></i>"#)
    });
    format!("<td{class}{key}>{dot}{}</td>", markup(&cell.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        let column = Column::new("<i>", "\"><script>", true);
        let rows = [
            vec![Cell::text("<img onerror>")],
            vec![Cell::number("½", 0.5)],
        ];
        let html = table("<b>", &[column], &rows, true);
        let html = html.as_str();
        for tag in ["<b>", "<i>", "<script>", "<img"] {
            assert!(!html.contains(tag), "{html}");
        }
        assert!(html.contains(r#"data-key="0.5""#));
    }
}
