//! Columns of nodes or edges: attributes, then one-hot labels.

use std::path::{Path, PathBuf};

use bnpool_graph::{Csr, Features, GraphError, Matrix};
use bnpool_math::memory::bytes_of;

use super::TuOptions;
use super::files::TuFiles;
use super::tables::{self, Table};
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;

/// The factor by which sparse features must be smaller to be kept so: narrow ones
/// are read faster as they are.
const WORTHWHILE: usize = 4;

/// Whose columns they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Node,
    Edge,
}

/// The columns that were asked for and are there.
pub(super) struct Columns {
    attributes: Option<Table<f32>>,
    /// Attributes that are left out at the start.
    skipped: usize,
    labels: Option<(Table<i64>, OneHot)>,
    /// The file of the labels, for messages.
    labels_path: PathBuf,
}

impl Columns {
    /// Reads the columns of `expected` owners; the rows of those that are kept
    /// decide which labels there are.
    pub(super) fn read<I: Iterator<Item = usize> + Clone>(
        files: &mut TuFiles<'_>,
        options: &TuOptions,
        side: Side,
        expected: usize,
        kept: I,
    ) -> Result<Self, ReadError> {
        let limits = &options.limits;
        let coding = options.coding.as_ref();
        let (owner, owners) = match side {
            Side::Node => ("node", "nodes"),
            Side::Edge => ("edge", "edges"),
        };
        let like = coding.map(|coding| match side {
            Side::Node => &coding.node_labels[..],
            Side::Edge => &coding.edge_labels[..],
        });
        let (want_attributes, want_labels) = match (side, coding) {
            (Side::Node, Some(coding)) => (coding.node_attributes, like.is_some_and(some)),
            (Side::Edge, Some(coding)) => (coding.edge_attributes, like.is_some_and(some)),
            (Side::Node, None) => (options.node_attributes, true),
            (Side::Edge, None) => (options.edge_attributes, true),
        };
        let drop_first = coding.map_or(options.drop_first_attribute, |c| c.drop_first_attribute);
        let mut columns = Self {
            attributes: None,
            skipped: usize::from(drop_first && side == Side::Node),
            labels: None,
            labels_path: PathBuf::new(),
        };
        if want_attributes
            && let Some(blocks) = files.read(&format!("{owner}_attributes"), limits)?
        {
            let table = tables::attributes(blocks, expected, owners)?;
            columns.skipped = columns.skipped.min(table.width);
            columns.attributes = Some(table);
        }
        if want_labels && let Some(blocks) = files.read(&format!("{owner}_labels"), limits)? {
            let path = blocks.path().to_owned();
            let table = tables::labels(blocks, expected, owners)?;
            let one_hot = match like {
                Some(ranges) => OneHot::like(&path, &table, kept, limits.max_one_hot, ranges)?,
                None => OneHot::of(&path, &table, kept, limits.max_one_hot)?,
            };
            columns.labels = Some((table, one_hot));
            columns.labels_path = path;
        }
        Ok(columns)
    }

    /// Refuses a graph whose columns take too much, before they are made.
    pub(super) fn check_graph(
        &self,
        rows: usize,
        owners: &str,
        limits: &Limits,
    ) -> Result<(), ReadError> {
        match &self.labels {
            Some((_, one_hot)) => one_hot.check_cells(&self.labels_path, rows, owners, limits),
            None => Ok(()),
        }
    }

    pub(super) fn has_attributes(&self) -> bool {
        self.attributes.is_some()
    }

    pub(super) fn drops_first(&self) -> bool {
        self.attributes.is_some() && self.skipped > 0
    }

    /// The smallest and the greatest label that every label column has room for.
    pub(super) fn label_ranges(&self) -> Vec<(i64, i64)> {
        let labels = self.labels.as_ref();
        labels.map_or_else(Vec::new, |(_, one_hot)| one_hot.ranges.clone())
    }

    pub(super) fn any(&self) -> bool {
        self.attributes.is_some() || self.labels.is_some()
    }

    /// All columns of these rows.
    pub(super) fn dense(
        &self,
        rows: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Matrix, GraphError> {
        let count = rows.len();
        let attributes = self
            .attributes
            .as_ref()
            .map_or(0, |table| table.width - self.skipped);
        let labels = self.labels.as_ref().map_or(0, |(_, one_hot)| one_hot.width);
        let width = attributes + labels;
        let mut values = Vec::with_capacity(count.saturating_mul(width));
        for row in rows {
            if let Some(table) = &self.attributes {
                values.extend_from_slice(&table.row(row)[self.skipped..]);
            }
            if let Some((table, one_hot)) = &self.labels {
                one_hot.append(table.row(row), &mut values);
            }
        }
        Matrix::new(count, width, values)
    }

    /// The features of these nodes: sparse if they are labels alone or mostly
    /// zeros, and the number 1 if there are none.
    pub(super) fn features(
        &self,
        rows: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Features, GraphError> {
        let count = rows.len();
        match (&self.attributes, &self.labels) {
            (None, None) => Ok(Matrix::new(count, 1, vec![1.0; count])?.into()),
            (None, Some((table, one_hot))) => {
                let mut columns = Vec::with_capacity(count.saturating_mul(table.width));
                let ones = rows.flat_map(|row| one_hot.ones(table.row(row)));
                columns.extend(ones.map(|column| column as u32));
                let each = columns.len() / count.max(1);
                let offsets = (0..=count).map(|row| row * each).collect();
                Ok(Csr::new(count, one_hot.width, offsets, columns, None)?.into())
            }
            (Some(attributes), Some((table, one_hot))) => {
                let present = attributes.width - self.skipped;
                // A number that is there takes a column beside it, and a row its end.
                let sparse = 2 * (present + table.width) + 2;
                if present + one_hot.width > WORTHWHILE * sparse {
                    Ok(self.sparse(rows, attributes, table, one_hot)?.into())
                } else {
                    Ok(self.dense(rows)?.into())
                }
            }
            (Some(_), None) => Ok(self.dense(rows)?.into()),
        }
    }

    /// Attributes and one-hot labels without the zeros.
    fn sparse(
        &self,
        rows: impl ExactSizeIterator<Item = usize>,
        attributes: &Table<f32>,
        table: &Table<i64>,
        one_hot: &OneHot,
    ) -> Result<Csr, GraphError> {
        let (count, present) = (rows.len(), attributes.width - self.skipped);
        let (mut offsets, mut columns, mut weights) = (vec![0], Vec::new(), Vec::new());
        for row in rows {
            let values = &attributes.row(row)[self.skipped..];
            for (column, &value) in values
                .iter()
                .enumerate()
                .filter(|(_, value)| **value != 0.0)
            {
                columns.push(column as u32);
                weights.push(value);
            }
            for column in one_hot.ones(table.row(row)) {
                columns.push((present + column) as u32);
                weights.push(1.0);
            }
            offsets.push(columns.len());
        }
        Csr::new(
            count,
            present + one_hot.width,
            offsets,
            columns,
            Some(weights),
        )
    }
}

fn some(ranges: &[(i64, i64)]) -> bool {
    !ranges.is_empty()
}

/// The places of label columns among the one-hot columns: every label
/// column gets as many as it has values from its smallest to its greatest.
pub(super) struct OneHot {
    /// For every label column the smallest and the greatest label.
    pub(super) ranges: Vec<(i64, i64)>,
    /// For every label column the first one-hot column.
    first: Vec<usize>,
    pub(super) width: usize,
}

impl OneHot {
    /// Looks at the rows that are kept; the path is for messages.
    pub(super) fn of(
        path: &Path,
        labels: &Table<i64>,
        kept: impl Iterator<Item = usize> + Clone,
        most: usize,
    ) -> Result<Self, ReadError> {
        let mut ranges = Vec::with_capacity(labels.width);
        for column in 0..labels.width {
            let values = kept.clone().map(|row| labels.row(row)[column]);
            let bounds = values.fold(None, |bounds, value| match bounds {
                None => Some((value, value)),
                Some((low, high)) => Some((value.min(low), value.max(high))),
            });
            ranges.extend(bounds);
        }
        Self::of_ranges(path, ranges, most)
    }

    /// The columns of another table, which must have room for all labels of the
    /// rows that are kept.
    pub(super) fn like(
        path: &Path,
        labels: &Table<i64>,
        kept: impl Iterator<Item = usize>,
        most: usize,
        ranges: &[(i64, i64)],
    ) -> Result<Self, ReadError> {
        const REMEDY: &str = "use the labels of the graphs that were learned from";
        if labels.width != ranges.len() {
            let (found, known) = (labels.width, ranges.len());
            return Err(ReadError::in_file(
                path,
                format!("{found} columns of labels where {known} are known"),
                REMEDY,
            ));
        }
        for row in kept {
            for (label, (low, high)) in labels.row(row).iter().zip(ranges) {
                if !(low..=high).contains(&label) {
                    return Err(ReadError::at_line(
                        path,
                        row + 1,
                        format!(
                            "the label {label} is unknown: those from {low} to {high} are known"
                        ),
                        REMEDY,
                    ));
                }
            }
        }
        Self::of_ranges(path, ranges.to_vec(), most)
    }

    fn of_ranges(path: &Path, ranges: Vec<(i64, i64)>, most: usize) -> Result<Self, ReadError> {
        let mut width = 0_usize;
        let mut first = Vec::with_capacity(ranges.len());
        for (low, high) in &ranges {
            first.push(width);
            let span = high.checked_sub(*low);
            let span = span.and_then(|span| usize::try_from(span).ok());
            width = width
                .saturating_add(span.unwrap_or(usize::MAX))
                .saturating_add(1);
            if width > most {
                return Err(ReadError::too_large(
                    path,
                    format!("one-hot coding of labels from {low} to {high}"),
                    format!("{most} columns"),
                    "number the labels from 0 without gaps, leave them out, or raise the limit",
                ));
            }
        }
        Ok(Self {
            ranges,
            first,
            width,
        })
    }

    /// Refuses more cells than one graph may have.
    pub(super) fn check_cells(
        &self,
        path: &Path,
        rows: usize,
        owners: &str,
        limits: &Limits,
    ) -> Result<(), ReadError> {
        let cells = bytes_of::<u8>(&[rows, self.width]);
        if cells <= limits.max_one_hot_cells {
            return Ok(());
        }
        let width = self.width;
        Err(ReadError::too_large(
            path,
            format!("one-hot coding of a graph of {rows} {owners} in {width} columns"),
            format!("{} cells", limits.max_one_hot_cells),
            "number the labels from 0 without gaps, or leave them out",
        ))
    }

    /// The columns that hold a one in this row of labels, rising.
    pub(super) fn ones<'a>(&'a self, labels: &'a [i64]) -> impl Iterator<Item = usize> + 'a {
        let columns = self.ranges.iter().zip(&self.first).zip(labels);
        columns.map(|(((low, _), first), label)| first + (label - low) as usize)
    }

    /// Appends this row of labels as zeros and ones.
    pub(super) fn append(&self, labels: &[i64], values: &mut Vec<f32>) {
        let start = values.len();
        values.resize(start + self.width, 0.0);
        for column in self.ones(labels) {
            values[start + column] = 1.0;
        }
    }
}
