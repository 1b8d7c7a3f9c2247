//! Labels as one-hot columns.

use std::path::Path;

use super::tables::Table;
use crate::format::error::ReadError;

/// Where the label columns of a table go among the one-hot columns: every label
/// column gets as many as it has values from its smallest to its greatest.
pub(super) struct OneHot {
    /// For every label column the smallest label and the first one-hot column.
    columns: Vec<(i64, usize)>,
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
        let mut columns = Vec::with_capacity(labels.width);
        let mut width = 0_usize;
        for column in 0..labels.width {
            let values = kept.clone().map(|row| labels.row(row)[column]);
            let bounds = values.fold(None, |bounds, value| match bounds {
                None => Some((value, value)),
                Some((low, high)) => Some((value.min(low), value.max(high))),
            });
            let Some((low, high)) = bounds else { continue };
            columns.push((low, width));
            // Labels come from floats of 53 bits, so this cannot overflow.
            let values = usize::try_from(high - low).map_or(usize::MAX, |span| span + 1);
            width = width.saturating_add(values);
            if width > most {
                return Err(ReadError::too_large(
                    path,
                    format!("one-hot coding of labels from {low} to {high}"),
                    format!("{most} columns"),
                    "number the labels from 0 without gaps, leave them out, or raise the limit",
                ));
            }
        }
        Ok(Self { columns, width })
    }

    /// The columns that hold a one in this row of labels, rising.
    pub(super) fn ones<'a>(&'a self, labels: &'a [i64]) -> impl Iterator<Item = usize> + 'a {
        let columns = self.columns.iter().zip(labels);
        columns.map(|((low, first), label)| first + (label - low) as usize)
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
