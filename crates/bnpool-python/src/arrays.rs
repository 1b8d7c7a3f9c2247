//! NumPy arrays, read in place.

use crate::error::wrong;
use bnpool_graph::{Csr, Matrix};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Reads integers from an array of any usual NumPy type.
pub fn whole(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<i64>> {
    macro_rules! try_types {
        ($($kind:ty),*) => {
            $(if let Ok(values) = array.extract::<PyReadonlyArray1<'_, $kind>>() {
                return Ok(values.as_array().iter().map(|&x| x as i64).collect());
            })*
        };
    }
    try_types!(i64, i32, u32, u64);
    Err(wrong(format!(
        "{what}: a one-dimensional array of whole numbers is needed"
    )))
}

/// Reads numbers from an array in the precision of the engine.
pub fn numbers(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<f32>> {
    if let Ok(values) = array.extract::<PyReadonlyArray1<'_, f32>>() {
        return Ok(values.as_array().iter().copied().collect());
    }
    if let Ok(values) = array.extract::<PyReadonlyArray1<'_, f64>>() {
        return Ok(values.as_array().iter().map(|&x| x as f32).collect());
    }
    Err(wrong(format!(
        "{what}: a one-dimensional array of numbers is needed"
    )))
}

/// Checks the number of a node.
pub fn node(number: i64, nodes: usize) -> PyResult<u32> {
    if number < 0 {
        return Err(wrong(format!(
            "node id {number} is negative; number nodes from 0"
        )));
    }
    match u32::try_from(number) {
        Ok(node) if (node as usize) < nodes => Ok(node),
        _ => Err(wrong(format!(
            "there is no node {number} among {nodes} nodes, which are numbered from 0"
        ))),
    }
}

/// Reads edges from two lists of nodes.
pub fn pairs(
    sources: &Bound<'_, PyAny>,
    targets: &Bound<'_, PyAny>,
    nodes: usize,
) -> PyResult<Vec<(u32, u32)>> {
    let sources = whole(sources, "sources")?;
    let targets = whole(targets, "targets")?;
    if sources.len() != targets.len() {
        return Err(wrong(format!(
            "{} sources and {} targets: every edge needs one of each",
            sources.len(),
            targets.len()
        )));
    }
    let pairs = sources.into_iter().zip(targets);
    pairs
        .map(|(u, v)| Ok((node(u, nodes)?, node(v, nodes)?)))
        .collect()
}

/// Returns the positions of the entries of a matrix in compressed rows.
pub fn places(
    offsets: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    rows: usize,
    columns_count: usize,
) -> PyResult<Vec<(u32, u32)>> {
    let offsets = whole(offsets, "indptr")?;
    let columns = whole(columns, "indices")?;
    let fits = offsets.len() == rows.saturating_add(1)
        && offsets.first() == Some(&0)
        && offsets.last() == Some(&(columns.len() as i64))
        && offsets.is_sorted();
    if !fits || u32::try_from(rows).is_err() {
        return Err(wrong(format!(
            "the offsets of a sparse matrix of {rows} rows and {} entries do not fit it",
            columns.len()
        )));
    }
    let mut places = Vec::with_capacity(columns.len());
    for (row, bounds) in offsets.windows(2).enumerate() {
        for &column in &columns[bounds[0] as usize..bounds[1] as usize] {
            places.push((row as u32, node(column, columns_count)?));
        }
    }
    Ok(places)
}

/// Reads a dense matrix.
pub fn matrix(array: &Bound<'_, PyAny>, what: &str) -> PyResult<Matrix> {
    let (rows, columns, values): (usize, usize, Vec<f32>) =
        if let Ok(values) = array.extract::<PyReadonlyArray2<'_, f32>>() {
            let view = values.as_array();
            (view.nrows(), view.ncols(), view.iter().copied().collect())
        } else if let Ok(values) = array.extract::<PyReadonlyArray2<'_, f64>>() {
            let view = values.as_array();
            let numbers = view.iter().map(|&x| x as f32).collect();
            (view.nrows(), view.ncols(), numbers)
        } else {
            return Err(wrong(format!(
                "{what}: a two-dimensional array of numbers is needed"
            )));
        };
    check_finite(&values, columns, what)?;
    Matrix::new(rows, columns, values).map_err(|e| wrong(format!("{what}: {e}")))
}

/// Reads a sparse matrix in compressed rows.
pub fn sparse(
    offsets: &Bound<'_, PyAny>,
    columns: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    [rows, width]: [usize; 2],
    what: &str,
) -> PyResult<Csr> {
    let places = places(offsets, columns, rows, width)?;
    let values = numbers(values, what)?;
    if values.len() != places.len() {
        return Err(wrong(format!(
            "{what}: {} values for {} entries",
            values.len(),
            places.len()
        )));
    }
    if let Some(place) = values.iter().position(|x| !x.is_finite()) {
        let (row, column) = places[place];
        return Err(not_finite(what, row as usize, column as usize));
    }
    let entries = places.into_iter().zip(&values);
    let entries = entries.map(|((row, column), &value)| (row, column, value));
    let matrix = Csr::from_entries(rows, width, entries);
    let matrix = matrix.map_err(|e| wrong(format!("{what}: {e}")))?;
    // Like in the file readers.
    if values.iter().all(|&value| value == 1.0) && matrix.entries() == values.len() {
        Ok(matrix.without_weights())
    } else {
        Ok(matrix)
    }
}

fn check_finite(values: &[f32], columns: usize, what: &str) -> PyResult<()> {
    match values.iter().position(|x| !x.is_finite()) {
        None => Ok(()),
        Some(place) => Err(not_finite(what, place / columns, place % columns)),
    }
}

fn not_finite(what: &str, row: usize, column: usize) -> PyErr {
    wrong(format!(
        "{what}: the value in row {row}, column {column} is NaN or infinite; replace or drop it"
    ))
}
