//! Features and labels of nodes, in files beside the graph.

mod features;
mod index;
mod labels;
pub(crate) mod tables;
mod text;

pub(crate) use features::FeatureTable;
pub(crate) use labels::{LabelTable, labels_of_array, note_unlabelled};
pub(crate) use text::{TextCells, code};

use std::path::Path;

use bnpool_math::memory::bytes_of;

use super::options::ReadOptions;
use super::report::Note;
use super::text::sample::{Fields, bad_quote};
use super::text::{Delimiter, Encoding, count_line_ends, looks_like_windows, split_cells};
use crate::bytes::error::ReadError;
use crate::bytes::intake::{Intake, ZIP_MAGIC};
use crate::bytes::ledger::Record;
use crate::bytes::source::Source;
use crate::remedy::Change;

/// The first bytes of an array of numpy.
pub(crate) const ARRAY_MAGIC: &[u8] = b"\x93NUMPY";

/// The content of a file of features or labels: arrays or text. Text in another
/// encoding becomes UTF-8, which is noted.
fn open(
    path: &Path,
    options: &ReadOptions,
    record: &Record,
    notes: &mut Vec<Note>,
) -> Result<Source, ReadError> {
    let mut intake = Intake::open(path, &options.limits, record)?;
    let start = intake.peek(ARRAY_MAGIC.len())?;
    if start.starts_with(ARRAY_MAGIC) || start.starts_with(ZIP_MAGIC) {
        return intake.into_source();
    }
    let source = intake.into_text()?;
    let found = || {
        let bytes = source.bytes();
        let windows = std::str::from_utf8(bytes).is_err() && looks_like_windows(bytes);
        Encoding::of_mark(bytes).or(windows.then_some(Encoding::Windows1252))
    };
    let other = options.encoding.or_else(found);
    let Some(encoding) = other.filter(|encoding| *encoding != Encoding::Utf8) else {
        return Ok(source);
    };
    let Some(text) = encoding.decode(source.bytes()) else {
        let problem = format!("the text is not {encoding}");
        return Err(ReadError::in_file(path, problem, Change::Encoding));
    };
    notes.push(Note::Encoding(encoding));
    Source::from_bytes(
        source.path(),
        text.into_owned().into_bytes(),
        &options.limits,
    )
}

/// Refuses a table for whose rows there is no memory.
fn check_table(source: &Source, options: &ReadOptions) -> Result<(), ReadError> {
    // A row has an id or a label, a text each; a number takes four bytes, and two
    // in the file.
    const ROW: usize = 2 * size_of::<String>();
    let (bytes, rows) = (source.bytes().len(), count_line_ends(source.bytes()));
    let needed = bytes_of::<u8>(&[rows, ROW]).saturating_add(bytes_of::<u8>(&[bytes, 2]));
    let what = format!("a table of {rows} rows");
    options.limits.check_memory(source.path(), &what, needed)
}

/// Cuts a line of a table, which has as many columns as the first.
fn cut<'t>(
    path: &Path,
    (number, line): (usize, &'t str),
    delimiter: Delimiter,
    columns: usize,
    fields: &mut Fields<'t>,
) -> Result<(), ReadError> {
    split_cells(line, delimiter, columns, fields).map_err(|_| bad_quote(path, number))?;
    if fields.len() == columns {
        return Ok(());
    }
    let found = fields.len();
    Err(ReadError::at_line(
        path,
        number,
        format!("{found} columns where the first line has {columns}"),
        "give every line the same columns, separated alike",
    ))
}

/// Names of a column of node ids.
const ID_NAMES: [&str; 9] = [
    "id",
    "node",
    "node_id",
    "nodeid",
    "name",
    "index",
    "idx",
    "",
    "unnamed: 0",
];

/// Names of a column of labels.
const LABEL_NAMES: [&str; 6] = [
    "label",
    "labels",
    "class",
    "community",
    "category",
    "target",
];

fn is_id_name(name: &str) -> bool {
    ID_NAMES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether a column holds the label: the one that was asked for, or else any
/// with a common name.
fn is_label_name(name: &str, asked: Option<&str>) -> bool {
    match asked {
        Some(asked) => asked.eq_ignore_ascii_case(name),
        None => LABEL_NAMES
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name)),
    }
}
