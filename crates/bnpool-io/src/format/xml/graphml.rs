//! GraphML.
//!
//! Data of the nodes become features or labels only if the options name them;
//! the data called `weight` of the edges are their weights, unless the options
//! name others. Nodes stand in the order of the file.

use quick_xml::events::BytesStart;

use super::declared::{Declared, Dialect, Side, read};
use super::is_gexf;
use crate::bytes::error::ReadError;
use crate::format::table::{Holds, Read, Traits};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["graphml"],
    starts: |start| start.text().starts_with(b"<") && !is_gexf(start),
    holds: Holds::ATTRIBUTES,
    ..Traits::of("graphml", "GraphML", Read::One(read::<GraphMl>))
};

/// The part of a file that is being read.
#[derive(Default)]
struct GraphMl {
    /// The key whose default or data are being read.
    key: Option<String>,
    /// The text of the innermost `<default>` or `<data>`.
    content: Option<String>,
}

impl Dialect for GraphMl {
    const TITLE: &'static str = "GraphML";
    const ALL_DIRECTED: &'static str = "edgedefault";
    const DIRECTED: (&'static str, &'static str) = ("directed", "true");
    const LABEL: Option<&'static str> = None;
    const WEIGHT: Option<&'static str> = None;

    fn open(&mut self, file: &mut Declared, element: &BytesStart) -> Result<(), ReadError> {
        match element.local_name().as_ref() {
            "key" => {
                let id = file.xml.required(element, "id")?;
                let sides = match file.xml.attribute(element, "for")?.as_deref() {
                    Some("node") => &[Side::Node][..],
                    Some("edge") => &[Side::Edge],
                    Some("all") | None => &[Side::Node, Side::Edge],
                    _ => &[],
                };
                let name = file.xml.attribute(element, "attr.name")?;
                file.declare(sides, &id, name)?;
                self.key = Some(id);
            }
            "default" => self.content = Some(String::new()),
            "data" if self.key.is_none() => {
                self.key = Some(file.xml.required(element, "key")?);
                self.content = Some(String::new());
            }
            "hyperedge" => {
                return Err(file.xml.error(
                    "hyperedges are not supported",
                    "replace them by edges of two nodes",
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self) -> Option<&mut String> {
        self.content.as_mut()
    }

    fn close(&mut self, file: &mut Declared, name: &str) {
        match name {
            "key" => self.key = None,
            "default" => {
                if let (Some(key), Some(content)) = (&self.key, self.content.take()) {
                    file.set_default(key, &content);
                }
            }
            "data" => {
                if let (Some(key), Some(content)) = (self.key.take(), self.content.take()) {
                    file.value(&key, &content);
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
