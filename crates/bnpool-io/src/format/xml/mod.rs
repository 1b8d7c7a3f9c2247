//! XML, an event at a time, with the line of every error.
//!
//! Entities beyond those of XML itself are refused, so that no file can make
//! itself larger than it is.

mod declared;
pub(crate) mod gexf;
pub(crate) mod graphml;

use std::borrow::Cow;
use std::path::Path;

use crate::format::start::Start;
use memchr::memmem;

use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::text::count_line_ends;
use crate::bytes::error::{ReadError, quote};

/// Whether a file starts like GEXF; other XML is GraphML.
fn is_gexf(start: &Start) -> bool {
    start.text().starts_with(b"<") && memmem::find(start.text(), b"<gexf").is_some()
}

/// An event of a file.
pub(crate) enum XmlEvent<'a> {
    /// An element starts.
    Open(BytesStart<'a>),
    /// An element of this local name ends; an empty one does so at once.
    Close(String),
    /// Some text; an element may have several pieces of it.
    Text(Cow<'a, str>),
    /// The file ends.
    End,
}

/// A place in an XML file.
pub(crate) struct Xml<'a> {
    path: &'a Path,
    text: &'a str,
    reader: Reader<&'a [u8]>,
    depth: usize,
    /// The name of an empty element that is open.
    empty: Option<String>,
    /// A place in the text and its line, so that lines are counted once.
    lines: (usize, usize),
}

impl<'a> Xml<'a> {
    pub(crate) fn new(path: &'a Path, text: &'a str) -> Self {
        Self {
            path,
            text,
            reader: Reader::from_str(text),
            depth: 0,
            empty: None,
            lines: (0, 1),
        }
    }

    /// The next event; comments and declarations are passed over.
    pub(crate) fn next(&mut self) -> Result<XmlEvent<'a>, ReadError> {
        if let Some(name) = self.empty.take() {
            return Ok(XmlEvent::Close(name));
        }
        loop {
            let event = self.reader.read_event().map_err(|error| {
                let place = self.reader.error_position();
                self.error_at(
                    place,
                    format!("this is not valid XML ({error})"),
                    "correct the file, or write it again",
                )
            })?;
            return Ok(match event {
                Event::Start(element) => {
                    self.depth += 1;
                    XmlEvent::Open(element)
                }
                Event::Empty(element) => {
                    self.empty = Some(element.local_name().as_ref().to_owned());
                    XmlEvent::Open(element)
                }
                Event::End(element) => {
                    self.depth = self.depth.saturating_sub(1);
                    XmlEvent::Close(element.local_name().as_ref().to_owned())
                }
                Event::Text(text) => XmlEvent::Text(Cow::Owned(text.xml10_content().into_owned())),
                Event::CData(text) => XmlEvent::Text(Cow::Owned(text.xml10_content().into_owned())),
                Event::GeneralRef(reference) => XmlEvent::Text(self.resolve(&reference)?),
                Event::Eof if self.depth > 0 => {
                    return Err(self.error(
                        "the file ends inside an element",
                        "the file is cut off or damaged: fetch or write it again",
                    ));
                }
                Event::Eof => XmlEvent::End,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            });
        }
    }

    fn resolve(&self, reference: &BytesRef) -> Result<Cow<'static, str>, ReadError> {
        let name = reference.xml10_content();
        match (reference.resolve_char_ref(), resolve_xml_entity(&name)) {
            (Ok(Some(character)), _) => Ok(character.to_string().into()),
            (_, Some(text)) => Ok(text.into()),
            _ => Err(self.error(
                format!("the entity {} is not supported", quote(name.as_bytes())),
                "write the text out",
            )),
        }
    }

    /// An attribute of an element.
    pub(crate) fn attribute(
        &self,
        element: &BytesStart,
        name: &str,
    ) -> Result<Option<String>, ReadError> {
        for attribute in element.attributes() {
            let attribute = attribute.map_err(|error| {
                self.error(format!("bad attribute ({error})"), "correct the element")
            })?;
            if attribute.key.local_name().as_ref() != name {
                continue;
            }
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return value.map(Cow::into_owned).map(Some).map_err(|error| {
                self.error(format!("bad attribute ({error})"), "write the text out")
            });
        }
        Ok(None)
    }

    /// An attribute that an element must have.
    pub(crate) fn required(&self, element: &BytesStart, name: &str) -> Result<String, ReadError> {
        self.attribute(element, name)?.ok_or_else(|| {
            let element = element.local_name();
            self.error(
                format!("`<{}>` lacks {}", element.as_ref(), quote(name.as_bytes())),
                "add it to the element",
            )
        })
    }

    /// The line that has been read so far.
    pub(crate) fn line(&mut self) -> usize {
        let (place, line) = self.lines;
        let now = self.place(self.reader.buffer_position()).max(place);
        let between = &self.text.as_bytes()[place..now];
        self.lines = (now, line + count_line_ends(between));
        self.lines.1
    }

    /// Bytes of the whole text.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    fn place(&self, offset: u64) -> usize {
        usize::try_from(offset)
            .unwrap_or(usize::MAX)
            .min(self.text.len())
    }

    pub(crate) fn error(&self, problem: impl Into<String>, remedy: &'static str) -> ReadError {
        self.error_at(self.reader.buffer_position(), problem.into(), remedy)
    }

    fn error_at(&self, place: u64, problem: String, remedy: &'static str) -> ReadError {
        let before = &self.text.as_bytes()[..self.place(place)];
        let line = 1 + count_line_ends(before);
        ReadError::at_line(self.path, line, problem, remedy)
    }
}
