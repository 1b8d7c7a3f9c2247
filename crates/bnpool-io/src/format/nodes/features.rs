//! Node features from a file of their own.

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::index::{NodeIndex, RowIds, check_row_count};
use super::text::TextCells;
use super::{ARRAY_MAGIC, check_table, cut, is_id_name, is_label_name};
use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::ZIP_MAGIC;
use crate::bytes::source::Source;
use crate::format::array::npy::Npy;
use crate::format::array::npz::Npz;
use crate::format::matrix::csr_bundle::read_csr;
use crate::format::matrix::scipy;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::text::sample::bad_quote;
use crate::format::text::{
    DataLines, Delimiter, NumberStyle, parse_f32, split_cells, split_fields,
};
use bnpool_graph::Features;
use bnpool_graph::Graph;
use bnpool_graph::Matrix;

/// The features of a file, not yet matched to nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FeatureTable {
    path: PathBuf,
    features: Features,
    pub(crate) ids: Option<RowIds>,
    names: Option<Vec<String>>,
    /// The columns that are text; `features` holds the others.
    text: Vec<TextCells>,
    notes: Vec<Note>,
}

impl FeatureTable {
    /// Reads the content of a file: arrays by their start, csv otherwise.
    pub(crate) fn parse(source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        let path = source.path().to_owned();
        let array = |features| Self {
            path: path.clone(),
            features,
            ids: None,
            names: None,
            text: Vec::new(),
            notes: Vec::new(),
        };
        if source.bytes().starts_with(ARRAY_MAGIC) {
            let matrix = Npy::parse(&path, source.bytes())?.to_matrix(&path)?;
            return Ok(array(matrix.into()));
        }
        if source.bytes().starts_with(ZIP_MAGIC) {
            let npz = Npz::from_bytes(&path, source.into_bytes(), &options.limits)?;
            return Ok(array(from_npz(npz, options)?));
        }
        parse_csv(&source, options)
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.features.rows()
    }

    /// The features that are numbers, in the order of the nodes; those that are
    /// text go to the report.
    pub(crate) fn attach(
        self,
        graph: &Graph,
        report: &mut ReadReport,
    ) -> Result<Features, ReadError> {
        report.notes.extend(self.notes);
        report.feature_names = self.names;
        let Some(ids) = self.ids else {
            check_row_count(&self.path, self.features.rows(), graph.nodes())?;
            report.notes.push(Note::RowsInOrder { of: "features" });
            report.text = self.text;
            return Ok(self.features);
        };
        let rows = ids.rows(&self.path, graph, &NodeIndex::new(graph))?;
        report.text = self.text;
        for column in &mut report.text {
            let cells = &mut column.cells;
            *cells = rows
                .iter()
                .map(|&row| std::mem::take(&mut cells[row]))
                .collect();
        }
        let dense = self.features.to_dense();
        let mut values = Vec::with_capacity(dense.as_slice().len());
        for row in rows {
            values.extend_from_slice(dense.row(row));
        }
        Matrix::new(graph.nodes(), dense.columns(), values)
            .map(Features::from)
            .map_err(|error| ReadError::graph(&self.path, error))
    }
}

/// A sparse matrix as scipy saves it, that of a graph bundle, or the only array.
fn from_npz(mut npz: Npz, options: &ReadOptions) -> Result<Features, ReadError> {
    if let Some(matrix) = scipy::read(&mut npz, &options.limits)? {
        return Ok(matrix.into());
    }
    let names = ["data", "indices", "indptr", "shape"].map(|part| format!("attr_{part}"));
    if names
        .iter()
        .all(|name| npz.names().any(|other| other == name))
    {
        return Ok(read_csr(&mut npz, "attr_", &options.limits)?.into());
    }
    let names: Vec<_> = npz.names().map(str::to_owned).collect();
    match &names[..] {
        [name] => {
            let path = npz.path().join(name);
            Ok(npz.required(name)?.to_matrix(&path)?.into())
        }
        _ => Err(ReadError::in_file(
            npz.path(),
            format!("no features among the arrays: {}", names.join(", ")),
            "save one array of nodes × features, or a sparse matrix with scipy.sparse.save_npz",
        )),
    }
}

/// The columns of a csv file.
struct Layout {
    delimiter: Delimiter,
    header: bool,
    id: Option<usize>,
    columns: usize,
    /// The columns that are features, and their names.
    used: Vec<usize>,
    names: Option<Vec<String>>,
}

fn parse_csv(source: &Source, options: &ReadOptions) -> Result<FeatureTable, ReadError> {
    let path = source.path();
    check_table(source, options)?;
    let mut notes = Vec::new();
    let mut lines = DataLines::new(source.text()?);
    let layout = sniff(path, lines.clone(), options, &mut notes)?;
    if layout.header {
        lines.next();
    }
    let mut fields = Vec::new();
    let mut values = Vec::new();
    let mut ids = layout.id.map(|_| RowIds::default());
    let styles = styles(&layout, lines.clone());
    let style = |column: usize| {
        let own = styles.iter().find(|(place, _)| *place == column);
        own.map_or(NumberStyle::Point, |(_, style)| *style)
    };
    for &(column, style) in &styles {
        let remark = format!("feature column {} is read with {style}", column + 1);
        notes.push(Note::Remark(remark));
    }
    let mut text = text_columns(&layout, lines.clone());
    text.retain(|(column, _)| style(*column) == NumberStyle::Point);
    let mut rows = 0;
    for (number, line) in lines {
        let wrong = |problem: String, remedy: &'static str| {
            Err(ReadError::at_line(path, number, problem, remedy))
        };
        let (delimiter, columns) = (layout.delimiter, layout.columns);
        cut(path, (number, line), delimiter, columns, &mut fields)?;
        if let (Some(ids), Some(column)) = (&mut ids, layout.id) {
            ids.push(&fields[column], number);
        }
        for &column in &layout.used {
            let field = &fields[column];
            if let Some((_, column)) = text.iter_mut().find(|(place, _)| *place == column) {
                column.cells.push(field.to_string());
                continue;
            }
            let number = match style(column) {
                NumberStyle::Point => parse_f32(field),
                style => style.parse(field).map(|number| number as f32),
            };
            match number {
                Some(value) if value.is_finite() => values.push(value),
                found => {
                    let what = if found.is_some() {
                        "finite"
                    } else {
                        "a number"
                    };
                    return wrong(
                        format!(
                            "feature {} in column {} is not {what}",
                            quote(field.as_bytes()),
                            column + 1
                        ),
                        "give a finite number, or drop the row or the column",
                    );
                }
            }
        }
        rows += 1;
    }
    let width = layout.used.len() - text.len();
    warn_of_row_numbers(&values, width, &mut notes);
    let matrix = Matrix::new(rows, width, values).map_err(|error| ReadError::graph(path, error))?;
    let is_text = |column: &usize| text.iter().any(|(place, _)| place == column);
    let names = layout.names.map(|names| {
        let named = layout.used.iter().zip(names);
        named
            .filter(|(column, _)| !is_text(column))
            .map(|(_, name)| name)
            .collect()
    });
    Ok(FeatureTable {
        path: path.to_owned(),
        features: matrix.into(),
        ids,
        names,
        text: text.into_iter().map(|(_, column)| column).collect(),
        notes,
    })
}

/// The used columns whose numbers have decimal commas or commas between thousands.
fn styles(layout: &Layout, lines: DataLines<'_>) -> Vec<(usize, NumberStyle)> {
    // Without quotes a field holds no comma where commas separate.
    let mark = match layout.delimiter {
        Delimiter::Comma => b'"',
        _ => b',',
    };
    if memchr::memchr(mark, lines.text().as_bytes()).is_none() {
        return Vec::new();
    }
    let all = NumberStyle::by_preference(layout.delimiter);
    let mut possible: Vec<(usize, [bool; 3])> = layout
        .used
        .iter()
        .map(|&column| (column, [true; 3]))
        .collect();
    let mut fields = Vec::new();
    for (_, line) in lines {
        // Other problems are errors when the line is read.
        let good = split_cells(line, layout.delimiter, layout.columns, &mut fields).is_ok();
        if !good || fields.len() != layout.columns || possible.is_empty() {
            return Vec::new();
        }
        possible.retain_mut(|(column, possible)| {
            for (style, possible) in all.iter().zip(&mut *possible) {
                *possible = *possible && style.parse(&fields[*column]).is_some();
            }
            possible.contains(&true)
        });
    }
    let first = |possible: [bool; 3]| all.into_iter().zip(possible).find(|(_, is)| *is);
    let chosen = possible.into_iter().filter_map(|(column, possible)| {
        let (style, _) = first(possible)?;
        (style != NumberStyle::Point).then_some((column, style))
    });
    chosen.collect()
}

/// The used columns that are text, by the first field of each that is not empty,
/// without their cells.
fn text_columns(layout: &Layout, lines: DataLines<'_>) -> Vec<(usize, TextCells)> {
    let mut open = layout.used.clone();
    let mut text = Vec::new();
    let mut fields = Vec::new();
    for (_, line) in lines {
        // Other problems are errors when the line is read.
        let good = split_cells(line, layout.delimiter, layout.columns, &mut fields).is_ok();
        if open.is_empty() || !good || fields.len() != layout.columns {
            break;
        }
        open.retain(|&column| {
            let field = &fields[column];
            if !field.is_empty() && parse_f32(field).is_none() {
                let place = layout.used.iter().position(|&used| used == column);
                let name = layout.names.as_ref().zip(place);
                let name = name.map_or(format!("column {}", column + 1), |(names, place)| {
                    names[place].clone()
                });
                let cells = Vec::new();
                text.push((column, TextCells { name, cells }));
            }
            field.is_empty()
        });
    }
    text.sort_by_key(|(column, _)| *column);
    text
}

fn sniff(
    path: &Path,
    mut lines: DataLines<'_>,
    options: &ReadOptions,
    notes: &mut Vec<Note>,
) -> Result<Layout, ReadError> {
    let all = lines.clone();
    let Some((number, first)) = lines.next() else {
        return Err(ReadError::in_file(
            path,
            "there are no features in the file",
            "give one line of numbers a node",
        ));
    };
    let delimiter = Delimiter::sniff(first);
    let (mut names, mut data) = (Vec::new(), Vec::new());
    let second = lines.next();
    for ((number, line), fields) in [Some((number, first)), second]
        .into_iter()
        .flatten()
        .zip([&mut names, &mut data])
    {
        split_fields(line, delimiter, fields).map_err(|_| bad_quote(path, number))?;
    }
    let is_number = |field: &Cow<str>| parse_f32(field).is_some();
    let turns_number = |(name, field): (&Cow<str>, &Cow<str>)| !is_number(name) && is_number(field);
    // Without any number, known words and what repeats below tell.
    let id_above = names.len() > 1 && is_id_name(&names[0]) && !names[0].is_empty();
    let repeats = repeats(delimiter, all.clone());
    let header = names.iter().zip(&data).any(turns_number)
        || id_above
        || repeats == Repeats::AllButFirst && !names.iter().any(is_number);
    if !header {
        data = names;
        let ids = |field: &&Cow<str>| !is_number(field) && repeats == Repeats::Nothing;
        let id = data.first().filter(ids).map(|_| 0);
        return Ok(Layout {
            delimiter,
            header,
            id,
            columns: data.len(),
            used: (usize::from(id.is_some())..data.len()).collect(),
            names: None,
        });
    }
    notes.push(Note::Header { of: "features" });
    let text_first =
        repeats == Repeats::Nothing && data.first().is_some_and(|field| !is_number(field));
    let named_first = names.first().is_some_and(|name| is_id_name(name));
    let id = (text_first || named_first).then_some(0);
    let mut used = Vec::new();
    for (column, name) in names.iter().enumerate() {
        if Some(column) == id {
            continue;
        }
        if is_label_name(name, options.label_attribute.as_deref()) {
            notes.push(Note::FeatureLeftOut {
                name: name.to_string(),
                why: "it is the label",
            });
        } else {
            used.push(column);
        }
    }
    Ok(Layout {
        delimiter,
        header,
        id,
        columns: names.len(),
        names: Some(
            used.iter()
                .map(|&column| names[column].to_string())
                .collect(),
        ),
        used,
    })
}

/// Repeated text in the first column. Ids are not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// Nothing, or only numbers are there.
    Nothing,
    /// Something below the first line, whose own text occurs once.
    AllButFirst,
    /// Something, the first line among it.
    Something,
}

fn repeats(delimiter: Delimiter, lines: DataLines<'_>) -> Repeats {
    let mut seen = HashSet::new();
    let mut fields = Vec::new();
    let mut first: Option<String> = None;
    let (mut twice, mut first_again) = (false, false);
    for (_, line) in lines {
        if split_fields(line, delimiter, &mut fields).is_err() {
            break;
        }
        let Some(field) = fields.first().filter(|field| !field.is_empty()) else {
            continue;
        };
        let is_first = first.is_none();
        let head = first.get_or_insert_with(|| field.to_string());
        if !is_first && parse_f32(field).is_some() {
            return Repeats::Nothing;
        }
        first_again |= !is_first && **head == **field;
        twice |= !seen.insert(field.to_string());
    }
    match (twice, first_again) {
        (false, _) => Repeats::Nothing,
        (true, false) => Repeats::AllButFirst,
        (true, true) => Repeats::Something,
    }
}

/// A first column that counts the rows is more likely an id than a feature.
fn warn_of_row_numbers(values: &[f32], width: usize, notes: &mut Vec<Note>) {
    if width < 2 || values.len() < 3 * width {
        return;
    }
    let counts_from = |base: usize| {
        let mut rows = values.chunks_exact(width).enumerate();
        rows.all(|(row, values)| values[0] == (row + base) as f32)
    };
    if counts_from(0) || counts_from(1) {
        notes.push(Note::Remark(
            "the first feature counts the rows; if it is an id, call it `id` in a header".into(),
        ));
    }
}
