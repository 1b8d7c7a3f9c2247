//! Which column of an edge list is what.

use std::borrow::Cow;
use std::path::Path;

use crate::format::error::ReadError;
use crate::format::options::ReadOptions;
use crate::format::report::Note;
use crate::format::text::{DataLines, Delimiter, is_whole_number, parse_f32, split_fields};

const SOURCE_NAMES: [&str; 16] = [
    "source",
    "src",
    "from",
    "u",
    "node1",
    "node_1",
    "node_a",
    "start",
    "id1",
    "id_1",
    "fromnodeid",
    "i",
    "row",
    "citing",
    "source_id",
    "node_from",
];
const TARGET_NAMES: [&str; 18] = [
    "target",
    "dst",
    "dest",
    "destination",
    "to",
    "v",
    "node2",
    "node_2",
    "node_b",
    "end",
    "id2",
    "id_2",
    "tonodeid",
    "j",
    "col",
    "column",
    "cited",
    "target_id",
];
const WEIGHT_NAMES: [&str; 7] = [
    "weight", "weights", "w", "value", "strength", "count", "capacity",
];

/// What the columns of an edge list are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) delimiter: Delimiter,
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// Columns of every line.
    pub(super) columns: usize,
}

impl Layout {
    /// Columns a line needs at least: those after the last that is used may be
    /// empty.
    pub(super) fn least_columns(&self) -> usize {
        let used = self.source.max(self.target).max(self.weight.unwrap_or(0));
        used + 1
    }

    /// Whether the lines are `source target [weight] …` in this order.
    pub(super) fn is_plain(&self) -> bool {
        (self.source, self.target) == (0, 1) && matches!(self.weight, None | Some(2))
    }
}

type Fields<'a> = Vec<Cow<'a, str>>;

/// Finds out the columns from the first two of these lines, and returns them
/// with the lines that hold edges; `None` where no line does.
pub(super) fn sniff<'a>(
    path: &Path,
    mut lines: DataLines<'a>,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Option<(Layout, DataLines<'a>)>, ReadError> {
    let start = lines.clone();
    let Some((number, first)) = lines.next() else {
        return Ok(None);
    };
    let delimiter = Delimiter::sniff(first);
    let (mut names, mut data) = (Fields::new(), Fields::new());
    let cut = |(number, line), fields: &mut Fields<'a>| {
        split_fields(line, delimiter, fields).map_err(|_| {
            ReadError::at_line(
                path,
                number,
                "a quote is not closed, or stands inside a field",
                "close it on the same line, and double quotes inside quotes",
            )
        })
    };
    cut((number, first), &mut names)?;
    if names.len() < 2 {
        return Err(ReadError::at_line(
            path,
            number,
            "there is only one column",
            "give two node ids a line, separated by a comma, semicolon, tabulator or blanks",
        ));
    }
    let second = lines.clone().next();
    if let Some(second) = second {
        cut(second, &mut data)?;
    }
    notes.push(Note::Delimiter(delimiter));
    let header = options.header.unwrap_or_else(|| is_header(&names, &data));
    if !header {
        let layout = without_header(delimiter, &names, options, notes);
        return Ok(Some((layout, start)));
    }
    if second.is_none() {
        return Ok(None);
    }
    notes.push(Note::Header);
    let layout = with_header(delimiter, &names, options, notes);
    Ok(Some((layout, lines)))
}

fn find(fields: &Fields, names: &[&str]) -> Option<usize> {
    let known = |field: &Cow<str>| names.iter().any(|name| name.eq_ignore_ascii_case(field));
    fields.iter().position(known)
}

fn is_header(first: &Fields, second: &Fields) -> bool {
    if find(first, &SOURCE_NAMES).is_some() && find(first, &TARGET_NAMES).is_some() {
        return true;
    }
    if second.len() < 2 {
        return false;
    }
    let numbers = |fields: &Fields| fields.iter().take(2).filter(|f| is_whole_number(f)).count();
    let weight = |fields: &Fields| fields.get(2).map(|field| parse_f32(field).is_some());
    (numbers(first), numbers(second)) == (0, 2)
        || (weight(first), weight(second)) == (Some(false), Some(true))
}

fn without_header(
    delimiter: Delimiter,
    first: &Fields,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Layout {
    let numeric = first.get(2).is_some_and(|field| parse_f32(field).is_some());
    let weight = (numeric && !options.ignore_weights).then_some(2);
    if weight.is_some() {
        notes.push(Note::Weights(None));
    }
    let unused = weight.map_or(2, |column| column + 1)..first.len();
    if !unused.is_empty() {
        notes.push(Note::IgnoredColumns(
            unused.map(|column| (column + 1).to_string()).collect(),
        ));
    }
    Layout {
        delimiter,
        source: 0,
        target: 1,
        weight,
        columns: first.len(),
    }
}

fn with_header(
    delimiter: Delimiter,
    names: &Fields,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Layout {
    let (source, target) = match (find(names, &SOURCE_NAMES), find(names, &TARGET_NAMES)) {
        (Some(source), Some(target)) => (source, target),
        _ => (0, 1),
    };
    let free = |&column: &usize| column != source && column != target;
    let weight = find(names, &WEIGHT_NAMES)
        .filter(free)
        .filter(|_| !options.ignore_weights);
    if let Some(column) = weight {
        notes.push(Note::Weights(Some(names[column].to_string())));
    }
    let columns = names.len();
    let unused: Vec<_> = (0..names.len())
        .filter(free)
        .filter(|&column| Some(column) != weight)
        .map(|column| names[column].to_string())
        .collect();
    if !unused.is_empty() {
        notes.push(Note::IgnoredColumns(unused));
    }
    Layout {
        delimiter,
        source,
        target,
        weight,
        columns,
    }
}
