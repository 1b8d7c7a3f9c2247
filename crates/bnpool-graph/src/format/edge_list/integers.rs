//! Edge lists whose node ids are numbers: the common case, and the fast one.

use std::collections::HashMap;
use std::path::Path;

use foldhash::fast::RandomState;
use memchr::{memchr, memchr_iter};

use super::layout::Layout;
use super::parse_line;
use crate::format::edge_table::{EdgeTable, NodeIds};
use crate::format::error::ReadError;
use crate::format::text::{DataLines, Delimiter, parse_u32};

/// Shortest line of an edge list, `0 1` and its end.
const SHORTEST_LINE: usize = 4;

/// Reads all lines; `None` as soon as an id is no number of 32 bits.
pub(super) fn parse(
    path: &Path,
    text: &str,
    mut lines: DataLines<'_>,
    layout: &Layout,
) -> Result<Option<EdgeTable>, ReadError> {
    let rest = &text.as_bytes()[lines.place()..];
    let most = (1 + memchr_iter(b'\n', rest).count()).min(1 + rest.len() / SHORTEST_LINE);
    let mut edges = Vec::with_capacity(most);
    let mut weights = layout.weight.map(|_| Vec::with_capacity(most));
    let mut fields = Vec::new();
    loop {
        if layout.is_plain() {
            plain_lines(text, &mut lines, layout, &mut edges, weights.as_mut());
        }
        // Whatever is not plain: comments, quotes, errors, or the end.
        let Some(line) = lines.next() else { break };
        let line = parse_line(path, line, layout, &mut fields)?;
        let (Some(source), Some(target)) = (whole_id(line.source), whole_id(line.target)) else {
            return Ok(None);
        };
        edges.push((source, target));
        if let (Some(weights), Some(weight)) = (&mut weights, line.weight) {
            weights.push(weight);
        }
    }
    let ids = number_nodes(&mut edges);
    Ok(Some(EdgeTable {
        ids,
        edges,
        weights,
    }))
}

fn whole_id(field: &str) -> Option<u32> {
    let (id, length) = parse_u32(field.as_bytes())?;
    (length == field.len()).then_some(id)
}

/// Reads lines as long as they are plain.
fn plain_lines(
    text: &str,
    lines: &mut DataLines<'_>,
    layout: &Layout,
    edges: &mut Vec<(u32, u32)>,
    mut weights: Option<&mut Vec<f32>>,
) {
    let bytes = text.as_bytes();
    let mut position = lines.place();
    let mut count = 0;
    while let Some((source, target, weight, next)) = plain_line(bytes, position, layout) {
        edges.push((source, target));
        if let Some(weights) = &mut weights {
            weights.push(weight);
        }
        position = next;
        count += 1;
    }
    lines.advance(position, count);
}

/// The edge at `position` and where the next line starts; `None` where the line
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
        return Some(position + memchr(b'\n', rest).map_or(rest.len(), |end| end + 1));
    }
    match &bytes[pass_blanks(bytes, position)..] {
        [] => Some(bytes.len()),
        [b'\n', ..] => Some(pass_blanks(bytes, position) + 1),
        [b'\r', b'\n', ..] => Some(pass_blanks(bytes, position) + 2),
        _ => None,
    }
}

/// Replaces the ids by their ranks among all ids.
fn number_nodes(edges: &mut [(u32, u32)]) -> NodeIds {
    let Some(greatest) = edges.iter().map(|&(u, v)| u.max(v)).max() else {
        return NodeIds::Range(0);
    };
    // Tables of all possible ids are the fastest, but only while they are small.
    let span = greatest as usize + 1;
    let ids = if span <= 1024 + 4 * edges.len() {
        // Bits first: they fit the cache, and settle most files.
        let mut seen = vec![0_u64; span.div_ceil(64)];
        for &(u, v) in &*edges {
            seen[u as usize / 64] |= 1 << (u % 64);
            seen[v as usize / 64] |= 1 << (v % 64);
        }
        let count: u32 = seen.iter().map(|bits| bits.count_ones()).sum();
        if count as usize == span {
            return NodeIds::Range(span);
        }
        let mut ranks = vec![0_u32; span];
        let mut ids = Vec::with_capacity(count as usize);
        for (id, rank) in ranks.iter_mut().enumerate() {
            if seen[id / 64] >> (id % 64) & 1 == 1 {
                *rank = ids.len() as u32;
                ids.push(id as u64);
            }
        }
        for (u, v) in edges {
            (*u, *v) = (ranks[*u as usize], ranks[*v as usize]);
        }
        ids
    } else {
        let mut ranks: HashMap<u32, u32, RandomState> = HashMap::default();
        for &(u, v) in &*edges {
            ranks.insert(u, 0);
            ranks.insert(v, 0);
        }
        let mut ids: Vec<_> = ranks.keys().copied().collect();
        ids.sort_unstable();
        for (rank, id) in ids.iter().enumerate() {
            ranks.insert(*id, rank as u32);
        }
        for (u, v) in edges {
            (*u, *v) = (ranks[u], ranks[v]);
        }
        ids.into_iter().map(u64::from).collect()
    };
    NodeIds::Numbers(ids)
}
