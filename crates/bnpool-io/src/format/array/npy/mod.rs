//! numpy's `.npy` arrays.

mod data;
mod dtype;
mod header;
mod stream;
mod write;

use std::path::Path;

use bnpool_math::memory::bytes_of;
pub use data::NpyData;
pub use dtype::{Dtype, Endian, Kind};
pub(crate) use dtype::{gather, turned_around};
pub(crate) use stream::NpyList;
pub use write::{encode_f32, encode_i64, write_f32, write_i64};

use crate::bytes::error::ReadError;
use crate::bytes::limits::Limits;
use crate::bytes::source::Source;
use bnpool_graph::Matrix;

/// An array: its shape and its elements, the last index running fastest.
#[derive(Debug, Clone, PartialEq)]
pub struct Npy {
    /// Length of every side; empty for a single element.
    pub shape: Vec<usize>,
    /// Type of the elements in the file.
    pub dtype: Dtype,
    /// The elements. Arrays in Fortran order are turned around when read.
    pub data: NpyData,
}

impl Npy {
    /// Reads the array in a `.npy` file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or as [`parse`](Self::parse).
    pub fn open(path: &Path, limits: &Limits) -> Result<Self, ReadError> {
        Self::parse(path, Source::open(path, limits)?.bytes())
    }

    /// Parses the content of a `.npy` file; the path is only a name for messages.
    ///
    /// Floats of 4 and 8 bytes, whole numbers, truth values, fixed-width text
    /// and objects (as the raw bytes of their pickle) are understood, in either
    /// byte order.
    ///
    /// # Errors
    ///
    /// When the header is not as numpy writes it, the elements are of another
    /// type, or the data are longer or shorter than the shape says; nothing is
    /// reserved before that is known.
    ///
    /// # Complexity
    ///
    /// Linear in the bytes.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, ReadError> {
        let refuse = |problem: String| bad_array(path, &problem);
        let (header, data) = header::split(bytes).map_err(refuse)?;
        let header::Header {
            dtype,
            fortran_order,
            shape,
        } = header;
        let count =
            count(&shape).ok_or_else(|| refuse("its shape is beyond any memory".to_owned()))?;
        let data = if dtype.kind == Kind::Object {
            NpyData::Object(data.to_vec())
        } else {
            check_length(&shape, dtype, count, data.len()).map_err(refuse)?;
            let element = match dtype.kind {
                // Text without letters is refused below.
                Kind::Unicode | Kind::Bytes if dtype.size == 0 => 0,
                Kind::Unicode | Kind::Bytes => size_of::<String>() + dtype.size,
                _ => dtype.size.max(size_of::<f32>()),
            };
            let what = format!("an array of shape {shape:?}");
            Limits::default().check_memory(path, &what, bytes_of::<u8>(&[count, element]))?;
            let data = if fortran_order && shape.len() > 1 {
                turned_around(data, &shape, dtype.size)
            } else {
                data.to_vec()
            };
            NpyData::decode(dtype, data).map_err(refuse)?
        };
        Ok(Self { shape, dtype, data })
    }

    /// Number of elements; objects count as the shape says.
    #[must_use]
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// The array as a dense matrix: a one-dimensional array is one column.
    ///
    /// # Errors
    ///
    /// When the array has more than two dimensions, is not of numbers, or holds
    /// a value that is not finite.
    pub fn to_matrix(&self, path: &Path) -> Result<Matrix, ReadError> {
        let (rows, columns) = match self.shape[..] {
            [rows] => (rows, 1),
            [rows, columns] => (rows, columns),
            _ => {
                return Err(ReadError::in_file(
                    path,
                    format!("an array of {} dimensions is no matrix", self.shape.len()),
                    "give two dimensions: nodes × features",
                ));
            }
        };
        let values = self.data.to_f32().ok_or_else(|| {
            ReadError::in_file(
                path,
                format!("elements of type {} are not numbers", self.dtype),
                "give an array of numbers",
            )
        })?;
        Matrix::new(rows, columns, values).map_err(|error| ReadError::graph(path, error))
    }
}

fn bad_array(path: &Path, problem: &str) -> ReadError {
    ReadError::in_file(
        path,
        format!("not a good .npy array: {problem}"),
        "write it again with numpy.save, as numbers, bool, text or objects",
    )
}

/// Number of elements; `None` beyond any memory.
fn count(shape: &[usize]) -> Option<usize> {
    shape
        .iter()
        .try_fold(1_usize, |count, &side| count.checked_mul(side))
}

fn check_length(shape: &[usize], dtype: Dtype, count: usize, found: usize) -> Result<(), String> {
    let needed = count
        .checked_mul(dtype.size)
        .ok_or("its shape is beyond any memory")?;
    if needed == found {
        return Ok(());
    }
    Err(format!(
        "shape {shape:?} of type {dtype} needs {needed} bytes, but {found} follow"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of version 1 with this header and data.
    fn file(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(data);
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<Npy, ReadError> {
        Npy::parse(Path::new("a.npy"), bytes)
    }

    #[test]
    fn reads_both_byte_orders() {
        let big = parse(&file(">i2", "False", "(2,)", &[1, 2, 0xff, 0xff])).unwrap();
        assert_eq!(big.data.to_i64().unwrap(), [258, -1]);
        let little = parse(&file("<i2", "False", "(2,)", &[1, 2, 0xff, 0xff])).unwrap();
        assert_eq!(little.data.to_i64().unwrap(), [513, -1]);
        let truth = parse(&file("|b1", "False", "(3,)", &[0, 1, 1])).unwrap();
        assert_eq!(truth.data.to_i64().unwrap(), [0, 1, 1]);
        assert_eq!(truth.data.to_f32().unwrap(), [0.0, 1.0, 1.0]);
    }

    #[test]
    fn turns_fortran_order_around() {
        let columns = parse(&file("|u1", "True", "(2, 3)", &[1, 4, 2, 5, 3, 6])).unwrap();
        assert_eq!(columns.data.to_i64().unwrap(), [1, 2, 3, 4, 5, 6]);
        let cube = parse(&file("|u1", "True", "(2, 1, 2)", &[1, 3, 2, 4])).unwrap();
        assert_eq!(cube.data.to_i64().unwrap(), [1, 2, 3, 4]);
    }

    #[test]
    fn reads_text_and_leaves_objects_alone() {
        let letters: Vec<u8> = "ab\0cé\0"
            .chars()
            .flat_map(|c| u32::from(c).to_le_bytes())
            .collect();
        let text = parse(&file("<U3", "False", "(2,)", &letters)).unwrap();
        assert_eq!(text.data, NpyData::Text(vec!["ab".into(), "cé".into()]));
        let bytes = parse(&file("|S3", "False", "(2,)", b"ab\0\xc3\xa9\0")).unwrap();
        assert_eq!(bytes.data, NpyData::Text(vec!["ab".into(), "é".into()]));
        assert!(parse(&file("|S1", "False", "(1,)", b"\xff")).is_err());
        let objects = parse(&file("|O", "False", "(2,)", b"\x80\x03pickle")).unwrap();
        assert_eq!(objects.data, NpyData::Object(b"\x80\x03pickle".to_vec()));
        assert!(objects.to_matrix(Path::new("a.npy")).is_err());
    }

    #[test]
    fn shapes_must_match_the_data() {
        let error = parse(&file("<f8", "False", "(1000000000, 8)", &[])).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.npy: not a good .npy array: shape [1000000000, 8] of type <f8 needs 64000000000 \
             bytes, but 0 follow; write it again with numpy.save, as numbers, bool, text or objects"
        );
        for (descr, shape, data) in [
            ("<f8", "(4611686018427387904, 16)", 0),
            ("<f4", "(1,)", 5),
            ("<U0", "(3,)", 1),
            ("<U1", "(1,)", 3),
        ] {
            assert!(parse(&file(descr, "False", shape, &vec![0; data])).is_err());
        }
        // Text of width 0 takes no bytes, however many there are said to be.
        assert!(parse(&file("<U0", "False", "(9999999999,)", &[])).is_err());
        assert!(parse(&file("|S0", "False", "(9999999999,)", &[])).is_err());
    }

    #[test]
    fn makes_matrices() {
        let path = Path::new("a.npy");
        let one = parse(&file("|i1", "False", "(2,)", &[1, 255])).unwrap();
        assert_eq!(
            one.to_matrix(path).unwrap(),
            Matrix::from_rows([[1.0], [-1.0]]).unwrap()
        );
        let nan = parse(&file("<f4", "False", "(1, 1)", &f32::NAN.to_le_bytes())).unwrap();
        let error = nan.to_matrix(path).unwrap_err().to_string();
        assert!(error.contains("row 0, column 0 is not finite"), "{error}");
    }
}
