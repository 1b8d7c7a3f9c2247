//! Edge lists: text with an edge a line.
//!
//! Fields are separated by commas, semicolons, tabs or spaces; lines that
//! start with `#` or `%` and blank lines are passed over. A first line of column
//! names is recognised because it has words where all other lines have numbers,
//! or by the words themselves (`source`, `target`, `von`, `nach`, `person_a`,
//! …) if no other line has them. The first two columns are the edge unless the
//! header names others or the first only counts the lines; a column of numbers
//! behind them holds weights, unless they look like times or a header calls them
//! something else. All of it can be said in the options, and what was found out
//! is in the report.
//!
//! Node ids are any text. Where all of them are whole numbers, nodes stand in
//! the rising order of the numbers, so that 0..n-1 keep their own; otherwise
//! they stand in the order of their bytes. So the order of the lines does not
//! matter. Blanks around an id are cut unless they stand in quotes. Repeated
//! edges are merged, their weights added up. Self-loops are kept unless the
//! options say otherwise.

mod header;
mod integers;
mod interner;
mod layout;
mod names;
mod ranks;
mod values;
mod words;
mod write;

use std::borrow::Cow;
use std::path::Path;

use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::text::{DataLines, TextBlocks, is_whole_number, parse_f32, split_fields};
use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::matrix::dense;
use crate::format::nodes::tables::Content;
use crate::format::report::understood::Header;
use crate::format::table::{Format, Holds, Read, Traits, Writer};
use crate::format::text::sample::bad_quote;
use crate::remedy::{Change, Remedy};
use interner::Interner;
use layout::Layout;

pub(crate) use header::names_columns;
pub use write::{write_edge_list, write_edges};

pub(crate) const FORMAT: Traits = Traits {
    endings: &["csv", "tsv", "txt", "edges", "edgelist", "el", "ssv"],
    holds: Holds {
        named_weights: true,
        columns: true,
        header: true,
        ..Holds::WEIGHTS
    },
    write: Some(Writer::One(write_edge_list)),
    ..Traits::of("edge-list", "edge list", Read::One(read))
};

/// Reads an edge list. A file whose format is left open may turn out to be a matrix.
fn read(
    intake: Intake,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let mut blocks = intake.into_blocks();
    if options.format.is_none()
        && let Some(shape) = dense::recognise(&mut blocks, options)?
    {
        report.format = Some(Format::Matrix);
        report.notes.push(Note::TakenForMatrix);
        return dense::read_shaped(blocks, shape, options, report);
    }
    read_edges(blocks, options, report).map(Content::Edges)
}

/// Reads the edges of a file; a file without any gives a table without nodes,
/// to which features may bring some.
fn read_edges(
    mut blocks: TextBlocks<'_>,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<EdgeTable, ReadError> {
    let path = blocks.path().to_owned();
    // A header and a line of data determine the columns.
    let Some(sniffed) = layout::sniff(&path, blocks.first(2)?, options)? else {
        return Ok(EdgeTable::default());
    };
    let (mut columns, doubtful) = (sniffed.columns, sniffed.doubtful);
    let mut parser = Parser::new(&path, sniffed.layout);
    parser.block(sniffed.lines)?;
    parser.edges.reserve(&blocks);
    while let Some(lines) = blocks.next()? {
        parser.block(lines)?;
        parser.edges.reserve(&blocks);
    }
    if let Some(ends) = doubtful
        && let Some(node) = parser.take_for_edge(&ends)
    {
        report.notes.push(Note::NoHeader { node });
        columns.header = Header::None;
        (columns.source, columns.target) = parser.layout.numbers();
    }
    let table = parser.finish();
    columns.blanks_cut &= matches!(table.ids, NodeIds::Names(_));
    match table.ids {
        NodeIds::Range(_) => {}
        NodeIds::Numbers(_) => report.notes.push(Note::NumberedNodes { rising: true }),
        NodeIds::Names(_) => report.notes.push(Note::NumberedNodes { rising: false }),
    }
    report.columns = Some(columns);
    Ok(table)
}

/// The content that was read so far.
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

    /// Takes a first line for an edge after all if one of its names is that of
    /// a node; returns the node.
    fn take_for_edge(&mut self, ends: &[String; 2]) -> Option<String> {
        let interner = self.names.as_mut()?;
        let node = ends.iter().find(|name| interner.contains(name))?;
        let names = [0, 1].map(|end| Cow::Borrowed(ends[end].as_str()));
        let mut numbers = Vec::with_capacity(2);
        interner.number(&names, |number| numbers.push(number));
        if let [source, target] = numbers[..] {
            self.edges.list.push((source, target));
        }
        Some(node.clone())
    }

    fn finish(self) -> EdgeTable {
        let mut edges = self.edges.list;
        let ids = match self.names {
            None => ranks::number_nodes(&mut edges),
            Some(interner) => interner.into_ids(&mut edges),
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

/// Reads any good line; the error of any other names its problem.
fn parse_line<'f, 't: 'f>(
    path: &Path,
    (number, line): (usize, &'t str),
    layout: &Layout,
    fields: &'f mut Vec<Cow<'t, str>>,
) -> Result<Line<'f>, ReadError> {
    let wrong =
        |problem: String, remedy: Remedy| Err(ReadError::at_line(path, number, problem, remedy));
    if split_fields(line, layout.delimiter, fields).is_err() {
        return Err(bad_quote(path, number));
    }
    // An empty last field was dropped with the delimiter before it.
    if fields.len() > layout.columns || fields.len() < layout.least_columns() {
        let (found, expected) = (fields.len(), layout.columns);
        return wrong(
            format!("{found} columns where the first line has {expected}"),
            (
                "give every line the same columns, separated alike",
                Change::ReadAs(Format::AdjacencyList),
            )
                .into(),
        );
    }
    let fields = &*fields;
    let (source, target) = (&*fields[layout.source], &*fields[layout.target]);
    for id in [source, target] {
        if id.is_empty() {
            return wrong(
                "a node id is empty".to_owned(),
                "name both nodes of the edge".into(),
            );
        }
        if id.starts_with('-') && is_whole_number(id) {
            return wrong(
                format!("node id {} is negative", quote(id.as_bytes())),
                "number nodes from 0, or use names that are not numbers".into(),
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
                        ("give finite weights of at least 0", Change::NoWeights).into(),
                    );
                }
                None => {
                    return wrong(
                        format!("weight {} is not a number", quote(field.as_bytes())),
                        ("give a number on every line", Change::NoWeights).into(),
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
