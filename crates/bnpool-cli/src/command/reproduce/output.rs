//! What an item ends in: terminal, csv, Markdown, page and pictures.

use super::collect::Collected;
use super::figure::{self, Drawn};
use super::item::{Item, Kind, Measure};
use super::paper::numbers;
use super::place::Place;
use super::rows::{count_rows, rows};
use super::search;
use super::sheet::{self, Sheet};
use crate::destination::write_text;
use crate::message::Failure;
use bnpool_io::format::write_atomically;
use bnpool_report::reproduce::{Cell, Column, Drawing, ReproducePage, pictures, render_html};
use bnpool_task::run::make_folder;
use serde_json::{Value, json};
use std::path::Path;

/// A finished item.
pub struct Output<'a> {
    pub item: &'a Item,
    sheet: Option<Sheet>,
    drawings: Vec<Drawing>,
    remarks: Vec<String>,
}

/// The table of an item, of all results that there are.
pub fn table(item: &Item, found: &Collected) -> Result<Option<Sheet>, Failure> {
    let paper = numbers(item.name);
    Ok(match &item.kind {
        Kind::Poolers(grid) => {
            let rows = rows(grid.measure, &found.results, &paper);
            Some(match grid.measure {
                Measure::Search => search::sheet(&rows, &paper),
                _ => sheet::of_poolers(grid, &rows),
            })
        }
        Kind::Datasets => Some(sheet::of_counts(&count_rows(&found.results, &paper))),
        Kind::Figure(_) => None,
    })
}

impl<'a> Output<'a> {
    /// Of a table.
    pub fn of_table(
        item: &'a Item,
        found: &Collected,
        remarks: Vec<String>,
    ) -> Result<Self, Failure> {
        let drawings = match &item.kind {
            Kind::Poolers(grid) if grid.measure == Measure::Clusters => {
                figure::histograms(&found.results)?
            }
            _ => Vec::new(),
        };
        Ok(Self {
            sheet: table(item, found)?,
            drawings,
            remarks,
            item,
        })
    }

    /// Of a figure.
    pub fn of_figure(item: &'a Item, drawn: Drawn, mut remarks: Vec<String>) -> Self {
        remarks.extend(drawn.remarks);
        Self {
            sheet: None,
            drawings: drawn.drawings,
            remarks,
            item,
        }
    }

    /// Writes everything; returns the names of the files.
    pub fn write(&self, place: &Place) -> Result<Vec<String>, Failure> {
        let name = self.item.name;
        let mut files = Vec::new();
        let mut write = |ending: &str, text: &str| {
            let file = format!("{name}.{ending}");
            write_text(&place.root().join(&file), text)?;
            files.push(file);
            Ok::<(), Failure>(())
        };
        if let Some(sheet) = &self.sheet {
            write("csv", &sheet.csv)?;
        }
        write("md", &self.markdown())?;
        write("html", &self.page())?;
        if !self.drawings.is_empty() {
            let folder = place.root().join(name);
            make_folder(&folder)?;
            self.write_pictures(&folder)?;
            files.push(format!("{name}/ ({} pictures)", self.drawings.len()));
        }
        Ok(files)
    }

    fn write_pictures(&self, folder: &Path) -> Result<(), Failure> {
        let pictures = pictures(&self.drawings)
            .map_err(|e| Failure::running(format!("the pictures cannot be made: {e}")))?;
        for picture in pictures {
            for (name, bytes) in picture.files() {
                write_atomically(&folder.join(name), |out| out.write_all(bytes))?;
            }
        }
        Ok(())
    }

    fn page(&self) -> String {
        let (columns, rows) = match &self.sheet {
            None => (Vec::new(), Vec::new()),
            Some(sheet) => {
                let table = &sheet.table;
                let numeric = |i: usize| table.rows.iter().any(|row| row[i].value.is_some());
                let columns = table.columns.iter().enumerate();
                let columns = columns.map(|(i, c)| Column::new(c.name, c.meaning, numeric(i)));
                let rows = table.rows.iter().map(|row| {
                    row.iter()
                        .map(|cell| match cell.value {
                            Some(value) => Cell::number(&cell.text, value),
                            None => Cell::text(&cell.text),
                        })
                        .collect::<Vec<Cell>>()
                });
                (columns.collect(), rows.collect())
            }
        };
        render_html(&ReproducePage {
            title: &figure::title(self.item),
            lead: &self.lead(),
            remarks: &self.remarks,
            columns: &columns,
            rows: &rows,
            drawings: &self.drawings,
            version: env!("CARGO_PKG_VERSION"),
        })
    }

    fn lead(&self) -> String {
        let labels = self.item.labels.join(", ");
        format!(
            "{} of the paper, made by `bnpool reproduce {}`.",
            labels, self.item.name
        )
    }

    /// The item for a document.
    pub fn markdown(&self) -> String {
        let mut out = format!("{}\n", self.lead());
        if let Some(sheet) = &self.sheet {
            out += &format!("\n{}", sheet.markdown);
        }
        if self.sheet.is_none() {
            out.push('\n');
            for drawing in &self.drawings {
                out += &format!("- {}\n", drawing.words());
            }
        }
        for (i, remark) in self.remarks.iter().enumerate() {
            out += &format!("{}- {remark}\n", if i == 0 { "\n" } else { "" });
        }
        out
    }

    /// The item for other programs.
    pub fn json(&self) -> Value {
        json!({
            "schema": bnpool_task::cluster::run::SCHEMA,
            "task": "reproduce",
            "item": self.item.name,
            "labels": self.item.labels,
            "rows": self.sheet.as_ref().map(|sheet| &sheet.json),
            "pictures": self.drawings.len(),
            "remarks": self.remarks,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Says it.
    pub fn say(&self) {
        say!("{}", figure::title(self.item));
        say!("");
        if let Some(sheet) = &self.sheet {
            sheet.table.say();
            say!("");
        }
        for remark in &self.remarks {
            say!("  {remark}");
        }
    }
}
