//! Arrays of numbers as numpy writes them.

use std::borrow::Cow;

/// What the numbers of an array are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    /// References to other objects.
    Object,
}

/// How the numbers of an array are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Dtype {
    pub(super) kind: Kind,
    /// Bytes of a number.
    pub(super) size: usize,
    pub(super) big_endian: bool,
}

impl Dtype {
    /// The type of a short name such as `f4`, or `<f4`.
    pub(super) fn find(name: &[u8]) -> Option<Self> {
        let (big_endian, name) = match name {
            [b'>', name @ ..] => (true, name),
            [b'<' | b'|' | b'=', name @ ..] => (false, name),
            name => (false, name),
        };
        let (kind, size) = match name {
            b"b1" | b"?" => (Kind::Bool, 1),
            b"i1" => (Kind::Signed, 1),
            b"i2" => (Kind::Signed, 2),
            b"i4" => (Kind::Signed, 4),
            b"i8" => (Kind::Signed, 8),
            b"u1" => (Kind::Unsigned, 1),
            b"u2" => (Kind::Unsigned, 2),
            b"u4" => (Kind::Unsigned, 4),
            b"u8" => (Kind::Unsigned, 8),
            b"f4" => (Kind::Float, 4),
            b"f8" => (Kind::Float, 8),
            b"O" | b"O4" | b"O8" => (Kind::Object, 8),
            _ => return None,
        };
        Some(Self {
            kind,
            size,
            big_endian,
        })
    }

    /// The numbers in the bytes as whole numbers; `None` where one is not.
    pub(super) fn integers(self, bytes: &[u8]) -> Option<Vec<i64>> {
        match self.kind {
            Kind::Object => None,
            Kind::Float => self
                .floats(bytes)?
                .into_iter()
                .map(|value| (value as i64 as f64 == value).then_some(value as i64))
                .collect(),
            Kind::Bool | Kind::Unsigned => self
                .words(bytes)
                .map(|word| i64::try_from(word).ok())
                .collect(),
            Kind::Signed => {
                let shift = 64 - 8 * self.size as u32;
                let extend = |word: u64| (word << shift) as i64 >> shift;
                Some(self.words(bytes).map(extend).collect())
            }
        }
    }

    /// The numbers in the bytes as real numbers; `None` for objects.
    pub(super) fn floats(self, bytes: &[u8]) -> Option<Vec<f64>> {
        let values = match (self.kind, self.size) {
            (Kind::Object, _) => return None,
            (Kind::Float, 4) => self
                .words(bytes)
                .map(|word| f64::from(f32::from_bits(word as u32)))
                .collect(),
            (Kind::Float, _) => self.words(bytes).map(f64::from_bits).collect(),
            (Kind::Bool | Kind::Unsigned, _) => self.words(bytes).map(|word| word as f64).collect(),
            (Kind::Signed, _) => {
                let integers = self.integers(bytes)?;
                integers.into_iter().map(|value| value as f64).collect()
            }
        };
        Some(values)
    }

    /// The numbers in the bytes as 32-bit real numbers; `None` for objects.
    pub(super) fn floats_32(self, bytes: &[u8]) -> Option<Vec<f32>> {
        if (self.kind, self.size) == (Kind::Float, 4) {
            let values = self.words(bytes);
            return Some(values.map(|word| f32::from_bits(word as u32)).collect());
        }
        let values = self.floats(bytes)?;
        Some(values.into_iter().map(|value| value as f32).collect())
    }

    /// The bits of every number, in the low end of a word.
    fn words(self, bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
        bytes.chunks_exact(self.size).map(move |number| {
            let mut word = [0; 8];
            if self.big_endian {
                word[8 - self.size..].copy_from_slice(number);
                u64::from_be_bytes(word)
            } else {
                word[..self.size].copy_from_slice(number);
                u64::from_le_bytes(word)
            }
        })
    }
}

/// Brings the numbers of a matrix from column after column to row after row.
pub(super) fn row_after_row<'a>(
    bytes: Cow<'a, [u8]>,
    shape: &[usize],
    size: usize,
) -> Cow<'a, [u8]> {
    let &[rows, columns] = shape else {
        return bytes;
    };
    let mut sorted = Vec::with_capacity(bytes.len());
    for row in 0..rows {
        for column in 0..columns {
            let start = (column * rows + row) * size;
            sorted.extend_from_slice(&bytes[start..start + size]);
        }
    }
    Cow::Owned(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dtype(name: &str) -> Dtype {
        Dtype::find(name.as_bytes()).unwrap()
    }

    #[test]
    fn numbers_of_every_width_and_order() {
        assert_eq!(dtype("i2").integers(&[0xfe, 0xff, 1, 0]), Some(vec![-2, 1]));
        assert_eq!(dtype(">i2").integers(&[0xff, 0xfe]), Some(vec![-2]));
        assert_eq!(dtype("u1").integers(&[255]), Some(vec![255]));
        assert_eq!(dtype("b1").floats(&[1, 0]), Some(vec![1.0, 0.0]));
        assert_eq!(dtype("<f4").floats(&1.5_f32.to_le_bytes()), Some(vec![1.5]));
        assert_eq!(
            dtype(">f8").floats_32(&1.5_f64.to_be_bytes()),
            Some(vec![1.5])
        );
        assert_eq!(dtype("f8").integers(&3.0_f64.to_le_bytes()), Some(vec![3]));
        assert_eq!(dtype("f8").integers(&3.5_f64.to_le_bytes()), None);
        assert_eq!(dtype("f4").integers(&f32::NAN.to_le_bytes()), None);
        assert_eq!(dtype("u8").integers(&[255; 8]), None);
        assert_eq!(dtype("O8").floats(&[]), None);
        assert_eq!(Dtype::find(b"U5"), None);
    }

    #[test]
    fn columns_become_rows() {
        let by_columns = Cow::Borrowed(&[1, 4, 2, 5, 3, 6][..]);
        let by_rows = row_after_row(by_columns, &[2, 3], 1);
        assert_eq!(*by_rows, [1, 2, 3, 4, 5, 6]);
    }
}
