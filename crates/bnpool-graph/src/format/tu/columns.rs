//! What is known of every node or edge: attributes, then one-hot labels.

use super::TuOptions;
use super::files::TuFiles;
use super::one_hot::OneHot;
use super::tables::{self, Table};
use crate::csr::Csr;
use crate::error::GraphError;
use crate::features::Features;
use crate::format::error::ReadError;
use crate::matrix::Matrix;

/// Whose columns they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Node,
    Edge,
}

/// The columns that were asked for and are there.
pub(super) struct Columns {
    attributes: Option<Table<f32>>,
    labels: Option<(Table<i64>, OneHot)>,
}

impl Columns {
    /// Reads the columns of `expected` owners; the rows of those that are kept
    /// decide which labels there are.
    pub(super) fn read<I: Iterator<Item = usize> + Clone>(
        files: &mut TuFiles,
        options: &TuOptions,
        side: Side,
        expected: usize,
        kept: I,
    ) -> Result<Self, ReadError> {
        let limits = &options.limits;
        let (owner, owners, want_attributes, want_labels) = match side {
            Side::Node => (
                "node",
                "nodes",
                options.node_attributes,
                options.node_labels,
            ),
            Side::Edge => (
                "edge",
                "edges",
                options.edge_attributes,
                options.edge_labels,
            ),
        };
        let mut columns = Self {
            attributes: None,
            labels: None,
        };
        if want_attributes
            && let Some(blocks) = files.read(&format!("{owner}_attributes"), limits)?
        {
            columns.attributes = Some(tables::attributes(blocks, expected, owners)?);
        }
        if want_labels && let Some(blocks) = files.read(&format!("{owner}_labels"), limits)? {
            let path = blocks.path().to_owned();
            let table = tables::labels(blocks, expected, owners)?;
            let one_hot = OneHot::of(&path, &table, kept, limits.max_one_hot)?;
            columns.labels = Some((table, one_hot));
        }
        Ok(columns)
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
        let attributes = self.attributes.as_ref().map_or(0, |table| table.width);
        let labels = self.labels.as_ref().map_or(0, |(_, one_hot)| one_hot.width);
        let width = attributes + labels;
        let mut values = Vec::with_capacity(count.saturating_mul(width));
        for row in rows {
            if let Some(table) = &self.attributes {
                values.extend_from_slice(table.row(row));
            }
            if let Some((table, one_hot)) = &self.labels {
                one_hot.append(table.row(row), &mut values);
            }
        }
        Matrix::new(count, width, values)
    }

    /// The features of these nodes: sparse where they are labels alone, and the
    /// number 1 where there are none and it is asked for.
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
            (Some(_), _) => Ok(self.dense(rows)?.into()),
        }
    }
}
