//! Edge lists: text with an edge a line.
//!
//! Fields are separated by commas, semicolons, tabs, pipes or spaces; lines that
//! start with `#` or `%` and blank lines are passed over. A first line of column
//! names is recognised because it has words where all other lines have numbers or
//! dates, or by the words themselves (`source`, `target`, `von`, `nach`, `person_a`,
//! …) if no other line has them. The edge is the pair of columns whose values
//! overlap; names and places break ties ([`ends`]). A column of numbers
//! behind them holds weights, unless they look like times or a header calls them
//! something else. All of it can be said in the options, and what was found out
//! is in the report.
//!
//! Node ids are any text. Where all of them are whole numbers, nodes stand in
//! the rising order of the numbers, so that 0..n-1 keep their own; otherwise
//! they stand in the order of their bytes. So the order of the lines does not
//! matter. Blanks around an id are cut unless they stand in quotes. Repeated
//! edges are merged, their weights added up or the lines counted. Self-loops are kept unless the
//! options say otherwise.

mod dictionary;
mod ends;
mod header;
mod integers;
mod interner;
mod layout;
mod names;
mod ranks;
mod sides;
mod values;
mod words;
mod write;

use std::borrow::Cow;
use std::path::Path;

use super::options::ReadOptions;
use super::report::{Note, ReadReport};
use super::text::{self, DataLines, Delimiter, TextBlocks, is_whole_number, split_fields};
use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::Intake;
use crate::format::build::edge_table::{EdgeTable, Names as NodeNames, NodeIds};
use crate::format::matrix::dense;
use crate::format::nodes::tables::Content;
use crate::format::report::understood::{Columns, EXAMPLES, Example, Header, Kinds, Sides};
use crate::format::table::{Format, Holds, Read, Traits, Writer};
use crate::format::text::sample::{Fields, LINES, bad_quote};
use crate::remedy::{Change, Remedy};
use interner::Interner;
use layout::{Chosen, Layout, Names};

pub(crate) use header::names_columns;
pub(crate) use words::side;
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
    let mut blocks = intake.into_blocks().in_encoding(options.encoding);
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
    report.examples = examples(&path, &sniffed.layout, sniffed.lines.clone());
    report
        .notes
        .extend(hidden_lines(&sniffed.layout, &sniffed.lines));
    let mut parser = Parser::new(&path, sniffed.layout, options);
    parser.block(sniffed.lines)?;
    parser.edges.reserve(&blocks);
    while let Some(lines) = blocks.next()? {
        parser.block(lines)?;
        parser.edges.reserve(&blocks);
    }
    if let Some(encoding) = blocks.other_encoding() {
        report.notes.push(Note::Encoding(encoding));
    }
    if let Some(ends) = doubtful
        && let Some(node) = parser.take_for_edge(&ends)
    {
        report.notes.push(Note::NoHeader { node });
        columns.header = Header::None;
        columns.sides = None;
        (columns.source, columns.target) = parser.layout.numbers();
    }
    if let Some((count, first)) = parser.skipped.take() {
        report.notes.push(Note::LinesSkipped { count, first });
    }
    let lone = std::mem::take(&mut parser.edges.lone);
    Ok(settle(parser.finish(), lone, columns, options, report))
}

/// Keeps two kinds of nodes apart, adds nodes that stand alone, and reports.
fn settle(
    mut table: EdgeTable,
    lone: Vec<String>,
    mut columns: Columns,
    options: &ReadOptions,
    report: &mut ReadReport,
) -> EdgeTable {
    if columns.sides.is_none() && options.bipartite.is_none() {
        columns.sides = sides::find(&table, &columns);
    }
    columns.blanks_cut &= matches!(table.ids, NodeIds::Names(_));
    report.notes.extend(missing_values(&table.ids));
    let is_apart = |sides: &mut Sides| {
        sides.renamed = sides.reason != Kinds::Strangers && sides::keep_apart(&mut table, sides);
        sides.renamed
    };
    let apart = columns.sides.as_mut().is_some_and(is_apart);
    let sides = columns.sides.as_ref().filter(|_| apart);
    let side = |side: fn(&Sides) -> &str, id: &str| match sides {
        Some(sides) => format!("{} {id}", side(sides)),
        None => id.to_owned(),
    };
    for example in &mut report.examples {
        example.source = side(|sides| &sides.source, &example.source);
        example.target = side(|sides| &sides.target, &example.target);
    }
    match table.ids {
        NodeIds::Range(_) => {}
        NodeIds::Names(_) if apart => {}
        NodeIds::Numbers(_) => report.notes.push(Note::NumberedNodes { rising: true }),
        NodeIds::Names(_) => report.notes.push(Note::NumberedNodes { rising: false }),
    }
    if !lone.is_empty() {
        let lone: Vec<String> = lone
            .iter()
            .map(|id| side(|sides| &sides.source, id))
            .collect();
        table.extend_with_names(&lone, &mut report.notes);
    }
    report.columns = Some(columns);
    table
}

/// Reads the edges of a table that is in memory, with the names of its columns if it
/// has some.
pub(crate) fn read_table(
    path: &Path,
    names: Option<Vec<String>>,
    rows: &[Fields<'_>],
    options: &ReadOptions,
    report: &mut ReadReport,
) -> Result<EdgeTable, ReadError> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let header = if names.is_some() {
        Header::Found
    } else {
        Header::None
    };
    let names = Names { count, names };
    let first: Vec<&Fields> = rows.iter().take(LINES).collect();
    let delimiter = Delimiter::Semicolon;
    let chosen = Chosen::of(path, &names, &first, delimiter, &options.weights, options)?;
    let layout = chosen.layout(delimiter, count);
    let mut list = Vec::with_capacity(rows.len());
    let mut weights = layout.is_weighted().then(Vec::new);
    let mut nodes = NodeNames::default();
    let mut skipped = None;
    for (number, fields) in (1..).zip(rows) {
        match edge_of(path, number, fields, "", &layout) {
            Ok(weight) => {
                let place = |column: usize, nodes: &mut NodeNames| {
                    let place = nodes.place(&fields[column]);
                    place.map_err(|error| ReadError::graph(path, error))
                };
                list.push((
                    place(layout.source, &mut nodes)?,
                    place(layout.target, &mut nodes)?,
                ));
                if let (Some(weights), Some(weight)) = (&mut weights, weight) {
                    weights.push(weight);
                }
                if report.examples.len() < EXAMPLES {
                    report.examples.push(Example {
                        source: fields[layout.source].to_string(),
                        target: fields[layout.target].to_string(),
                        weight,
                    });
                }
            }
            // The table has edges, and no lines.
            Err(ReadError::Malformed {
                problem, remedy, ..
            }) if !options.skip_bad => {
                let problem = format!("edge {number}: {problem}");
                return Err(ReadError::in_file(path, problem, *remedy));
            }
            Err(error) => skip(error, options.skip_bad, &mut skipped)?,
        }
    }
    if let Some((count, first)) = skipped {
        report.notes.push(Note::LinesSkipped { count, first });
    }
    let ids = NodeIds::of_names(nodes.list, &mut list);
    let table = EdgeTable {
        ids,
        edges: list,
        weights,
    };
    Ok(settle(
        table,
        Vec::new(),
        chosen.describe(&names, header),
        options,
        report,
    ))
}

/// A remark on lines that are comments but look like edges, such as those of hashtags.
fn hidden_lines(layout: &Layout, lines: &DataLines<'_>) -> Option<Note> {
    let delimiters = |line: &str| {
        line.bytes()
            .filter(|&byte| layout.delimiter.matches(byte))
            .count()
    };
    let looks_like_edge = |line: &&str| {
        let name = line.strip_prefix(['#', '%']).unwrap_or_default();
        name.starts_with(char::is_alphanumeric)
            && layout.delimiter != Delimiter::Blank
            && delimiters(line) + 1 == layout.columns
    };
    // A header may be behind such a mark, but not below the data.
    let data = lines.text().get(lines.place()..)?;
    let line = text::lines(data).skip(1).find(looks_like_edge)?;
    Some(Note::Remark(format!(
        "lines that start with # or % are comments, such as {}; put names that do in quotes",
        quote(line.as_bytes())
    )))
}

/// A remark on a node whose name stands for missing values in many files.
fn missing_values(ids: &NodeIds) -> Option<Note> {
    const MARKS: [&str; 9] = [
        "NULL", "null", "NaN", "nan", "None", "N/A", "#N/A", "\\N", "-",
    ];
    let NodeIds::Names(names) = ids else {
        return None;
    };
    let name = names.iter().find(|name| MARKS.contains(&name.as_str()))?;
    Some(Note::Remark(format!(
        "{} is read as the name of a node; if it stands for a missing value, leave it empty",
        quote(name.as_bytes())
    )))
}

/// The first edges, as they were understood.
fn examples(path: &Path, layout: &Layout, lines: DataLines<'_>) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut fields = Vec::new();
    // Lines that repeat an edge show nothing new.
    for line in lines.take(100) {
        if let Ok(Line::Edge(weight)) = parse_line(path, line, layout, &mut fields) {
            let [source, target] = [layout.source, layout.target].map(|c| fields[c].to_string());
            if examples
                .iter()
                .all(|example| (&example.source, &example.target) != (&source, &target))
            {
                examples.push(Example {
                    source,
                    target,
                    weight,
                });
            }
        }
        if examples.len() == EXAMPLES {
            break;
        }
    }
    examples
}

/// The content that was read so far.
struct Edges {
    /// Pairs of ids while all of them are numbers, then of node numbers.
    list: Vec<(u32, u32)>,
    weights: Option<Vec<f32>>,
    /// Nodes that stand alone on their lines.
    lone: Vec<String>,
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

/// Lines that were left out, and the problem of the first of them.
type Skipped = Option<(usize, String)>;

struct Parser<'p> {
    path: &'p Path,
    layout: Layout,
    edges: Edges,
    /// The names of the nodes, once an id was no number of 32 bits.
    names: Option<Interner>,
    skips: bool,
    skipped: Skipped,
}

impl<'p> Parser<'p> {
    fn new(path: &'p Path, layout: Layout, options: &ReadOptions) -> Self {
        let edges = Edges {
            list: Vec::new(),
            weights: layout.is_weighted().then(Vec::new),
            lone: Vec::new(),
        };
        Self {
            path,
            layout,
            edges,
            names: None,
            skips: options.skip_bad,
            skipped: None,
        }
    }

    fn block(&mut self, mut lines: DataLines<'_>) -> Result<(), ReadError> {
        let (path, layout, edges) = (self.path, &self.layout, &mut self.edges);
        let skipped = &mut self.skipped;
        let skips = self.skips;
        let mut skip = |error| skip(error, skips, skipped);
        if self.names.is_none() {
            match integers::parse_block(path, lines, layout, edges, &mut skip)? {
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
        names::parse_block(path, lines, layout, interner, edges, &mut skip)
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

/// Counts a line that cannot be read, or passes its error on.
fn skip(error: ReadError, skips: bool, skipped: &mut Skipped) -> Result<(), ReadError> {
    match error {
        ReadError::Malformed { place, problem, .. } if skips => {
            let line = place.line.unwrap_or_default();
            let (count, _) = skipped.get_or_insert_with(|| (0, format!("line {line}: {problem}")));
            *count += 1;
            Ok(())
        }
        error => Err(error),
    }
}

/// A line, cut and checked; the ids are among its fields.
enum Line {
    /// An edge and its weight; the ids are not empty and not negative.
    Edge(Option<f32>),
    /// A source without a target.
    Node,
}

/// Reads any good line; the error of any other names its problem.
fn parse_line<'t>(
    path: &Path,
    (number, line): (usize, &'t str),
    layout: &Layout,
    fields: &mut Fields<'t>,
) -> Result<Line, ReadError> {
    let (line, dictionary) = match &layout.dictionaries {
        Some(_) => dictionary::split(line).unwrap_or((line, "")),
        None => (line, ""),
    };
    if split_fields(line, layout.delimiter, fields).is_err() {
        return Err(bad_quote(path, number));
    }
    // Empty fields at the end were dropped with the delimiters before them.
    let is_lone = (layout.source + 1..=layout.target).contains(&fields.len())
        && layout.delimiter != Delimiter::Blank
        && line.ends_with(|c: char| c.is_ascii() && layout.delimiter.matches(c as u8))
        && !fields[layout.source].is_empty();
    if is_lone {
        return Ok(Line::Node);
    }
    edge_of(path, number, fields, dictionary, layout).map(Line::Edge)
}

/// Checks the fields of an edge; returns its weight if there are weights.
fn edge_of(
    path: &Path,
    number: usize,
    fields: &Fields,
    dictionary: &str,
    layout: &Layout,
) -> Result<Option<f32>, ReadError> {
    let wrong = |problem: String, words: &'static str, changes: &'static [Change]| {
        Err(ReadError::at_line(
            path,
            number,
            problem,
            Remedy::new(words, changes),
        ))
    };
    let weight_is_last = layout.weight.is_some_and(|weight| weight > layout.target);
    if weight_is_last && layout.weight == Some(fields.len()) {
        return wrong("the weight is empty".to_owned(), NUMBER, WEIGHTS);
    }
    let most = layout.columns + usize::from(layout.dictionaries.is_some());
    if fields.len() > most || fields.len() < layout.least_columns() {
        let (found, expected) = (fields.len(), layout.columns);
        let problem = format!("{found} columns where the first line has {expected}");
        return wrong(
            problem,
            "give every line the same columns, separated alike",
            COLUMNS,
        );
    }
    for id in [layout.source, layout.target].map(|column| &*fields[column]) {
        if id.is_empty() {
            let problem = "a node id is empty".to_owned();
            return wrong(problem, "name both nodes of the edge", SKIP);
        }
        if id.starts_with('-') && is_whole_number(id) {
            return wrong(
                format!("node id {} is negative", quote(id.as_bytes())),
                "number nodes from 0, or use names that are not numbers",
                SKIP,
            );
        }
    }
    let field = match (&layout.dictionaries, layout.weight) {
        // As networkx reads it, an edge without a weight has the weight 1.
        (Some(keys), _) if keys.weight.is_some() => keys.weight_of(dictionary).unwrap_or("1"),
        (_, Some(column)) => fields.get(column).map_or("", |field| field),
        _ => return Ok(None),
    };
    match layout.style.weight(field) {
        Ok(weight) => Ok(Some(weight)),
        Err(_) if field.is_empty() => wrong("the weight is empty".to_owned(), NUMBER, WEIGHTS),
        Err(problem) => {
            let problem = format!("weight {} {problem}", quote(field.as_bytes()));
            wrong(problem, NUMBER, WEIGHTS)
        }
    }
}

const NUMBER: &str = "give a finite number of at least 0 on every line";
const COLUMNS: &[Change] = &[Change::SkipBad, Change::ReadAs(Format::AdjacencyList)];
const WEIGHTS: &[Change] = &[Change::SkipBad, Change::NoWeights];
const SKIP: &[Change] = &[Change::SkipBad];

/// The columns of a frame, chosen as those of a file are: places of the sources, the
/// targets and the weights, and a description.
///
/// `names` are those of the columns, and `rows` the first rows as text.
///
/// # Errors
///
/// When a column that the options name does not exist, and when there are fewer than
/// two columns.
pub fn choose_columns(
    name: &str,
    names: &[String],
    rows: &[Vec<String>],
    options: &ReadOptions,
) -> Result<(usize, usize, Option<usize>, Columns), ReadError> {
    let path = Path::new(name);
    if names.len() < 2 {
        return Err(ReadError::in_file(
            path,
            "there is only one column",
            "give a column of sources and one of targets",
        ));
    }
    let rows: Vec<Fields> = rows
        .iter()
        .map(|row| {
            row.iter()
                .map(|cell| Cow::Borrowed(cell.as_str()))
                .collect()
        })
        .collect();
    let rows: Vec<&Fields> = rows.iter().collect();
    // Frames without names of columns number them.
    let numbered = names
        .iter()
        .enumerate()
        .all(|(place, name)| *name == place.to_string());
    let names = Names {
        count: names.len(),
        names: (!numbered).then(|| names.to_vec()),
    };
    let chosen = Chosen::of(
        path,
        &names,
        &rows,
        Delimiter::Semicolon,
        &options.weights,
        options,
    )?;
    let columns = chosen.describe(&names, Header::Found);
    Ok((chosen.source, chosen.target, chosen.weight, columns))
}

#[cfg(test)]
mod tests;
