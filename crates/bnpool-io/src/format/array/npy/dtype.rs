//! The kinds of elements in a `.npy` file.

use std::fmt;
use std::str::FromStr;

/// The order of the bytes of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Endian {
    /// Least byte first, or numbers of one byte.
    Little,
    /// Greatest byte first.
    Big,
}

/// The kind of the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Floating-point numbers.
    Float,
    /// Whole numbers with a sign.
    Int,
    /// Whole numbers without a sign.
    Uint,
    /// Truth values.
    Bool,
    /// Python objects, stored as one pickle.
    Object,
    /// Text of a fixed width.
    Unicode,
    /// Text of a fixed width, a byte a letter.
    Bytes,
}

/// The type of the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtype {
    /// The kind of the elements.
    pub kind: Kind,
    /// Bytes an element (0 for objects, which have no fixed size).
    pub size: usize,
    /// Order of the bytes.
    pub endian: Endian,
}

impl FromStr for Dtype {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "its elements have the unsupported type {}",
                crate::bytes::error::quote(name.as_bytes())
            )
        };
        let mut characters = name.chars();
        let endian = match characters.next() {
            Some('<' | '|' | '=') => Endian::Little,
            Some('>') => Endian::Big,
            _ => return Err(unknown()),
        };
        let code = characters.next().ok_or_else(unknown)?;
        let digits = characters.as_str();
        if code == 'O' {
            return Ok(Self {
                kind: Kind::Object,
                size: 0,
                endian,
            });
        }
        let size: usize = digits.parse().map_err(|_| unknown())?;
        let (kind, allowed): (_, &[usize]) = match code {
            'f' => (Kind::Float, &[4, 8]),
            'i' => (Kind::Int, &[1, 2, 4, 8]),
            'u' => (Kind::Uint, &[1, 2, 4, 8]),
            'b' => (Kind::Bool, &[1]),
            // numpy counts characters, each of four bytes.
            'U' => {
                let size = size.checked_mul(4).ok_or_else(unknown)?;
                return Ok(Self {
                    kind: Kind::Unicode,
                    size,
                    endian,
                });
            }
            'S' => {
                return Ok(Self {
                    kind: Kind::Bytes,
                    size,
                    endian,
                });
            }
            _ => return Err(unknown()),
        };
        if !allowed.contains(&size) {
            return Err(unknown());
        }
        Ok(Self { kind, size, endian })
    }
}

impl Dtype {
    /// The numbers in these bytes as whole numbers; `None` if one is not, and
    /// for text and objects.
    pub(crate) fn integers(self, bytes: &[u8]) -> Option<Vec<i64>> {
        match self.kind {
            Kind::Float => self.reals(bytes).map(whole).collect(),
            Kind::Int => Some(self.words(bytes).map(|word| self.signed(word)).collect()),
            Kind::Uint => self.words(bytes).map(|word| word.try_into().ok()).collect(),
            Kind::Bool => Some(bytes.iter().map(|&byte| i64::from(byte != 0)).collect()),
            Kind::Object | Kind::Unicode | Kind::Bytes => None,
        }
    }

    /// The numbers in these bytes, rounded if necessary; `None` for text and
    /// objects.
    pub(crate) fn floats(self, bytes: &[u8]) -> Option<Vec<f32>> {
        Some(match (self.kind, self.size, self.endian) {
            (Kind::Float, 4, Endian::Little) => {
                let (numbers, _) = bytes.as_chunks();
                let numbers = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes));
                numbers.collect()
            }
            (Kind::Float, ..) => self.reals(bytes).map(|value| value as f32).collect(),
            (Kind::Int, ..) => self
                .words(bytes)
                .map(|word| self.signed(word) as f32)
                .collect(),
            (Kind::Uint, ..) => self.words(bytes).map(|word| word as f32).collect(),
            (Kind::Bool, ..) => bytes.iter().map(|&byte| f32::from(byte != 0)).collect(),
            (Kind::Object | Kind::Unicode | Kind::Bytes, ..) => return None,
        })
    }

    /// Floating-point numbers.
    fn reals(self, bytes: &[u8]) -> impl Iterator<Item = f64> + '_ {
        let narrow = self.size == 4;
        self.words(bytes).map(move |word| {
            if narrow {
                f64::from(f32::from_bits(word as u32))
            } else {
                f64::from_bits(word)
            }
        })
    }

    /// A word with the sign of its number.
    fn signed(self, word: u64) -> i64 {
        let shift = 64 - 8 * self.size as u32;
        (word << shift) as i64 >> shift
    }

    /// The bits of every number, in the low end of a word.
    fn words(self, bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
        bytes.chunks_exact(self.size).map(move |number| {
            let mut word = [0; 8];
            match self.endian {
                Endian::Little => {
                    word[..self.size].copy_from_slice(number);
                    u64::from_le_bytes(word)
                }
                Endian::Big => {
                    word[8 - self.size..].copy_from_slice(number);
                    u64::from_be_bytes(word)
                }
            }
        })
    }
}

/// The number as an integer, if it is one that 64-bit floats count exactly.
fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

/// Elements of `size` bytes in the order of the indices of a shape, the last running fastest.
/// The element of index 0 is the one at `start`, and a step along an axis passes as many
/// elements as its stride. All of them must be among the bytes.
pub(crate) fn gather(
    bytes: &[u8],
    size: usize,
    start: usize,
    shape: &[usize],
    strides: &[usize],
) -> Vec<u8> {
    let count: usize = shape.iter().product();
    let mut index = vec![0_usize; shape.len()];
    let mut place = start;
    let mut gathered = Vec::with_capacity(count * size);
    for _ in 0..count {
        gathered.extend_from_slice(&bytes[place * size..(place + 1) * size]);
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            // Steps past the last element may overflow, and are taken back.
            place = place.wrapping_add(strides[axis]);
            if index[axis] < shape[axis] {
                break;
            }
            place = place.wrapping_sub(strides[axis].wrapping_mul(shape[axis]));
            index[axis] = 0;
        }
    }
    gathered
}

/// The elements of an array whose first index runs fastest, with the last index
/// running fastest. `size` is the bytes of an element.
pub(crate) fn turned_around(bytes: &[u8], shape: &[usize], size: usize) -> Vec<u8> {
    let strides = shape.iter().scan(1, |stride, &side| {
        let own = *stride;
        *stride *= side;
        Some(own)
    });
    gather(bytes, size, 0, shape, &strides.collect::<Vec<_>>())
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, size) = match self.kind {
            Kind::Object => return f.write_str("|O"),
            Kind::Float => ('f', self.size),
            Kind::Int => ('i', self.size),
            Kind::Uint => ('u', self.size),
            Kind::Bool => ('b', self.size),
            Kind::Unicode => ('U', self.size / 4),
            Kind::Bytes => return write!(f, "|S{}", self.size),
        };
        let order = match self.endian {
            _ if self.size == 1 => '|',
            Endian::Little => '<',
            Endian::Big => '>',
        };
        write!(f, "{order}{code}{size}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dtype(name: &str) -> Dtype {
        name.parse().unwrap()
    }

    #[test]
    fn numbers_of_every_width_and_order() {
        assert_eq!(
            dtype("<i2").integers(&[0xfe, 0xff, 1, 0]),
            Some(vec![-2, 1])
        );
        assert_eq!(dtype(">i2").integers(&[0xff, 0xfe]), Some(vec![-2]));
        assert_eq!(dtype("|u1").integers(&[255]), Some(vec![255]));
        assert_eq!(dtype("|b1").floats(&[1, 0]), Some(vec![1.0, 0.0]));
        assert_eq!(dtype("<f4").floats(&1.5_f32.to_le_bytes()), Some(vec![1.5]));
        assert_eq!(dtype(">f8").floats(&1.5_f64.to_be_bytes()), Some(vec![1.5]));
        assert_eq!(dtype("<f8").integers(&3.0_f64.to_le_bytes()), Some(vec![3]));
        assert_eq!(dtype("<f8").integers(&3.5_f64.to_le_bytes()), None);
        assert_eq!(dtype("<f8").integers(&1e300_f64.to_le_bytes()), None);
        assert_eq!(dtype("<f4").integers(&f32::NAN.to_le_bytes()), None);
        assert_eq!(dtype("<u8").integers(&[255; 8]), None);
        assert_eq!(dtype("|O").floats(&[]), None);
        assert_eq!(dtype("<U5").floats(&[]), None);
    }

    #[test]
    fn columns_become_rows() {
        let by_columns = [1, 4, 2, 5, 3, 6];
        assert_eq!(turned_around(&by_columns, &[2, 3], 1), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn names_round_trip() {
        for name in [
            "<f4", ">f8", "|i1", "<i8", "|u1", ">u4", "|b1", "|O", "<U7", "|S3",
        ] {
            assert_eq!(name.parse::<Dtype>().unwrap().to_string(), name);
        }
    }

    #[test]
    fn other_types_are_refused() {
        for name in [
            "",
            "<",
            "f4",
            "<f2",
            "<i3",
            "<c8",
            "<M8[ns]",
            "|S",
            "|V3",
            "<U99999999999999999999",
            "<é4",
        ] {
            assert!(name.parse::<Dtype>().is_err(), "{name}");
        }
    }
}
