//! Columns of nodes or edges: attributes, then one-hot labels.

use std::path::PathBuf;

use super::TuOptions;
use super::files::TuFiles;
use super::one_hot::OneHot;
use super::tables::{self, Table};
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use bnpool_graph::Csr;
use bnpool_graph::Features;
use bnpool_graph::GraphError;
use bnpool_graph::Matrix;

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
            (Side::Node, None) => (options.node_attributes, options.node_labels),
            (Side::Edge, None) => (options.edge_attributes, options.edge_labels),
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
    /// zeros, and the number 1 if there are none and it is asked for.
    pub(super) fn features(
        &self,
        rows: impl ExactSizeIterator<Item = usize>,
        constant: bool,
    ) -> Result<Features, GraphError> {
        let count = rows.len();
        match (&self.attributes, &self.labels) {
            (None, None) if constant => Ok(Matrix::new(count, 1, vec![1.0; count])?.into()),
            (None, None) => Ok(Features::absent(count)),
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
