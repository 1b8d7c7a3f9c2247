//! The elements of a `.npy` array.

use super::dtype::{Dtype, Endian, Kind};

/// The elements of an array, the last index running fastest.
#[derive(Debug, Clone, PartialEq)]
pub enum NpyData {
    /// Numbers or truth values, as they stand in the file.
    Numbers(Dtype, Vec<u8>),
    /// Text.
    Text(Vec<String>),
    /// The pickle that holds all objects, as it stands in the file.
    Object(Vec<u8>),
}

impl NpyData {
    /// Decodes bytes whose length is known to be a multiple of the element size.
    pub(super) fn decode(dtype: Dtype, bytes: Vec<u8>) -> Result<Self, String> {
        Ok(match dtype.kind {
            Kind::Unicode => Self::Text(decode_text(&bytes, dtype)?),
            Kind::Bytes => Self::Text(decode_bytes(&bytes, dtype.size)?),
            Kind::Object => Self::Object(bytes),
            _ => Self::Numbers(dtype, bytes),
        })
    }

    /// The elements as 32-bit floats, rounded if necessary; `None` for
    /// text and objects.
    #[must_use]
    pub fn to_f32(&self) -> Option<Vec<f32>> {
        match self {
            Self::Numbers(dtype, bytes) => dtype.floats(bytes),
            Self::Text(_) | Self::Object(_) => None,
        }
    }

    /// The elements as whole numbers; `None` if one has a fraction or does
    /// not fit, and for text and objects.
    #[must_use]
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        match self {
            Self::Numbers(dtype, bytes) => dtype.integers(bytes),
            Self::Text(_) | Self::Object(_) => None,
        }
    }
}

fn decode_text(bytes: &[u8], dtype: Dtype) -> Result<Vec<String>, String> {
    if dtype.size == 0 {
        return Err("its text has width 0".to_owned());
    }
    let (letters, _) = bytes.as_chunks();
    let letter = match dtype.endian {
        Endian::Little => u32::from_le_bytes,
        Endian::Big => u32::from_be_bytes,
    };
    let letters: Vec<u32> = letters.iter().map(|&bytes| letter(bytes)).collect();
    let decode = |word: &[u32]| {
        let end = word
            .iter()
            .rposition(|&letter| letter != 0)
            .map_or(0, |last| last + 1);
        word[..end]
            .iter()
            .map(|&letter| char::from_u32(letter))
            .collect::<Option<String>>()
    };
    let words: Option<_> = letters.chunks(dtype.size / 4).map(decode).collect();
    words.ok_or_else(|| "its text is not Unicode".to_owned())
}

fn decode_bytes(bytes: &[u8], size: usize) -> Result<Vec<String>, String> {
    if size == 0 {
        return Err("its text has width 0".to_owned());
    }
    let decode = |word: &[u8]| {
        let end = word.iter().rposition(|&letter| letter != 0);
        let word = &word[..end.map_or(0, |last| last + 1)];
        std::str::from_utf8(word).map(str::to_owned)
    };
    let words: Result<_, _> = bytes.chunks(size).map(decode).collect();
    words.map_err(|_| "its text is not UTF-8".to_owned())
}
