//! Edge lists: text with an edge a line.
//!
//! Fields are separated by commas, semicolons, tabulators or blanks; lines that
//! start with `#` or `%` and blank lines are passed over. A first line of column
//! names is recognised by common names (`source`, `target`, `from`, `to`, …), or
//! because it has words where the next line has numbers. The first two columns
//! are the edge unless the header names others; a third column of numbers holds
//! weights, unless a header calls it something that is no weight.
//!
//! Node ids are any text. Where all of them are whole numbers, nodes stand in
//! the rising order of the numbers, so that 0..n-1 keep their own; otherwise
//! they stand in the order in which they appear. Repeated edges are merged,
//! their weights added up. Self-loops are kept unless the options say otherwise.

mod integers;
mod interner;
mod layout;
mod names;
mod ranks;

use std::borrow::Cow;
use std::path::Path;

use super::edge_table::{EdgeTable, NodeIds};
use super::error::{ReadError, quote};
use super::options::ReadOptions;
use super::report::Note;
use super::text::{DataLines, TextBlocks, is_whole_number, parse_f32, split_fields};
use interner::Interner;
use layout::Layout;

/// Reads the edges of a file; a file without any gives a table without nodes,
/// to which features may bring some.
pub(crate) fn read(
    mut blocks: TextBlocks<'_>,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<EdgeTable, ReadError> {
    let path = blocks.path().to_owned();
    // A header and a line of data tell what the columns are.
    let Some((layout, lines)) = layout::sniff(&path, blocks.first(2)?, options, notes)? else {
        return Ok(EdgeTable::default());
    };
    let mut parser = Parser::new(&path, layout);
    parser.block(lines)?;
    parser.edges.reserve(&blocks);
    while let Some(lines) = blocks.next()? {
        parser.block(lines)?;
        parser.edges.reserve(&blocks);
    }
    let table = parser.finish();
    match table.ids {
        NodeIds::Range(_) => {}
        NodeIds::Numbers(_) => notes.push(Note::NumberedNodes { rising: true }),
        NodeIds::Names(_) => notes.push(Note::NumberedNodes { rising: false }),
    }
    Ok(table)
}

/// What was read so far.
struct Edges {
    /// Pairs of ids while all of them are numbers, then of node numbers.
    list: Vec<(u32, u32)>,
    weights: Option<Vec<f32>>,
}

impl Edges {
    #[inline]
    fn push_weight(&mut self, weight: Option<f32>) {
        if let (Some(weights), Some(weight)) = (&mut self.weights, weight) {
            weights.push(weight);
        }
    }

    /// Makes room for what is to come: doubling would waste up to half.
    fn reserve(&mut self, blocks: &TextBlocks<'_>) {
        let more = blocks.expect_more(self.list.len());
        self.list.reserve_exact(more);
        if let Some(weights) = &mut self.weights {
            weights.reserve_exact(more);
        }
    }
}

struct Parser<'p> {
    path: &'p Path,
    layout: Layout,
    edges: Edges,
    /// The names of the nodes, once an id was no number of 32 bits.
    names: Option<Interner>,
}

impl<'p> Parser<'p> {
    fn new(path: &'p Path, layout: Layout) -> Self {
        let edges = Edges {
            list: Vec::new(),
            weights: layout.weight.map(|_| Vec::new()),
        };
        Self {
            path,
            layout,
            edges,
            names: None,
        }
    }

    fn block(&mut self, mut lines: DataLines<'_>) -> Result<(), ReadError> {
        let (path, layout, edges) = (self.path, &self.layout, &mut self.edges);
        if self.names.is_none() {
            match integers::parse_block(path, lines, layout, edges)? {
                None => return Ok(()),
                Some(rest) => lines = rest,
            }
        }
        let interner = match &mut self.names {
            Some(interner) => interner,
            None => {
                let interner = self.names.insert(Interner::new());
                names::rename_numbers(path, interner, edges)?;
                interner
            }
        };
        names::parse_block(path, lines, layout, interner, edges)
    }

    fn finish(self) -> EdgeTable {
        let mut edges = self.edges.list;
        let ids = match self.names {
            None => ranks::number_nodes(&mut edges),
            Some(interner) => NodeIds::of_names(interner.into_names(), &mut edges),
        };
        EdgeTable {
            ids,
            edges,
            weights: self.edges.weights,
        }
    }
}

/// One line, cut and checked; its ids are not empty and not negative.
struct Line<'f> {
    source: &'f str,
    target: &'f str,
    weight: Option<f32>,
}

/// Reads any good line and says what is wrong with any other.
fn parse_line<'f, 't: 'f>(
    path: &Path,
    (number, line): (usize, &'t str),
    layout: &Layout,
    fields: &'f mut Vec<Cow<'t, str>>,
) -> Result<Line<'f>, ReadError> {
    let wrong = |problem: String, remedy: &'static str| {
        Err(ReadError::at_line(path, number, problem, remedy))
    };
    if split_fields(line, layout.delimiter, fields).is_err() {
        return wrong(
            "a quote is not closed, or stands inside a field".to_owned(),
            "close it on the same line, and double quotes inside quotes",
        );
    }
    // An empty last field was dropped with the delimiter before it.
    if fields.len() > layout.columns || fields.len() < layout.least_columns() {
        let (found, expected) = (fields.len(), layout.columns);
        return wrong(
            format!("{found} columns where the first line has {expected}"),
            "give every line the same columns, separated alike",
        );
    }
    let fields = &*fields;
    let (source, target) = (&*fields[layout.source], &*fields[layout.target]);
    for id in [source, target] {
        if id.is_empty() {
            return wrong(
                "a node id is empty".to_owned(),
                "name both nodes of the edge",
            );
        }
        if id.starts_with('-') && is_whole_number(id) {
            return wrong(
                format!("node id {} is negative", quote(id.as_bytes())),
                "number nodes from 0, or use names that are not numbers",
            );
        }
    }
    let weight = match layout.weight {
        None => None,
        Some(column) => {
            let field = fields.get(column).map_or("", |field| field);
            match parse_f32(field) {
                Some(weight) if weight >= 0.0 && weight.is_finite() => Some(weight),
                Some(_) => {
                    return wrong(
                        format!(
                            "weight {} is negative or not finite",
                            quote(field.as_bytes())
                        ),
                        "give finite weights of at least 0, or drop the column",
                    );
                }
                None => {
                    return wrong(
                        format!("weight {} is not a number", quote(field.as_bytes())),
                        "give a number on every line, or drop the column",
                    );
                }
            }
        }
    };
    Ok(Line {
        source,
        target,
        weight,
    })
}

#[cfg(test)]
mod tests;
