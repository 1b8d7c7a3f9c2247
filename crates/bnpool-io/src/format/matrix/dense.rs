//! Dense adjacency matrices as text: a line a row, with the names of the nodes
//! in a first line, in a first column, in both or in neither.
//!
//! Such a file is named like an edge list, so it is told from one by its
//! content: the names of its rows are those of its columns, or there are numbers only,
//! as many lines as columns. An empty cell is no edge.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

use crate::bytes::error::{ReadError, quote};
use crate::format::build::edge_table::{EdgeTable, NodeIds};
use crate::format::edge_list::names_columns;
use crate::format::nodes::tables::Content;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::table::{Format, Holds, Read, Traits};
use crate::format::text::sample::{Fields, Sample, bad_quote, delimiter};
use crate::format::text::{DataLines, Delimiter, NumberStyle, TextBlocks, parse_f32, split_cells};
use crate::remedy::{Change, Remedy};
use bnpool_graph::GraphError;

pub(crate) const FORMAT: Traits = Traits {
    holds: Holds {
        header: true,
        ..Holds::WEIGHTS
    },
    ..Traits::of(
        "matrix",
        "matrix as text",
        Read::One(|intake, options, report| {
            let mut blocks = intake.into_blocks().in_encoding(options.encoding);
            let shape = expect(&mut blocks, options)?;
            read_shaped(blocks, shape, options, report)
        }),
    )
};

/// Reads a matrix of a known shape.
pub(crate) fn read_shaped(
    mut blocks: TextBlocks<'_>,
    shape: Shape,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<Content, ReadError> {
    let path = blocks.path().to_owned();
    let table = read(&mut blocks, shape, options)?;
    if let Some(encoding) = blocks.other_encoding() {
        report.notes.push(Note::Encoding(encoding));
    }
    let graph = table.into_graph(&path, options, &mut report.notes)?;
    Ok(Content::Graph(graph))
}

/// Smaller matrices must look the part: five lines of five numbers may also be
/// edges with a few further columns.
const SMALL: usize = 64;

/// Fewer rows without names are no matrix, unless it is symmetric or holds only
/// zeros and ones.
const FEW: usize = 5;

/// The layout of a matrix in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    delimiter: Delimiter,
    /// Whether the first line holds the names.
    header: bool,
    /// Whether the first column holds the names.
    index: bool,
    /// Rows and columns.
    nodes: usize,
    /// The way in which the cells are written.
    style: NumberStyle,
}

/// The shape of the matrix in a file, if it is one without doubt.
pub(crate) fn recognise(
    blocks: &mut TextBlocks<'_>,
    options: &ReadOptions,
) -> Result<Option<Shape>, ReadError> {
    let path = blocks.path().to_owned();
    let asked = options.source.is_some() || options.target.is_some();
    if asked || options.weight_name().is_some() {
        return Ok(None);
    }
    let Ok(Some(sample)) = Sample::of(&path, blocks.first(2)?) else {
        return Ok(None);
    };
    let columns = sample
        .lines
        .iter()
        .map(|(_, row)| row.len())
        .max()
        .unwrap_or(0);
    if columns < 3 {
        return Ok(None);
    }
    // An edge list has more lines than that; a matrix has not.
    let lines: Vec<_> = blocks.first(columns + 2)?.take(columns + 2).collect();
    if lines.len() > columns + 1 || lines.len() + 1 < columns {
        return Ok(None);
    }
    let delimiter = delimiter(&lines);
    let mut rows = Vec::with_capacity(lines.len().min(SMALL + 1));
    for (_, line) in lines.iter().take(SMALL + 1) {
        let mut fields = Fields::new();
        if split_cells(line, delimiter, columns, &mut fields).is_err() {
            return Ok(None);
        }
        rows.push(fields);
    }
    Ok(find_shape(delimiter, &rows, lines.len(), options))
}

/// The way in which the cells are written, if all are numbers.
fn style_of(rows: &[Fields], from: usize, delimiter: Delimiter) -> Option<NumberStyle> {
    let cells = rows.iter().flat_map(|row| row.get(from..).unwrap_or(&[]));
    let cells = cells.map(Cow::as_ref).filter(|cell| !cell.is_empty());
    cells.clone().next()?;
    NumberStyle::of(cells, delimiter)
}

/// Tries the four ways to write a matrix, the surest first.
fn find_shape(
    delimiter: Delimiter,
    rows: &[Fields],
    lines: usize,
    options: &ReadOptions,
) -> Option<Shape> {
    let (first, second) = (rows.first()?, rows.get(1)?);
    let width = second.len();
    let shape = |header, index, nodes, style| Shape {
        delimiter,
        header,
        index,
        nodes,
        style,
    };
    let allows = |header| options.header.is_none_or(|asked| asked == header);
    let regular = |rows: &[Fields], width| rows.iter().all(|row| row.len() == width);
    let is_number = |field: &str| parse_f32(field).is_some();
    // Names in the first line and, the same, in the first column. Another order is an
    // error of the reader.
    let names = if first.len() + 1 == width {
        &first[..]
    } else {
        first.get(1..).unwrap_or(&[])
    };
    let body = &rows[1..];
    // The first row of a symmetric matrix is its first column too.
    let cornered =
        first.len() + 1 == width || first.first().is_some_and(|corner| !is_number(corner));
    let distinct = || names.iter().collect::<HashSet<_>>().len() == names.len();
    if allows(true)
        && cornered
        && names.len() > 1
        && width == lines
        && names.len() + 1 == width
        && regular(body, width)
        && body.iter().all(|row| names.contains(&row[0]))
        && distinct()
    {
        // A cell that is no number is an error of its line.
        let style = style_of(body, 1, delimiter).unwrap_or_default();
        return Some(shape(true, true, lines - 1, style));
    }
    let plausible = |rows: &[Fields], from: usize, nodes: usize| {
        let style = style_of(rows, from, delimiter)?;
        (nodes > 3 && is_plausible(rows, from, nodes, style)).then_some(style)
    };
    // Names in the first line.
    let counted = |base: usize| {
        let mut names = first.iter().enumerate();
        names.all(|(column, name)| **name == (column + base).to_string())
    };
    let named = first.iter().any(|name| !is_number(name)) || counted(0) || counted(1);
    if allows(true)
        && named
        && width + 1 == lines
        && first.len() == width
        && regular(body, width)
        && let Some(style) = plausible(body, 0, width)
        && (!names_columns(first) || width > FEW && is_symmetric(body, 0, style))
    {
        return Some(shape(true, false, width, style));
    }
    if !allows(false) || !regular(rows, width) {
        return None;
    }
    // Names in the first column.
    let text = |row: &Fields| row.first().is_some_and(|name| !is_number(name));
    if width == lines + 1
        && rows.iter().all(text)
        && let Some(style) = plausible(rows, 1, lines)
    {
        return Some(shape(false, true, lines, style));
    }
    // No names.
    let style = plausible(rows, 0, lines).filter(|_| width == lines)?;
    Some(shape(false, false, lines, style))
}

/// Whether rows look like an adjacency: symmetric, or many of them, or enough with
/// zeros, or nothing but zeros and ones. Only symmetric rows may have negative cells,
/// as correlations do.
fn is_plausible(rows: &[Fields], from: usize, nodes: usize, style: NumberStyle) -> bool {
    let all = |is: &dyn Fn(f64) -> bool| {
        let cells = rows.iter().flat_map(|row| &row[from..]);
        let mut numbers = cells.filter_map(|cell| style.parse(cell));
        numbers.all(is)
    };
    let square = || rows.len() == nodes && is_symmetric(rows, from, style);
    let enough = || nodes >= SMALL || rows.len() > FEW && has_zeros(rows, from, style);
    square()
        || all(&|number| number >= 0.0)
            && (all(&|number| number == 0.0 || number == 1.0) || enough())
}

fn is_symmetric(rows: &[Fields], from: usize, style: NumberStyle) -> bool {
    let cell = |row: usize, column: usize| {
        let field = rows.get(row).and_then(|fields| fields.get(from + column));
        field.and_then(|field| style.parse(field))
    };
    (0..rows.len()).all(|row| (0..row).all(|column| cell(row, column) == cell(column, row)))
}

/// An adjacency has zeros; columns of ids, weights and times hardly do.
fn has_zeros(rows: &[Fields], from: usize, style: NumberStyle) -> bool {
    let zero = |row: &Fields| {
        row[from..]
            .iter()
            .any(|field| field.is_empty() || style.parse(field) == Some(0.0))
    };
    rows.iter().all(zero)
}

/// The shape of a file that is a matrix by the options.
fn expect(blocks: &mut TextBlocks<'_>, options: &ReadOptions) -> Result<Shape, ReadError> {
    if let Some(shape) = recognise(blocks, options)? {
        return Ok(shape);
    }
    let path = blocks.path().to_owned();
    let Some(sample) = Sample::of(&path, blocks.first(2)?)? else {
        return Err(ReadError::in_file(
            path,
            "there is no matrix in the file",
            "give a line of numbers a node",
        ));
    };
    let first = sample.first();
    let text = |field: &str| parse_f32(field).is_none();
    let header = options
        .header
        .unwrap_or_else(|| first.iter().skip(1).any(|name| text(name)));
    let row = sample.rest().next().filter(|_| header).unwrap_or(first);
    let index = row.len() > 1
        && (text(&row[0])
            || header
                && (first.len() + 1 == row.len()
                    || first.first().is_some_and(|corner| corner.is_empty())));
    let body: Vec<Fields> = sample.rest().take(SMALL).cloned().collect();
    let body = if body.is_empty() {
        vec![first.clone()]
    } else {
        body
    };
    Ok(Shape {
        delimiter: sample.delimiter,
        header,
        index,
        nodes: row.len() - usize::from(index),
        style: style_of(&body, usize::from(index), sample.delimiter).unwrap_or_default(),
    })
}

/// Reads the entries of a matrix that are not zero as edges.
fn read(
    blocks: &mut TextBlocks<'_>,
    shape: Shape,
    options: &ReadOptions,
) -> Result<EdgeTable, ReadError> {
    let path = blocks.path().to_owned();
    GraphError::check_limit("nodes", shape.nodes)
        .map_err(|error| ReadError::graph(&path, error))?;
    let mut rows = Rows {
        path: &path,
        shape,
        header: None,
        index: Vec::new(),
        rows: 0,
        edges: Vec::new(),
        weights: Vec::new(),
    };
    rows.block(blocks.first(2)?)?;
    while let Some(lines) = blocks.next()? {
        rows.block(lines)?;
    }
    rows.finish(options)
}

/// The content that was read so far.
struct Rows<'p> {
    path: &'p Path,
    shape: Shape,
    header: Option<Vec<String>>,
    index: Vec<String>,
    rows: usize,
    edges: Vec<(u32, u32)>,
    weights: Vec<f32>,
}

const EDGE_LIST: &[Change] = &[Change::ReadAs(Format::EdgeList)];

impl Rows<'_> {
    fn block(&mut self, lines: DataLines<'_>) -> Result<(), ReadError> {
        let mut fields = Fields::new();
        for (number, line) in lines {
            let columns = self.shape.nodes + usize::from(self.shape.index);
            split_cells(line, self.shape.delimiter, columns, &mut fields)
                .map_err(|_| bad_quote(self.path, number))?;
            if self.shape.header && self.header.is_none() {
                let corner = fields.len() > self.shape.nodes;
                let names = fields.iter().skip(usize::from(corner));
                self.header = Some(names.map(ToString::to_string).collect());
                continue;
            }
            self.row(number, &fields)?;
        }
        Ok(())
    }

    fn row(&mut self, number: usize, fields: &Fields) -> Result<(), ReadError> {
        let Shape { index, nodes, .. } = self.shape;
        let wrong = |problem: String, words: &'static str| {
            let remedy = Remedy::new(words, EDGE_LIST);
            Err(ReadError::at_line(self.path, number, problem, remedy))
        };
        let cells = fields.get(usize::from(index)..).unwrap_or(&[]);
        if cells.len() != nodes || self.rows == nodes {
            let problem = if cells.len() == nodes {
                format!("there are more rows than the {nodes} columns of the matrix")
            } else {
                format!(
                    "{} cells in a row of a matrix of {nodes} columns",
                    cells.len()
                )
            };
            return wrong(problem, "give a matrix as many rows as columns");
        }
        for (column, cell) in (0_u32..).zip(cells) {
            let weight = match &**cell {
                "" => Ok(0.0),
                cell => self.shape.style.weight(cell),
            };
            match weight {
                Ok(0.0) => {}
                Ok(weight) => {
                    self.edges.push((self.rows as u32, column));
                    self.weights.push(weight);
                }
                Err(problem) => {
                    let problem = format!(
                        "the cell {}{} {problem}",
                        quote(cell.as_bytes()),
                        self.place(index.then(|| &*fields[0]), column as usize),
                    );
                    return wrong(
                        problem,
                        "give numbers of at least 0, and 0 or nothing for no edge",
                    );
                }
            }
        }
        if index {
            self.index.push(fields[0].to_string());
        }
        self.rows += 1;
        Ok(())
    }

    /// The row and the column of a cell, by their names.
    fn place(&self, row: Option<&str>, column: usize) -> String {
        let column = self.header.as_ref().and_then(|names| names.get(column));
        match (row, column) {
            (Some(row), Some(column)) => format!(
                " of {} and {}",
                quote(row.as_bytes()),
                quote(column.as_bytes())
            ),
            (Some(name), None) => format!(" of {}", quote(name.as_bytes())),
            (None, Some(name)) => format!(" of {}", quote(name.as_bytes())),
            (None, None) => String::new(),
        }
    }

    fn finish(self, options: &ReadOptions) -> Result<EdgeTable, ReadError> {
        let wrong = |problem: String, words: &'static str| {
            Err(ReadError::in_file(
                self.path,
                problem,
                Remedy::new(words, EDGE_LIST),
            ))
        };
        let nodes = self.shape.nodes;
        if self.rows != nodes {
            let problem = format!("the matrix has {} rows and {nodes} columns", self.rows);
            return wrong(problem, "give a matrix as many rows as columns");
        }
        let names = match (self.header, self.shape.index) {
            (Some(header), true) if header != self.index => {
                return wrong(
                    "the rows of the matrix are not named as its columns".to_owned(),
                    "name both alike, in the same order",
                );
            }
            (Some(header), _) => Some(header),
            (None, true) => Some(self.index),
            (None, false) => None,
        };
        let mut seen = HashSet::new();
        for name in names.iter().flatten() {
            if seen.insert(name.as_str()) {
                continue;
            }
            let problem = format!("two nodes are called {}", quote(name.as_bytes()));
            return wrong(problem, "give every node a name of its own");
        }
        let counted = |names: &[String]| {
            let mut names = names.iter().enumerate();
            names.all(|(node, name)| *name == node.to_string())
        };
        let ids = match names {
            Some(names) if names.len() == nodes && !counted(&names) => NodeIds::Names(names),
            _ => NodeIds::Range(nodes),
        };
        let weighted = options.reads_weights() && self.weights.iter().any(|&weight| weight != 1.0);
        Ok(EdgeTable {
            ids,
            edges: self.edges,
            weights: weighted.then_some(self.weights),
        })
    }
}
