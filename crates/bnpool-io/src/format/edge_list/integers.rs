//! Edge lists whose node ids are numbers: the common case, and the fast one.

use std::path::Path;

use super::layout::Layout;
use super::{Edges, Line, parse_line};
use crate::bytes::error::ReadError;
use crate::format::text::{DataLines, Delimiter, parse_u32, split_line};

/// Reads the lines of a block up to one whose ids are no numbers of 32 bits;
/// returns the lines from there on, or `None` at the end of the block.
pub(super) fn parse_block<'a>(
    path: &Path,
    mut lines: DataLines<'a>,
    layout: &Layout,
    edges: &mut Edges,
    skip: &mut dyn FnMut(ReadError) -> Result<(), ReadError>,
) -> Result<Option<DataLines<'a>>, ReadError> {
    let mut fields = Vec::new();
    loop {
        if layout.is_plain() {
            plain_lines(&mut lines, layout, edges);
        }
        // Whatever is not plain: comments, quotes, errors, or the end.
        let here = lines.clone();
        let Some(line) = lines.next() else {
            return Ok(None);
        };
        match parse_line(path, line, layout, &mut fields) {
            Ok(Line::Edge(weight)) => {
                let ids = [layout.source, layout.target].map(|column| whole_id(&fields[column]));
                let [Some(source), Some(target)] = ids else {
                    return Ok(Some(here));
                };
                edges.list.push((source, target));
                edges.push_weight(weight);
            }
            Ok(Line::Node) => edges.lone.push(fields[layout.source].to_string()),
            Err(error) => skip(error)?,
        }
    }
}

fn whole_id(field: &str) -> Option<u32> {
    let (id, length) = parse_u32(field.as_bytes())?;
    (length == field.len()).then_some(id)
}

/// Reads lines as long as they are plain.
fn plain_lines(lines: &mut DataLines<'_>, layout: &Layout, edges: &mut Edges) {
    let bytes = lines.text().as_bytes();
    let mut position = lines.place();
    let mut count = 0;
    while let Some((source, target, weight, next)) = plain_line(bytes, position, layout) {
        edges.list.push((source, target));
        edges.push_weight(Some(weight));
        position = next;
        count += 1;
    }
    lines.advance(position, count);
}

/// The edge at `position` and where the next line starts; `None` if the line
/// is not just numbers and delimiters, good or bad.
#[inline]
fn plain_line(bytes: &[u8], position: usize, layout: &Layout) -> Option<(u32, u32, f32, usize)> {
    let (source, length) = parse_u32(&bytes[position..])?;
    let position = pass_delimiter(bytes, position + length, layout.delimiter)?;
    let (target, length) = parse_u32(&bytes[position..])?;
    let mut position = position + length;
    let mut used = 2;
    let mut weight = 1.0;
    if layout.weight.is_some() {
        position = pass_delimiter(bytes, position, layout.delimiter)?;
        let (number, length) = fast_float2::parse_partial::<f32, _>(&bytes[position..]).ok()?;
        if number.is_nan() || number.is_infinite() || number < 0.0 {
            return None;
        }
        // A number that 32 bits make 0 is looked at again.
        let digits = &bytes[position..position + length];
        if number == 0.0 && digits.iter().any(|byte| matches!(byte, b'1'..=b'9')) {
            return None;
        }
        (weight, position, used) = (number, position + length, 3);
    }
    let next = pass_end(bytes, position, layout, used)?;
    Some((source, target, weight, next))
}

/// The end of the delimiter at `position`, blanks around it included.
#[inline]
fn pass_delimiter(bytes: &[u8], position: usize, delimiter: Delimiter) -> Option<usize> {
    let mut end = position;
    if delimiter != Delimiter::Blank {
        end = pass_blanks(bytes, end);
        if !delimiter.matches(*bytes.get(end)?) {
            return None;
        }
        return Some(pass_blanks(bytes, end + 1));
    }
    while matches!(bytes.get(end), Some(b' ' | b'\t')) {
        end += 1;
    }
    (end > position).then_some(end)
}

#[inline]
fn pass_blanks(bytes: &[u8], mut position: usize) -> usize {
    while bytes.get(position) == Some(&b' ') {
        position += 1;
    }
    position
}

/// The start of the next line, after columns that are not used.
#[inline]
fn pass_end(bytes: &[u8], position: usize, layout: &Layout, used: usize) -> Option<usize> {
    match bytes.get(position) {
        Some(b'\n') => return Some(position + 1),
        None => return Some(position),
        Some(_) => {}
    }
    if layout.columns > used {
        pass_delimiter(bytes, position, layout.delimiter)?;
        let rest = &bytes[position..];
        return Some(bytes.len() - split_line(rest).1.len());
    }
    match &bytes[pass_blanks(bytes, position)..] {
        [] => Some(bytes.len()),
        [b'\n', ..] => Some(pass_blanks(bytes, position) + 1),
        [b'\r', b'\n', ..] => Some(pass_blanks(bytes, position) + 2),
        [b'\r', ..] => Some(pass_blanks(bytes, position) + 1),
        _ => None,
    }
}
