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

/// What the elements of an array are.
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
    /// What the elements are.
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
