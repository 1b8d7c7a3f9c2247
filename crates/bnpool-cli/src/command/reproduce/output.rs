//! Output of an item: terminal, csv, Markdown and pictures.

use super::figure::Drawn;
use super::item::Item;
use super::sheet::Sheet;
use crate::terminal::destination::write_text;
use crate::terminal::message::Failure;
use bnpool_io::format::write_atomically;
use bnpool_report::reproduce::pictures;
use bnpool_task::run::make_folder;
use serde_json::{Value, json};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// A finished item.
pub struct Output {
    pub item: &'static Item,
    pub sheet: Option<Sheet>,
    pub drawn: Drawn,
}

impl Output {
    /// Writes everything; returns the names of the files.
    pub fn write(&self, root: &Path) -> Result<Vec<String>, Failure> {
        make_folder(root)?;
        let name = self.item.name;
        let mut texts = vec![(format!("{name}.md"), self.markdown())];
        if let Some(sheet) = &self.sheet {
            texts.insert(0, (format!("{name}.csv"), sheet.csv.clone()));
        }
        for (file, text) in &texts {
            write_text(&root.join(file), text)?;
        }
        let mut files: Vec<String> = texts.into_iter().map(|(file, _)| file).collect();
        if self.pictures() > 0 {
            let folder = root.join(name);
            make_folder(&folder)?;
            self.write_pictures(&folder)?;
            files.push(format!("{name}/ ({} pictures)", self.pictures()));
        }
        Ok(files)
    }

    fn pictures(&self) -> usize {
        let svg = |(_, name): &&(PathBuf, String)| name.ends_with(".svg");
        self.drawn.drawings.len() + self.drawn.files.iter().filter(svg).count()
    }

    fn write_pictures(&self, folder: &Path) -> Result<(), Failure> {
        let cannot =
            |e: &dyn Display| Failure::running(format!("the pictures cannot be made: {e}"));
        let write = |name: String, bytes: &[u8]| {
            write_atomically(&folder.join(name), |out| out.write_all(bytes))
        };
        for (file, name) in &self.drawn.files {
            write(name.clone(), &std::fs::read(file).map_err(|e| cannot(&e))?)?;
        }
        for picture in pictures(&self.drawn.drawings).map_err(|e| cannot(&e))? {
            for (name, bytes) in picture.files() {
                write(name, bytes)?;
            }
        }
        Ok(())
    }

    /// The item for a document.
    pub fn markdown(&self) -> String {
        let Item { name, labels, .. } = self.item;
        let labels = labels.join(", ");
        let mut out = format!("{labels} of the paper, made by `bnpool reproduce {name}`.\n\n");
        match &self.sheet {
            Some(sheet) => out += &sheet.markdown,
            None => {
                let drawings = self.drawn.drawings.iter();
                out.extend(drawings.map(|d| format!("- {}\n", d.words())));
            }
        }
        let remarks = &self.drawn.remarks;
        if !remarks.is_empty() && !out.ends_with("\n\n") {
            out.push('\n');
        }
        out.extend(remarks.iter().map(|remark| format!("- {remark}\n")));
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
            "pictures": self.pictures(),
            "remarks": self.drawn.remarks,
            "version": env!("CARGO_PKG_VERSION"),
        })
    }

    /// Prints it.
    pub fn say(&self) {
        say!("{}: {}", self.item.name, self.item.what);
        say!("");
        if let Some(sheet) = &self.sheet {
            say!("{}", sheet.markdown);
        }
        for remark in &self.drawn.remarks {
            say!("  {remark}");
        }
    }
}
