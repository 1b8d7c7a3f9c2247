//! Tables of results: on a terminal, on a page, and as csv.

use bnpool_task::run::csv_field;
use std::fmt::Write as _;

/// A column.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Heading.
    pub name: &'static str,
    /// Explanation.
    pub meaning: &'static str,
}

/// A cell: its text, and its number.
#[derive(Debug, Clone)]
pub struct Cell {
    pub text: String,
    pub value: Option<f64>,
}

impl Cell {
    /// Creates a text cell.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            value: None,
        }
    }

    /// Creates a number cell, formatted by `shown`; a dash if there is no
    /// number.
    pub fn number(value: Option<f64>, shown: impl FnOnce(f64) -> String) -> Self {
        let value = value.filter(|value| value.is_finite());
        Self {
            text: value.map_or("–".to_owned(), shown),
            value,
        }
    }
}

/// A table with one row per pooler. The first column contains their names.
#[derive(Debug, Clone)]
pub struct Table {
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Prints the table with left-aligned names and right-aligned numbers.
    pub fn say(&self) {
        let wide = |i: usize| {
            let cells = self.rows.iter().map(|row| row[i].text.chars().count());
            let name = self.columns[i].name.chars().count();
            cells.max().unwrap_or(0).max(name)
        };
        let widths: Vec<usize> = (0..self.columns.len()).map(wide).collect();
        let line = |cells: &mut dyn Iterator<Item = &str>| {
            let mut out = String::new();
            for (i, (cell, &width)) in cells.zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = match i {
                    0 => write!(out, "  {cell:<width$}"),
                    _ => write!(out, "  {cell:>width$}"),
                };
            }
            out.trim_end().to_owned()
        };
        say!("{}", line(&mut self.columns.iter().map(|c| c.name)));
        for row in &self.rows {
            say!("{}", line(&mut row.iter().map(|cell| cell.text.as_str())));
        }
    }
}

/// Formats a csv file with a heading.
pub fn csv(heading: &[impl AsRef<str>], rows: &[Vec<String>]) -> String {
    let names: Vec<&str> = heading.iter().map(AsRef::as_ref).collect();
    let mut out = names.join(",") + "\n";
    for row in rows {
        let fields: Vec<String> = row.iter().map(|field| csv_field(field)).collect();
        out += &fields.join(",");
        out.push('\n');
    }
    out
}

/// Formats a number of a csv file with all digits; empty if there is none.
pub fn digits(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
