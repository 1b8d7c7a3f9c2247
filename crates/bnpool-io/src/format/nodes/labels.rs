//! Node labels from a file of their own.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use super::index::{NodeIndex, RowIds, check_row_count};
use super::{ARRAY_MAGIC, check_table, cut, is_id_name, is_label_name};
use crate::bytes::error::{ReadError, quote};
use crate::bytes::intake::ZIP_MAGIC;
use crate::bytes::source::Source;
use crate::format::array::npy::{Npy, NpyData};
use crate::format::array::npz::Npz;
use crate::format::build::classes::number_known_classes;
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::text::sample::bad_quote;
use crate::format::text::{DataLines, Delimiter, parse_f32, split_fields};
use bnpool_graph::{Graph, UNLABELLED};

/// The labels of a file, not yet matched to nodes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LabelTable {
    path: PathBuf,
    labels: Vec<String>,
    pub(crate) ids: Option<RowIds>,
    /// Whether the first row may be a header, which depends on the ids.
    doubtful_header: bool,
    notes: Vec<Note>,
}

impl LabelTable {
    /// Reads the content of a file: arrays by their start, csv otherwise.
    pub(crate) fn parse(source: Source, options: &ReadOptions) -> Result<Self, ReadError> {
        let path = source.path().to_owned();
        let array = |labels| Self {
            path: path.clone(),
            labels,
            ids: None,
            doubtful_header: false,
            notes: Vec::new(),
        };
        if source.bytes().starts_with(ARRAY_MAGIC) {
            return Ok(array(labels_of_array(
                &path,
                &Npy::parse(&path, source.bytes())?,
            )?));
        }
        if source.bytes().starts_with(ZIP_MAGIC) {
            let mut npz = Npz::from_bytes(&path, source.into_bytes(), &options.limits)?;
            let labels = npz.required(options.label_attribute.as_deref().unwrap_or("labels"))?;
            return Ok(array(labels_of_array(&path, &labels)?));
        }
        parse_csv(&source, options)
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.labels.len()
    }

    /// The class of every node, [`UNLABELLED`](crate::UNLABELLED) for those that
    /// have no line; class names and notes go to the report.
    pub(crate) fn attach(
        mut self,
        graph: &Graph,
        report: &mut ReadReport,
    ) -> Result<Vec<u32>, ReadError> {
        let index = NodeIndex::new(graph);
        if self.doubtful_header && self.first_id_is_header(graph, &index) {
            self.drop_header();
        }
        report.notes.append(&mut self.notes);
        let rows: Vec<Option<usize>> = match &self.ids {
            None => {
                if self.is_one_too_long(graph.nodes()) {
                    return Err(self.doubt(graph.nodes()));
                }
                check_row_count(&self.path, self.labels.len(), graph.nodes())?;
                report.notes.push(Note::RowsInOrder { of: "labels" });
                (0..self.labels.len()).map(Some).collect()
            }
            Some(ids) => ids.some_rows(&self.path, graph, &index)?,
        };
        // An empty field is an unknown class.
        let known = |row: usize| Some(self.labels[row].as_str()).filter(|label| !label.is_empty());
        let labels = rows
            .into_iter()
            .map(|row| row.and_then(known).map(Cow::Borrowed));
        let (classes, names) = number_known_classes(labels);
        note_unlabelled(&self.path, &classes, report)?;
        report.classes = Some(names);
        Ok(classes)
    }

    /// Whether the first row is one too many and names no node.
    fn first_id_is_header(&self, graph: &Graph, index: &NodeIndex) -> bool {
        let first = self.ids.as_ref().and_then(|ids| ids.ids.first());
        let one_more = self.labels.len() == graph.nodes() + 1;
        one_more && first.is_some_and(|id| index.find(id).is_none())
    }

    /// Whether there is one row too many, and the first may or may not be a
    /// header: to guess either way could shift all labels by one.
    pub(crate) fn is_one_too_long(&self, nodes: usize) -> bool {
        let unique = || !self.labels[1..].contains(&self.labels[0]);
        self.doubtful_header && self.ids.is_none() && self.labels.len() == nodes + 1 && unique()
    }

    fn doubt(&self, nodes: usize) -> ReadError {
        ReadError::in_file(
            &self.path,
            format!(
                "{} rows for {nodes} nodes with edges; is the first row, {}, a header?",
                self.labels.len(),
                quote(self.labels[0].as_bytes())
            ),
            "call the header `label` if it is one, or add such a line above if it is not",
        )
    }

    /// Takes the first row for column names if it has words and all others
    /// have numbers.
    fn settle_header(&mut self) {
        let ids = self.ids.as_ref().map(|ids| ids.ids.as_slice());
        if self.doubtful_header && (turns_numeric(&self.labels) || ids.is_some_and(turns_numeric)) {
            self.drop_header();
        }
    }

    fn drop_header(&mut self) {
        self.doubtful_header = false;
        self.labels.remove(0);
        if let Some(ids) = &mut self.ids {
            ids.ids.remove(0);
            ids.lines.remove(0);
        }
        self.notes.push(Note::Header { of: "labels" });
    }
}

/// Says how many nodes have a class, and refuses labels that name none.
pub(crate) fn note_unlabelled(
    path: &Path,
    classes: &[u32],
    report: &mut ReadReport,
) -> Result<(), ReadError> {
    let missing = classes.iter().filter(|&&class| class == UNLABELLED).count();
    if missing == classes.len() && missing > 0 {
        return Err(ReadError::in_file(
            path,
            "no node has a label",
            "give at least one node its class",
        ));
    }
    if missing > 0 {
        report.notes.push(Note::PartialLabels {
            labelled: classes.len() - missing,
            nodes: classes.len(),
        });
    }
    Ok(())
}

/// Whether all but the first are numbers.
fn turns_numeric(column: &[String]) -> bool {
    let number = |field: &String| parse_f32(field).is_some();
    match column {
        [first, rest @ ..] => !number(first) && !rest.is_empty() && rest.iter().all(number),
        [] => false,
    }
}

/// The elements of a one-dimensional array as labels.
pub(crate) fn labels_of_array(path: &Path, array: &Npy) -> Result<Vec<String>, ReadError> {
    let flat = match array.shape[..] {
        [_] => true,
        // A single column is as good as none.
        [_, columns] => columns == 1,
        _ => false,
    };
    let labels = match (&array.data, array.data.to_i64()) {
        (NpyData::Text(labels), _) => Some(labels.clone()),
        (_, Some(numbers)) => Some(numbers.iter().map(i64::to_string).collect()),
        _ => None,
    };
    match labels {
        Some(labels) if flat => Ok(labels),
        _ => Err(ReadError::in_file(
            path,
            format!(
                "an array of shape {:?} and type {} holds no labels",
                array.shape, array.dtype
            ),
            "save one whole number or text a node",
        )),
    }
}

fn parse_csv(source: &Source, options: &ReadOptions) -> Result<LabelTable, ReadError> {
    let path = source.path();
    check_table(source, options)?;
    let mut lines = DataLines::new(source.text()?);
    let Some((number, first)) = lines.clone().next() else {
        return Err(ReadError::in_file(
            path,
            "there are no labels in the file",
            "give one label a line, or `id,label`",
        ));
    };
    let delimiter = Delimiter::sniff(first);
    let mut fields = Vec::new();
    split_fields(first, delimiter, &mut fields).map_err(|_| bad_quote(path, number))?;
    let columns = fields.len();
    let asked = options.label_attribute.as_deref();
    let named = fields.iter().position(|name| is_label_name(name, asked));
    let named_id = fields.iter().position(|name| is_id_name(name));
    let header = named.is_some() || (columns > 1 && named_id.is_some());
    let (label, id) = match (columns, named.filter(|_| header)) {
        (1, _) => (0, None),
        (2, None) => (1, Some(0)),
        (2, Some(label)) => (label, Some(1 - label)),
        (_, Some(label)) => (label, named_id.filter(|&id| id != label)),
        (_, None) => {
            return Err(ReadError::at_line(
                path,
                number,
                format!("which of the {columns} columns is the label?"),
                "name it `label` in a first line, or keep only `id,label`",
            ));
        }
    };
    let mut table = LabelTable {
        path: path.to_owned(),
        labels: Vec::new(),
        ids: id.map(|_| RowIds::default()),
        doubtful_header: !header,
        notes: Vec::new(),
    };
    if header {
        lines.next();
        table.notes.push(Note::Header { of: "labels" });
    }
    for (number, line) in lines {
        cut(path, (number, line), delimiter, columns, &mut fields)?;
        if let (Some(ids), Some(id)) = (&mut table.ids, id) {
            ids.push(&fields[id], number);
        }
        table.labels.push(fields[label].to_string());
    }
    table.settle_header();
    Ok(table)
}
