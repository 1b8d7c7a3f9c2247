//! Labels as one-hot columns.

use std::path::Path;

use bnpool_math::memory::bytes_of;

use super::tables::Table;
use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;

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
