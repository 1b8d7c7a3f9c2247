//! Arrays and sparse matrices, converted when asked for.

use std::borrow::Cow;

use super::Pickle;
use super::arena::{ArrayParts, Item, Node};
use super::error::{PickleError, PickleProblem};
use super::value::Value;
use crate::format::csr_bundle::compressed;
use crate::format::npy::{Dtype, Kind, turned_around};
use bnpool_graph::Csr;

/// An array of numpy.
#[derive(Debug, Clone, Copy)]
pub struct Array<'p> {
    pickle: &'p Pickle<'p>,
    parts: &'p ArrayParts,
}

impl<'p> Array<'p> {
    pub(super) fn new(pickle: &'p Pickle<'p>, parts: &'p ArrayParts) -> Self {
        Self { pickle, parts }
    }

    /// Length of every axis; none for a single number.
    #[must_use]
    pub fn shape(&self) -> &'p [usize] {
        &self.parts.shape
    }

    /// The numbers, row after row, as 32-bit real numbers.
    ///
    /// # Errors
    ///
    /// When the array holds no numbers, or not as many as its shape says.
    pub fn to_f32(&self) -> Result<Vec<f32>, PickleError> {
        self.convert(Dtype::floats)
    }

    /// The numbers, row after row, as whole numbers.
    ///
    /// # Errors
    ///
    /// As [`to_f32`](Self::to_f32), and when a number is not whole.
    pub fn to_i64(&self) -> Result<Vec<i64>, PickleError> {
        self.convert(Dtype::integers)
    }

    /// The values of an array of objects; `None` for numbers.
    #[must_use]
    pub fn objects(&self) -> Option<impl ExactSizeIterator<Item = Value<'p>> + use<'p>> {
        if self.parts.dtype.kind != Kind::Object {
            return None;
        }
        Value::new(self.pickle, self.parts.data).items()
    }

    fn convert<T>(
        &self,
        numbers: impl Fn(Dtype, &[u8]) -> Option<Vec<T>>,
    ) -> Result<Vec<T>, PickleError> {
        let ArrayParts { offset, dtype, .. } = *self.parts;
        let bytes = self.bytes()?;
        let bytes = if self.parts.by_columns && self.parts.shape.len() > 1 {
            Cow::Owned(turned_around(&bytes, &self.parts.shape, dtype.size))
        } else {
            bytes
        };
        numbers(dtype, &bytes).ok_or_else(|| {
            PickleError::malformed(offset, "the numbers of an array are not of the kind needed")
        })
    }

    fn bytes(&self) -> Result<Cow<'p, [u8]>, PickleError> {
        let ArrayParts { offset, dtype, .. } = *self.parts;
        let wrong = || PickleError::malformed(offset, "an array is not as long as its shape says");
        let mut sizes = self.parts.shape.iter();
        let count = sizes.try_fold(dtype.size, |count, &size| count.checked_mul(size));
        let count = count.ok_or_else(|| {
            PickleError::new(offset, PickleProblem::TooLarge { what: "an array" })
        })?;
        self.pickle.charge(offset, count)?;
        let arena = &self.pickle.arena;
        let bytes = match (self.parts.data, arena.node(self.parts.data)) {
            (Item::Bytes(span) | Item::OldText(span), _) => Cow::Borrowed(arena.span(span)),
            (_, Some(&Node::Latin1(span))) => {
                self.pickle.charge(offset, span.length)?;
                let text = std::str::from_utf8(arena.span(span)).map_err(|_| wrong())?;
                let bytes: Result<Vec<u8>, _> = text.chars().map(u8::try_from).collect();
                Cow::Owned(bytes.map_err(|_| wrong())?)
            }
            _ => return Err(PickleError::malformed(offset, "an array has no numbers")),
        };
        if bytes.len() != count {
            return Err(wrong());
        }
        Ok(bytes)
    }
}

/// Puts a sparse matrix together from the attributes scipy gives it.
pub(super) fn read_csr(matrix: Value<'_>) -> Result<Csr, PickleError> {
    let wrong = |what| PickleError::malformed(0, what);
    let part = |name| {
        let part = matrix.get(name).and_then(Value::as_array);
        part.ok_or_else(|| wrong("a part of a sparse matrix is missing"))
    };
    let shape = matrix.get("_shape").or_else(|| matrix.get("shape"));
    let Some(&[rows, columns]) = shape.and_then(Value::sizes).as_deref() else {
        return Err(wrong("a sparse matrix has no shape"));
    };
    let offset = part("indices")?.parts.offset;
    let wrong = |what| PickleError::malformed(offset, what);
    let offsets = part("indptr")?.to_i64()?;
    let indices = part("indices")?.to_i64()?;
    let values = part("data")?.to_f32()?;
    if offsets.len().checked_sub(1) != Some(rows) {
        return Err(wrong(
            "the rows of a sparse matrix are not as many as its shape says",
        ));
    }
    let offsets: Option<Vec<usize>> = offsets.into_iter().map(|o| o.try_into().ok()).collect();
    let indices: Option<Vec<u32>> = indices.into_iter().map(|v| v.try_into().ok()).collect();
    let (Some(offsets), Some(indices)) = (offsets, indices) else {
        return Err(wrong("an index of a sparse matrix is out of range"));
    };
    compressed(rows, columns, offsets, indices, Some(values))
        .map_err(|_| wrong("a sparse matrix contradicts itself"))
}
