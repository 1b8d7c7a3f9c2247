//! Sortable tables.

use super::Markup;
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

/// Rows under headings.
#[derive(Debug, Clone)]
pub struct Table {
    /// Accessible description of the table.
    pub caption: String,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, with one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Whether a click on a heading sorts the table.
    pub sortable: bool,
}

impl Table {
    /// Renders the table as HTML.
    #[must_use]
    pub fn render(&self) -> Markup {
        let mut out = format!(
            r#"<div class="table" tabindex="0" role="region" aria-label="{0}"><table{1}><caption class="hidden">{0}</caption><thead><tr>"#,
            markup(&self.caption),
            if self.sortable { " data-sort" } else { "" }
        );
        for column in &self.columns {
            let class = if column.numeric {
                r#" class="num""#
            } else {
                ""
            };
            let name = markup(&column.name);
            let name = if self.sortable {
                format!(r#"<button type="button">{name}</button>"#)
            } else {
                name
            };
            let title = if column.explanation.is_empty() {
                String::new()
            } else {
                format!(r#" title="{}""#, markup(&column.explanation))
            };
            out.push_str(&format!(r#"<th scope="col"{class}{title}>{name}</th>"#));
        }
        out.push_str("</tr></thead><tbody>");
        for row in &self.rows {
            out.push_str("<tr>");
            for (column, cell) in self.columns.iter().zip(row) {
                out.push_str(&render_cell(column, cell));
            }
            out.push_str("</tr>");
        }
        out.push_str("</tbody></table></div>");
        Markup::trusted(out)
    }
}

fn render_cell(column: &Column, cell: &Cell) -> String {
    let class = if column.numeric {
        r#" class="num""#
    } else {
        ""
    };
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
        let table = Table {
            caption: "<b>".to_owned(),
            columns: vec![Column {
                name: "<i>".to_owned(),
                explanation: "\"><script>".to_owned(),
                numeric: true,
            }],
            rows: vec![
                vec![Cell::text("<img onerror>")],
                vec![Cell::number("½", 0.5)],
            ],
            sortable: true,
        };
        let html = table.render();
        let html = html.as_str();
        for tag in ["<b>", "<i>", "<script>", "<img"] {
            assert!(!html.contains(tag), "{html}");
        }
        assert!(html.contains(r#"data-key="0.5""#));
    }
}
