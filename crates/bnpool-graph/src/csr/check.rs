//! Validation of compressed rows.

use super::Csr;
use crate::error::GraphError;

impl Csr {
    /// Builds a matrix from its raw parts, which are described at [`Csr`].
    ///
    /// # Errors
    ///
    /// Returns an error if the offsets have a length other than `rows + 1`, do
    /// not start at 0, decrease, or do not end at the number of entries; when a
    /// column is out of range, out of order or repeated inside its row; when
    /// weights and columns differ in length or a weight is not finite; when
    /// there are more than `u32::MAX` rows or columns.
    ///
    /// # Complexity
    ///
    /// Time linear in rows and entries, no extra memory.
    pub fn new(
        rows: usize,
        columns_count: usize,
        offsets: Vec<usize>,
        columns: Vec<u32>,
        weights: Option<Vec<f32>>,
    ) -> Result<Self, GraphError> {
        raw_parts(rows, columns_count, &offsets, &columns, weights.as_deref())?;
        Ok(Self::trusted(columns_count, offsets, columns, weights))
    }
}

/// Checks that rows and columns fit an index.
pub(super) fn size(rows: usize, columns_count: usize) -> Result<(), GraphError> {
    GraphError::check_limit("rows", rows)?;
    GraphError::check_limit("columns", columns_count)
}

/// Checks all invariants of [`Csr::new`].
pub(super) fn raw_parts(
    rows: usize,
    columns_count: usize,
    offsets: &[usize],
    columns: &[u32],
    weights: Option<&[f32]>,
) -> Result<(), GraphError> {
    size(rows, columns_count)?;
    check_offsets(rows, offsets, columns.len())?;
    for (row, bounds) in offsets.windows(2).enumerate() {
        check_row(
            row,
            bounds[0],
            &columns[bounds[0]..bounds[1]],
            columns_count,
        )?;
    }
    match weights {
        Some(weights) => check_weights(offsets, columns, weights),
        None => Ok(()),
    }
}

fn check_offsets(rows: usize, offsets: &[usize], entries: usize) -> Result<(), GraphError> {
    let wrong = |problem: String| Err(GraphError::Rows(problem));
    let (first, last, found) = match offsets {
        [first, .., last] => (*first, *last, offsets.len()),
        [only] => (*only, *only, 1),
        [] => (0, 0, 0),
    };
    if found != rows + 1 {
        return wrong(format!(
            "offsets hold {found} values, but {rows} rows need {rows} + 1"
        ));
    }
    if first != 0 {
        return wrong(format!(
            "offsets start at {first}, but the first row must start at entry 0"
        ));
    }
    if let Some(row) = offsets.windows(2).position(|pair| pair[1] < pair[0]) {
        let (start, end) = (offsets[row], offsets[row + 1]);
        return wrong(format!(
            "offsets of row {row} fall from {start} to {end}: a row must not end before it starts"
        ));
    }
    if last != entries {
        return wrong(format!(
            "offsets end at {last}, but there are {entries} entries: the last offset must equal their number"
        ));
    }
    Ok(())
}

fn check_row(
    row: usize,
    start: usize,
    columns: &[u32],
    columns_count: usize,
) -> Result<(), GraphError> {
    let wrong = |problem: String| Err(GraphError::Rows(problem));
    let mut before = None;
    for (entry, &column) in (start..).zip(columns) {
        if column as usize >= columns_count {
            return wrong(format!(
                "column {column} of entry {entry} in row {row} is out of range: there are {columns_count} columns, counted from 0"
            ));
        }
        match before {
            Some(previous) if previous == column => {
                return wrong(format!(
                    "column {column} stands twice in row {row} (again at entry {entry}): merge the two entries"
                ));
            }
            Some(previous) if previous > column => {
                return wrong(format!(
                    "column {column} of entry {entry} in row {row} follows column {previous}: sort the columns of every row"
                ));
            }
            _ => before = Some(column),
        }
    }
    Ok(())
}

fn check_weights(offsets: &[usize], columns: &[u32], weights: &[f32]) -> Result<(), GraphError> {
    GraphError::check_count("weights", weights.len(), columns.len(), "entries")?;
    match weights.iter().position(|weight| !weight.is_finite()) {
        Some(entry) => Err(GraphError::NonFiniteWeight {
            row: offsets.partition_point(|&start| start <= entry) - 1,
            column: columns[entry] as usize,
            value: f64::from(weights[entry]),
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refuse(offsets: &[usize], columns: &[u32], weights: Option<&[f32]>) -> GraphError {
        let weights = weights.map(<[f32]>::to_vec);
        Csr::new(2, 3, offsets.to_vec(), columns.to_vec(), weights).unwrap_err()
    }

    #[test]
    fn accepts_good_parts() {
        let matrix = Csr::new(2, 3, vec![0, 2, 3], vec![0, 2, 1], None).unwrap();
        assert_eq!(matrix.row(0), [0, 2]);
        assert!(Csr::new(0, 0, vec![0], vec![], Some(vec![])).is_ok());
    }

    #[test]
    fn names_bad_offsets() {
        for (offsets, columns, message) in [
            (
                &[][..],
                &[][..],
                "offsets hold 0 values, but 2 rows need 2 + 1",
            ),
            (
                &[0, 1],
                &[0],
                "offsets hold 2 values, but 2 rows need 2 + 1",
            ),
            (
                &[1, 1, 1],
                &[0],
                "offsets start at 1, but the first row must start at entry 0",
            ),
            (
                &[0, 2, 1],
                &[0],
                "offsets of row 1 fall from 2 to 1: a row must not end before it starts",
            ),
            (
                &[0, 1, 3],
                &[0, 0],
                "offsets end at 3, but there are 2 entries: the last offset must equal their number",
            ),
        ] {
            assert_eq!(refuse(offsets, columns, None).to_string(), message);
        }
    }

    #[test]
    fn names_bad_columns() {
        assert_eq!(
            refuse(&[0, 1, 2], &[0, 3], None).to_string(),
            "column 3 of entry 1 in row 1 is out of range: there are 3 columns, counted from 0"
        );
        assert_eq!(
            refuse(&[0, 1, 3], &[0, 2, 1], None).to_string(),
            "column 1 of entry 2 in row 1 follows column 2: sort the columns of every row"
        );
        assert_eq!(
            refuse(&[0, 2, 2], &[1, 1], None).to_string(),
            "column 1 stands twice in row 0 (again at entry 1): merge the two entries"
        );
    }

    #[test]
    fn names_bad_weights() {
        assert_eq!(
            refuse(&[0, 1, 2], &[0, 1], Some(&[1.0])).to_string(),
            "1 weights for 2 entries: there must be one for each"
        );
        assert_eq!(
            refuse(&[0, 0, 2], &[0, 2], Some(&[1.0, f32::INFINITY])),
            GraphError::NonFiniteWeight {
                row: 1,
                column: 2,
                value: f64::INFINITY
            }
        );
    }

    #[test]
    fn refuses_sizes_beyond_32_bits() {
        let rows = u32::MAX as usize + 1;
        let error = Csr::new(rows, 1, vec![0], vec![], None).unwrap_err();
        assert_eq!(
            error,
            GraphError::TooMany {
                what: "rows",
                count: rows
            }
        );
        assert!(Csr::new(usize::MAX, 1, vec![], vec![], None).is_err());
        assert!(Csr::new(0, rows, vec![0], vec![], None).is_err());
    }
}
