//! Sparse matrices as `scipy.sparse.save_npz` writes them.
//!
//! The array `format` names the layout of a matrix: compressed rows (`csr`),
//! compressed columns (`csc`) or coordinates (`coo`). Older files without it are
//! in compressed rows.

use super::csr_bundle::{
    read_compressed, read_csr, read_indices, read_shape, read_weights, without_ones,
};
use crate::bytes::error::{ReadError, quote};
use crate::bytes::limits::Limits;
use crate::format::array::npy::NpyData;
use crate::format::array::npz::Npz;
use bnpool_graph::Csr;

/// Reads the matrix of an archive; `None` if there is none.
pub(crate) fn read(npz: &mut Npz, limits: &Limits) -> Result<Option<Csr>, ReadError> {
    let has = |name: &str| npz.names().any(|other| other == name);
    let compressed = ["data", "indices", "indptr", "shape"].into_iter().all(has);
    let layout = match (has("format"), compressed) {
        (true, _) => read_layout(npz)?,
        (false, true) => "csr".to_owned(),
        (false, false) => return Ok(None),
    };
    match layout.as_str() {
        "csr" => read_csr(npz, "", limits),
        // The rows of what is stored are the columns of the matrix.
        "csc" => {
            let [rows, columns] = read_shape(npz, "")?;
            let turned = read_compressed(npz, "", [columns, rows], limits)?;
            Ok(turned.transpose().clone())
        }
        "coo" => read_coordinates(npz, limits),
        other => Err(ReadError::in_file(
            npz.path(),
            format!(
                "a sparse matrix of the format {} is not supported",
                quote(other.as_bytes())
            ),
            "save it as `scipy.sparse.save_npz(path, matrix.tocsr())`",
        )),
    }
    .map(Some)
}

fn read_layout(npz: &mut Npz) -> Result<String, ReadError> {
    let array = npz.required("format")?;
    match &array.data {
        NpyData::Text(words) if words.len() == 1 => Ok(words[0].clone()),
        _ => Err(ReadError::in_file(
            npz.path().join("format"),
            format!("an array of type {} does not tell a format", array.dtype),
            "save the matrix with scipy.sparse.save_npz",
        )),
    }
}

fn read_coordinates(npz: &mut Npz, limits: &Limits) -> Result<Csr, ReadError> {
    let [rows, columns] = read_shape(npz, "")?;
    let sources: Vec<u32> = read_indices(npz, "row")?;
    let targets: Vec<u32> = read_indices(npz, "col")?;
    let weights = read_weights(npz, "data", sources.len())?;
    let path = npz.path();
    if sources.len() != targets.len() {
        return Err(ReadError::in_file(
            path,
            format!("{} rows and {} columns", sources.len(), targets.len()),
            "give every entry a row and a column",
        ));
    }
    let bytes = 16 * sources.len();
    limits.check_announced(path, "rows", rows as u64, bytes)?;
    limits.check_announced(path, "columns", columns as u64, bytes)?;
    let entries = sources.into_iter().zip(targets).zip(weights);
    let entries = entries.map(|((row, column), weight)| (row, column, weight));
    Csr::from_entries(rows, columns, entries)
        .map(without_ones)
        .map_err(|error| ReadError::graph(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::npy::{encode_f32, encode_i64};
    use crate::format::npz::encode_npz;

    /// The array of the word, as numpy stores bytes.
    fn word(word: &str) -> Vec<u8> {
        let header = format!(
            "{{'descr': '|S{}', 'fortran_order': False, 'shape': (), }}\n",
            word.len()
        );
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(word.bytes());
        bytes
    }

    fn read_arrays(arrays: &[(&str, Vec<u8>)]) -> Result<Option<Csr>, ReadError> {
        let bytes = encode_npz(arrays).unwrap();
        let mut npz = Npz::from_bytes("g.npz", bytes, &Limits::default())?;
        read(&mut npz, &Limits::default())
    }

    fn numbers(numbers: &[i64]) -> Vec<u8> {
        encode_i64(&[numbers.len()], numbers)
    }

    fn compressed(format: &str, shape: [i64; 2]) -> Result<Option<Csr>, ReadError> {
        read_arrays(&[
            ("format", word(format)),
            ("indptr", numbers(&[0, 2, 3])),
            ("indices", numbers(&[1, 2, 0])),
            ("data", encode_f32(&[3], &[5.0, 6.0, 7.0])),
            ("shape", numbers(&shape)),
        ])
    }

    #[test]
    fn the_format_tells_rows_from_columns() {
        let rows = compressed("csr", [2, 3]).unwrap().unwrap();
        let columns = compressed("csc", [3, 2]).unwrap().unwrap();
        let expected = [(0, 1, 5.0), (0, 2, 6.0), (1, 0, 7.0)];
        assert_eq!(rows.iter().collect::<Vec<_>>(), expected);
        let expected = [(0, 1, 7.0), (1, 0, 5.0), (2, 0, 6.0)];
        assert_eq!(columns.iter().collect::<Vec<_>>(), expected);
        assert_eq!((columns.rows(), columns.columns_count()), (3, 2));
    }

    #[test]
    fn coordinates_may_repeat() {
        let coo = |shape: [i64; 2], col: &[i64]| {
            read_arrays(&[
                ("format", word("coo")),
                ("row", numbers(&[1, 0, 1])),
                ("col", numbers(col)),
                ("data", encode_f32(&[3], &[1.0, 2.0, 3.0])),
                ("shape", numbers(&shape)),
            ])
        };
        let matrix = coo([2, 2], &[0, 1, 0]).unwrap().unwrap();
        let expected = [(0, 1, 2.0), (1, 0, 4.0)];
        assert_eq!(matrix.iter().collect::<Vec<_>>(), expected);
        for (shape, col, message) in [
            ([2, 2], &[0, 1][..], "3 rows and 2 columns"),
            ([2, 2], &[0, 2, 0], "leaves the matrix"),
            ([2, 9_000_000_000], &[0, 1, 0], "announcement of 9000000000"),
        ] {
            let error = coo(shape, col).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn other_formats_are_named() {
        let error = compressed("dia", [2, 2]).unwrap_err().to_string();
        assert!(error.contains("format `dia` is not supported"), "{error}");
        let error = read_arrays(&[("format", numbers(&[1]))]).unwrap_err();
        assert!(
            error.to_string().contains("does not tell a format"),
            "{error}"
        );
        assert_eq!(read_arrays(&[("x", numbers(&[1]))]).unwrap(), None);
    }
}
