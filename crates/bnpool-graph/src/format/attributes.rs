//! Attributes of nodes, on the way to features and labels.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use super::classes::number_classes;
use super::error::{ReadError, quote};
use super::report::{Note, ReadReport};
use super::text::parse_f32;
use crate::features::Features;
use crate::matrix::Matrix;

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

    /// The names of all nodes, where every node has this attribute and no two
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

    /// Turns the attribute that was asked for into labels, and all others that
    /// every node has as a number into features.
    pub(crate) fn into_parts(
        self,
        path: &Path,
        nodes: usize,
        label: Option<&str>,
        report: &mut ReadReport,
    ) -> Result<(Option<Features>, Option<Vec<u32>>), ReadError> {
        let mut labels = None;
        let mut features = Vec::new();
        let mut names = Vec::new();
        let available: Vec<_> = self
            .columns
            .iter()
            .map(|column| column.name.clone())
            .collect();
        for column in self.columns {
            if label == Some(column.name.as_str()) {
                labels = Some(column.into_labels(path, nodes, report)?);
                continue;
            }
            if column.cells.is_empty() {
                continue;
            }
            match column.numbers(nodes) {
                Ok(numbers) => {
                    features.push(numbers);
                    names.push(column.name);
                }
                Err(why) => report.notes.push(Note::FeatureLeftOut {
                    name: column.name,
                    why,
                }),
            }
        }
        if let (Some(label), None) = (label, &labels) {
            return Err(ReadError::in_file(
                path,
                format!(
                    "no node has the attribute {} for its label; there are: {}",
                    quote(label.as_bytes()),
                    available.join(", ")
                ),
                "name one of them",
            ));
        }
        if features.is_empty() {
            return Ok((None, labels));
        }
        let mut values = Vec::with_capacity(nodes.saturating_mul(features.len()));
        for node in 0..nodes {
            values.extend(features.iter().map(|column| column[node]));
        }
        let matrix = Matrix::new(nodes, features.len(), values)
            .map_err(|error| ReadError::graph(path, error))?;
        report.feature_names = Some(names);
        Ok((Some(matrix.into()), labels))
    }
}

impl Column {
    fn numbers(&self, nodes: usize) -> Result<Vec<f32>, &'static str> {
        if self.cells.len() != nodes {
            return Err("not every node has it");
        }
        let number = |(_, value): &(u32, String)| match value.as_str() {
            "true" => Some(1.0),
            "false" => Some(0.0),
            value => parse_f32(value).filter(|number| number.is_finite()),
        };
        let numbers: Option<_> = self.cells.iter().map(number).collect();
        numbers.ok_or("it is not a finite number everywhere")
    }

    fn into_labels(
        self,
        path: &Path,
        nodes: usize,
        report: &mut ReadReport,
    ) -> Result<Vec<u32>, ReadError> {
        if self.cells.len() != nodes {
            return Err(ReadError::in_file(
                path,
                format!(
                    "{} of {nodes} nodes lack the label {}",
                    nodes - self.cells.len(),
                    quote(self.name.as_bytes())
                ),
                "give every node a label, or name another attribute",
            ));
        }
        let labels = self.cells.into_iter().map(|(_, value)| Cow::Owned(value));
        let (classes, names) = number_classes(labels);
        report.classes = Some(names);
        Ok(classes)
    }
}
