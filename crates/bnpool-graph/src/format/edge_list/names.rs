//! Edge lists whose node ids are text, or numbers beyond 32 bits.

use std::borrow::Cow;
use std::path::Path;

use super::interner::Interner;
use super::layout::Layout;
use super::{Edges, parse_line};
use crate::error::GraphError;
use crate::format::error::ReadError;
use crate::format::text::DataLines;

/// Names that are numbered together.
const BATCH: usize = 256;

/// Reads all lines of a block.
pub(super) fn parse_block(
    path: &Path,
    mut lines: DataLines<'_>,
    layout: &Layout,
    interner: &mut Interner,
    edges: &mut Edges,
) -> Result<(), ReadError> {
    let mut fields = Vec::new();
    let mut ids = Vec::with_capacity(BATCH);
    loop {
        ids.clear();
        while ids.len() < BATCH
            && let Some(line) = lines.next()
        {
            if let Some(pair) = plain_pair(line.1, layout) {
                ids.extend(pair.map(Cow::Borrowed));
                continue;
            }
            let weight = parse_line(path, line, layout, &mut fields)?.weight;
            ids.push(std::mem::take(&mut fields[layout.source]));
            ids.push(std::mem::take(&mut fields[layout.target]));
            edges.push_weight(weight);
        }
        if ids.is_empty() {
            return Ok(());
        }
        number(path, &ids, interner, &mut edges.list)?;
    }
}

/// The two ids of a line that has nothing else; `None` where there is more to
/// it: other columns, quotes, or something wrong.
fn plain_pair<'a>(line: &'a str, layout: &Layout) -> Option<[&'a str; 2]> {
    if !layout.is_plain() || layout.columns != 2 {
        return None;
    }
    let delimiter = layout.delimiter;
    let end = line.bytes().position(|byte| delimiter.matches(byte))?;
    let pair = [line[..end].trim_ascii_end(), &line[end + 1..]];
    let good = |id: &str| match id.as_bytes() {
        [] | [b'"' | b'-', ..] => false,
        [first, ..] => !first.is_ascii_whitespace(),
    };
    let ends = !pair[1].bytes().any(|byte| delimiter.matches(byte));
    (ends && pair.into_iter().all(good)).then_some(pair)
}

/// Numbers the nodes of edges that were read as numbers, before another id
/// turned up.
pub(super) fn rename_numbers(
    path: &Path,
    interner: &mut Interner,
    edges: &mut Edges,
) -> Result<(), ReadError> {
    let numbers = std::mem::take(&mut edges.list);
    edges.list.reserve_exact(numbers.len());
    for batch in numbers.chunks(BATCH / 2) {
        let ids = batch.iter().flat_map(|&(u, v)| [u, v]);
        let ids: Vec<_> = ids.map(|id| Cow::from(id.to_string())).collect();
        number(path, &ids, interner, &mut edges.list)?;
    }
    Ok(())
}

/// Appends the edges between these ids, two an edge.
fn number(
    path: &Path,
    ids: &[Cow<'_, str>],
    interner: &mut Interner,
    edges: &mut Vec<(u32, u32)>,
) -> Result<(), ReadError> {
    let mut source = None;
    interner.number(ids, |id| match source.take() {
        None => source = Some(id),
        Some(source) => edges.push((source, id)),
    });
    GraphError::check_limit("nodes", interner.len() + BATCH)
        .map_err(|error| ReadError::graph(path, error))
}
