//! Writing `.npy` arrays.

use std::path::Path;

use crate::bytes::atomic::{WriteError, write_atomically};

/// numpy aligns the data to this many bytes.
const ALIGNMENT: usize = 64;

/// Writes 32-bit floats as a `.npy` file, whole or not at all.
///
/// # Errors
///
/// When the file cannot be written.
///
/// # Panics
///
/// When the shape does not match the number of values.
pub fn write_f32(path: &Path, shape: &[usize], values: &[f32]) -> Result<(), WriteError> {
    write_atomically(path, |file| file.write_all(&encode_f32(shape, values)))
}

/// Writes 64-bit integers as a `.npy` file, whole or not at all.
///
/// # Errors
///
/// When the file cannot be written.
///
/// # Panics
///
/// When the shape does not match the number of values.
pub fn write_i64(path: &Path, shape: &[usize], values: &[i64]) -> Result<(), WriteError> {
    write_atomically(path, |file| file.write_all(&encode_i64(shape, values)))
}

/// The bytes of a `.npy` file of 32-bit floats.
///
/// # Panics
///
/// When the shape does not match the number of values.
///
/// ```
/// use std::path::Path;
/// use bnpool_io::format::npy::{Npy, encode_f32};
///
/// let bytes = encode_f32(&[2, 1], &[1.0, 2.0]);
/// let array = Npy::parse(Path::new("a.npy"), &bytes)?;
/// assert_eq!(array.shape, [2, 1]);
/// assert_eq!(array.data.to_f32(), Some(vec![1.0, 2.0]));
/// # Ok::<(), bnpool_io::format::ReadError>(())
/// ```
#[must_use]
pub fn encode_f32(shape: &[usize], values: &[f32]) -> Vec<u8> {
    encode(
        "<f4",
        shape,
        values.len(),
        values.iter().map(|value| value.to_le_bytes()),
    )
}

/// The bytes of a `.npy` file of 64-bit integers.
///
/// # Panics
///
/// When the shape does not match the number of values.
#[must_use]
pub fn encode_i64(shape: &[usize], values: &[i64]) -> Vec<u8> {
    encode(
        "<i8",
        shape,
        values.len(),
        values.iter().map(|value| value.to_le_bytes()),
    )
}

fn encode<const SIZE: usize>(
    descr: &str,
    shape: &[usize],
    count: usize,
    elements: impl Iterator<Item = [u8; SIZE]>,
) -> Vec<u8> {
    assert_eq!(
        shape.iter().product::<usize>(),
        count,
        "values for the shape {shape:?}"
    );
    let sides: String = shape.iter().map(|side| format!("{side},")).collect();
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sides}), }}");
    // Magic, version and length take 10 bytes, the final newline one.
    let unpadded = 10 + header.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    header.extend(std::iter::repeat_n(' ', padding));
    header.push('\n');
    let length = u16::try_from(header.len())
        .unwrap_or_else(|_| panic!("{} dimensions are beyond numpy", shape.len()));

    let mut bytes = Vec::with_capacity(10 + header.len() + count * SIZE);
    bytes.extend(b"\x93NUMPY\x01\x00");
    bytes.extend(length.to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(elements.flatten());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::npy::Npy;

    #[test]
    fn round_trips_and_aligns() {
        for shape in [&[][..], &[1], &[1, 1, 1]] {
            let bytes = encode_i64(shape, &[-7]);
            assert_eq!((bytes.len() - 8) % ALIGNMENT, 0);
            let array = Npy::parse(Path::new("a.npy"), &bytes).unwrap();
            assert_eq!(array.shape, shape);
            assert_eq!(array.data.to_i64().unwrap(), [-7]);
        }
        let empty = Npy::parse(Path::new("a.npy"), &encode_f32(&[0, 5], &[])).unwrap();
        assert_eq!(empty.shape, [0, 5]);
    }
}
