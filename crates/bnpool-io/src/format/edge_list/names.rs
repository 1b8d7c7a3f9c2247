//! Edge lists whose node ids are text, or numbers beyond 32 bits.

use std::borrow::Cow;
use std::path::Path;

use super::interner::Interner;
use super::layout::Layout;
use super::{Edges, Line, parse_line};
use crate::bytes::error::ReadError;
use crate::format::text::DataLines;
use bnpool_graph::GraphError;

/// Names that are numbered together.
const BATCH: usize = 256;

/// The ids of some edges. Most files are sorted by source: one that is that of
/// the edge before is not looked up again.
#[derive(Default)]
struct Batch<'t> {
    /// The source of an edge, unless it is repeated, and its target.
    ids: Vec<Cow<'t, str>>,
    /// Whether an edge has the source of the edge before.
    repeated: Vec<bool>,
    /// Place of the last source among the ids.
    source: usize,
}

impl<'t> Batch<'t> {
    fn clear(&mut self) {
        self.ids.clear();
        self.repeated.clear();
    }

    fn is_full(&self) -> bool {
        self.ids.len() >= BATCH
    }

    #[inline]
    fn push(&mut self, source: Cow<'t, str>, target: Cow<'t, str>) {
        let repeated = self.ids.get(self.source) == Some(&source);
        self.repeated.push(repeated);
        if !repeated {
            self.source = self.ids.len();
            self.ids.push(source);
        }
        self.ids.push(target);
    }

    /// Appends the edges between these ids.
    fn number(
        &self,
        path: &Path,
        interner: &mut Interner,
        edges: &mut Vec<(u32, u32)>,
    ) -> Result<(), ReadError> {
        let (mut source, mut wants_source) = (0, true);
        let mut later = self.repeated.iter().skip(1);
        interner.number(&self.ids, |id| {
            if wants_source {
                (source, wants_source) = (id, false);
                return;
            }
            edges.push((source, id));
            wants_source = later.next() == Some(&false);
        });
        GraphError::check_limit("nodes", interner.len() + BATCH)
            .map_err(|error| ReadError::graph(path, error))
    }
}

/// Reads all lines of a block.
pub(super) fn parse_block(
    path: &Path,
    mut lines: DataLines<'_>,
    layout: &Layout,
    interner: &mut Interner,
    edges: &mut Edges,
    skip: &mut dyn FnMut(ReadError) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let mut fields = Vec::new();
    let mut batch = Batch::default();
    loop {
        batch.clear();
        while !batch.is_full()
            && let Some(line) = lines.next()
        {
            if let Some([source, target]) = plain_pair(line.1, layout) {
                batch.push(source.into(), target.into());
                continue;
            }
            match parse_line(path, line, layout, &mut fields) {
                Ok(Line::Edge(weight)) => {
                    let source = std::mem::take(&mut fields[layout.source]);
                    batch.push(source, std::mem::take(&mut fields[layout.target]));
                    edges.push_weight(weight);
                }
                Ok(Line::Node) => edges.lone.push(fields[layout.source].to_string()),
                Err(error) => skip(error)?,
            }
        }
        if batch.ids.is_empty() {
            return Ok(());
        }
        batch.number(path, interner, &mut edges.list)?;
    }
}

/// The two ids of a line that has nothing else; `None` if there is more to
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
    let mut batch = Batch::default();
    for numbers in numbers.chunks(BATCH / 2) {
        batch.clear();
        for (source, target) in numbers {
            batch.push(source.to_string().into(), target.to_string().into());
        }
        batch.number(path, interner, &mut edges.list)?;
    }
    Ok(())
}
