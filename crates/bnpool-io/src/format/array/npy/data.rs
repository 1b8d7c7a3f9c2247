//! The elements of a `.npy` array.

use super::dtype::{Dtype, Endian, Kind};

/// The elements of an array, the last index running fastest.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are named after what they hold")]
pub enum NpyData {
    F32(Vec<f32>),
    F64(Vec<f64>),
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    Bool(Vec<bool>),
    Text(Vec<String>),
    /// The pickle that holds all objects, as it stands in the file.
    Object(Vec<u8>),
}

impl NpyData {
    /// Decodes bytes whose length is known to be a multiple of the element size.
    pub(super) fn decode(dtype: Dtype, bytes: &[u8]) -> Result<Self, String> {
        macro_rules! numbers {
            ($variant:ident, $number:ty) => {
                Self::$variant(decode_numbers(
                    bytes,
                    dtype.endian,
                    <$number>::from_le_bytes,
                    <$number>::from_be_bytes,
                ))
            };
        }
        Ok(match (dtype.kind, dtype.size) {
            (Kind::Float, 4) => numbers!(F32, f32),
            (Kind::Float, _) => numbers!(F64, f64),
            (Kind::Int, 1) => numbers!(I8, i8),
            (Kind::Int, 2) => numbers!(I16, i16),
            (Kind::Int, 4) => numbers!(I32, i32),
            (Kind::Int, _) => numbers!(I64, i64),
            (Kind::Uint, 1) => Self::U8(bytes.to_vec()),
            (Kind::Uint, 2) => numbers!(U16, u16),
            (Kind::Uint, 4) => numbers!(U32, u32),
            (Kind::Uint, _) => numbers!(U64, u64),
            (Kind::Bool, _) => Self::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
            (Kind::Unicode, _) => Self::Text(decode_text(bytes, dtype)?),
            (Kind::Bytes, size) => Self::Text(decode_bytes(bytes, size)?),
            (Kind::Object, _) => Self::Object(bytes.to_vec()),
        })
    }

    /// Turns an array whose first index runs fastest around.
    pub(super) fn turned_around(self, shape: &[usize]) -> Self {
        match self {
            Self::F32(values) => Self::F32(turn(&values, shape)),
            Self::F64(values) => Self::F64(turn(&values, shape)),
            Self::I8(values) => Self::I8(turn(&values, shape)),
            Self::I16(values) => Self::I16(turn(&values, shape)),
            Self::I32(values) => Self::I32(turn(&values, shape)),
            Self::I64(values) => Self::I64(turn(&values, shape)),
            Self::U8(values) => Self::U8(turn(&values, shape)),
            Self::U16(values) => Self::U16(turn(&values, shape)),
            Self::U32(values) => Self::U32(turn(&values, shape)),
            Self::U64(values) => Self::U64(turn(&values, shape)),
            Self::Bool(values) => Self::Bool(turn(&values, shape)),
            Self::Text(values) => Self::Text(turn(&values, shape)),
            Self::Object(bytes) => Self::Object(bytes),
        }
    }

    /// The elements as 32-bit floats, rounded where they must be; `None` for
    /// text and objects.
    #[must_use]
    pub fn to_f32(&self) -> Option<Vec<f32>> {
        fn convert<T: Copy>(values: &[T], number: impl Fn(T) -> f32) -> Option<Vec<f32>> {
            Some(values.iter().map(|&value| number(value)).collect())
        }
        match self {
            Self::F32(values) => Some(values.clone()),
            Self::F64(values) => convert(values, |value| value as f32),
            Self::I8(values) => convert(values, f32::from),
            Self::I16(values) => convert(values, f32::from),
            Self::I32(values) => convert(values, |value| value as f32),
            Self::I64(values) => convert(values, |value| value as f32),
            Self::U8(values) => convert(values, f32::from),
            Self::U16(values) => convert(values, f32::from),
            Self::U32(values) => convert(values, |value| value as f32),
            Self::U64(values) => convert(values, |value| value as f32),
            Self::Bool(values) => convert(values, f32::from),
            Self::Text(_) | Self::Object(_) => None,
        }
    }

    /// The elements as whole numbers; `None` where one has a fraction or does
    /// not fit, and for text and objects.
    #[must_use]
    pub fn to_i64(&self) -> Option<Vec<i64>> {
        match self {
            Self::F32(values) => values.iter().map(|&v| whole(f64::from(v))).collect(),
            Self::F64(values) => values.iter().map(|&v| whole(v)).collect(),
            Self::I8(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::I16(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::I32(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::I64(values) => Some(values.clone()),
            Self::U8(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::U16(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::U32(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::U64(values) => values.iter().map(|&v| v.try_into().ok()).collect(),
            Self::Bool(values) => Some(values.iter().map(|&v| v.into()).collect()),
            Self::Text(_) | Self::Object(_) => None,
        }
    }
}

/// The number as an integer, if it is one that 64-bit floats count exactly.
fn whole(value: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (value.fract() == 0.0 && value.abs() <= EXACT).then_some(value as i64)
}

fn decode_numbers<T, const SIZE: usize>(
    bytes: &[u8],
    endian: Endian,
    little: fn([u8; SIZE]) -> T,
    big: fn([u8; SIZE]) -> T,
) -> Vec<T> {
    let (elements, _) = bytes.as_chunks::<SIZE>();
    match endian {
        Endian::Little => elements.iter().map(|&element| little(element)).collect(),
        Endian::Big => elements.iter().map(|&element| big(element)).collect(),
    }
}

fn decode_text(bytes: &[u8], dtype: Dtype) -> Result<Vec<String>, String> {
    if dtype.size == 0 {
        return Err("its text has width 0".to_owned());
    }
    let letters = decode_numbers(bytes, dtype.endian, u32::from_le_bytes, u32::from_be_bytes);
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

/// Walks the result in order and keeps the place in the source by its strides.
fn turn<T: Clone>(values: &[T], shape: &[usize]) -> Vec<T> {
    let mut strides = Vec::with_capacity(shape.len());
    let mut stride = 1;
    for &side in shape {
        strides.push(stride);
        stride *= side;
    }
    let mut index = vec![0_usize; shape.len()];
    let mut place = 0;
    let mut turned = Vec::with_capacity(values.len());
    for _ in 0..values.len() {
        turned.push(values[place].clone());
        for axis in (0..shape.len()).rev() {
            index[axis] += 1;
            place += strides[axis];
            if index[axis] < shape[axis] {
                break;
            }
            place -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_only() {
        assert_eq!(NpyData::F64(vec![1.0, -3.0]).to_i64(), Some(vec![1, -3]));
        assert_eq!(NpyData::F32(vec![1.5]).to_i64(), None);
        assert_eq!(NpyData::F64(vec![f64::NAN]).to_i64(), None);
        assert_eq!(NpyData::F64(vec![1e300]).to_i64(), None);
        assert_eq!(NpyData::U64(vec![u64::MAX]).to_i64(), None);
        assert_eq!(NpyData::Text(vec![]).to_i64(), None);
    }
}
