//! Attributes of nodes, on the way to features and labels.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::classes::number_known_classes;
use crate::bytes::error::{ReadError, lacks, quote};
use crate::format::nodes::{TextCells, note_unlabelled};
use crate::format::options::ReadOptions;
use crate::format::report::{Note, ReadReport};
use crate::format::text::parse_f32;
use crate::remedy::Change;
use bnpool_graph::Features;
use bnpool_graph::Matrix;

/// The attributes of all nodes, as text, by name in the order of appearance.
#[derive(Debug, Default)]
pub(crate) struct NodeAttributes {
    places: HashMap<String, usize>,
    columns: Vec<Column>,
}

#[derive(Debug)]
struct Column {
    name: String,
    /// The nodes that have the attribute, rising, and its values.
    cells: Vec<(u32, String)>,
}

impl NodeAttributes {
    /// Gives an attribute its place among the others before any node has it.
    pub(crate) fn declare(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.columns.len();
        self.places.insert(name.to_owned(), place);
        self.columns.push(Column {
            name: name.to_owned(),
            cells: Vec::new(),
        });
        place
    }

    /// Records an attribute of a node; nodes come one after the other, and the
    /// first mention counts.
    pub(crate) fn push(&mut self, node: u32, name: &str, value: String) {
        let place = self.declare(name);
        let cells = &mut self.columns[place].cells;
        if cells.last().is_none_or(|(last, _)| *last < node) {
            cells.push((node, value));
        }
    }

    /// The names of all nodes, if every node has this attribute and no two
    /// the same; the attribute is used up then.
    pub(crate) fn take_names(&mut self, name: &str, nodes: usize) -> Option<Vec<String>> {
        let &place = self.places.get(name)?;
        let cells = &self.columns[place].cells;
        let distinct: std::collections::HashSet<_> =
            cells.iter().map(|(_, value)| value.as_str()).collect();
        if cells.len() != nodes || distinct.len() != nodes {
            return None;
        }
        let cells = std::mem::take(&mut self.columns[place].cells);
        Some(cells.into_iter().map(|(_, value)| value).collect())
    }

    /// Turns the attributes that were asked for into features and labels.
    pub(crate) fn into_parts(
        mut self,
        path: &Path,
        nodes: usize,
        options: &ReadOptions,
        report: &mut ReadReport,
    ) -> Result<(Option<Features>, Option<Vec<u32>>), ReadError> {
        self.columns.retain(|column| !column.cells.is_empty());
        let find = |name: &str, change| {
            let place = self.columns.iter().position(|column| column.name == name);
            place.ok_or_else(|| {
                let there = self.columns.iter().map(|column| &column.name);
                lacks(path, "node attribute", name, there, change)
            })
        };
        let label = match &options.label_attribute {
            Some(name) => Some(find(name, Change::LabelAttribute)?),
            None => None,
        };
        let mut used = Vec::with_capacity(options.node_attributes.len());
        for name in &options.node_attributes {
            used.push(find(name, Change::NodeAttributes)?);
        }
        let left_out = self.columns.iter().enumerate();
        let left_out: Vec<String> = left_out
            .filter(|(place, _)| Some(*place) != label && !used.contains(place))
            .map(|(_, column)| column.name.clone())
            .collect();
        if !left_out.is_empty() {
            report.notes.push(Note::AttributesLeftOut(left_out));
        }
        let mut columns = Vec::with_capacity(used.len());
        let mut names = Vec::with_capacity(used.len());
        for &place in &used {
            let column = &self.columns[place];
            if column.is_text() {
                report.text.push(column.text(path, nodes)?)
            } else {
                columns.push(column.numbers(path, nodes)?);
                names.push(column.name.clone());
            }
        }
        let labels = match label {
            Some(place) => Some(
                self.columns
                    .swap_remove(place)
                    .into_labels(path, nodes, report)?,
            ),
            None => None,
        };
        if columns.is_empty() {
            return Ok((None, labels));
        }
        let mut values = Vec::with_capacity(nodes.saturating_mul(columns.len()));
        for node in 0..nodes {
            values.extend(columns.iter().map(|column| column[node]));
        }
        let matrix = Matrix::new(nodes, columns.len(), values)
            .map_err(|error| ReadError::graph(path, error))?;
        report.feature_names = Some(names);
        Ok((Some(matrix.into()), labels))
    }
}

impl Column {
    /// Whether the first value is a word.
    fn is_text(&self) -> bool {
        let first = self.cells.iter().find(|(_, value)| !value.is_empty());
        first.is_some_and(|(_, value)| {
            !matches!(value.as_str(), "true" | "false") && parse_f32(value).is_none()
        })
    }

    /// The values as text, empty for nodes without one.
    fn text(&self, path: &Path, nodes: usize) -> Result<TextCells, ReadError> {
        let mut cells = vec![String::new(); nodes];
        for (node, value) in &self.cells {
            let cell = cells.get_mut(*node as usize);
            let cell = cell.ok_or_else(|| self.unusable(path, "a node is missing"))?;
            cell.clone_from(value);
        }
        let name = self.name.clone();
        Ok(TextCells { name, cells })
    }

    fn unusable(&self, path: &Path, problem: &str) -> ReadError {
        ReadError::in_file(
            path,
            format!(
                "the node attribute {} cannot be a feature: {problem}",
                quote(self.name.as_bytes())
            ),
            ("give every node a finite number", Change::NodeAttributes),
        )
    }

    /// The values as numbers.
    fn numbers(&self, path: &Path, nodes: usize) -> Result<Vec<f32>, ReadError> {
        let wrong = |problem: String| Err(self.unusable(path, &problem));
        if self.cells.len() != nodes {
            return wrong(format!(
                "{} of {nodes} nodes lack it",
                nodes - self.cells.len()
            ));
        }
        let mut numbers = Vec::with_capacity(nodes);
        for (_, value) in &self.cells {
            numbers.push(match value.as_str() {
                "true" => 1.0,
                "false" => 0.0,
                value => match parse_f32(value).filter(|number| number.is_finite()) {
                    Some(number) => number,
                    None => {
                        return wrong(format!("{} is no finite number", quote(value.as_bytes())));
                    }
                },
            });
        }
        Ok(numbers)
    }

    fn into_labels(
        self,
        path: &Path,
        nodes: usize,
        report: &mut ReadReport,
    ) -> Result<Vec<u32>, ReadError> {
        let mut labels = vec![None; nodes];
        for (node, value) in self.cells {
            labels[node as usize] =
                Some(Cow::Owned(value)).filter(|label: &Cow<str>| !label.is_empty());
        }
        let (classes, names) = number_known_classes(labels);
        note_unlabelled(path, &classes, report)?;
        report.classes = Some(names);
        Ok(classes)
    }
}
