//! Arrays read a piece at a time, straight into what they are to become.

use std::io::Read;

use super::data::NpyData;
use super::dtype::{Dtype, Kind};
use super::header::{self, Header};
use super::{bad_array, check_length, count};
use crate::bytes::bounded::Bounded;
use crate::bytes::error::ReadError;

/// Bytes a piece; a multiple of the size of any number.
const PIECE: usize = 1 << 16;

/// The start of a list of numbers; they follow.
pub(crate) struct NpyList<R> {
    /// Type of the elements in the file.
    pub(crate) dtype: Dtype,
    header: Header,
    reader: Bounded<R>,
    /// Bytes that were read beyond the header.
    rest: Vec<u8>,
}

impl<R: Read> NpyList<R> {
    /// Reads the header of an array of one dimension.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is no list of numbers.
    pub(crate) fn open(mut reader: Bounded<R>) -> Result<Self, ReadError> {
        let mut rest = Vec::new();
        reader.append(PIECE as u64, &mut rest)?;
        let refuse = |problem: String| bad_array(reader.path(), &problem);
        let (header, data) = header::split(&rest).map_err(refuse)?;
        let start = rest.len() - data.len();
        let (dtype, dimensions) = (header.dtype, header.shape.len());
        if dimensions != 1 || matches!(dtype.kind, Kind::Object | Kind::Unicode | Kind::Bytes) {
            let problem = format!("{dimensions} dimensions of type {dtype} are no list of numbers");
            return Err(refuse(problem));
        }
        rest.drain(..start);
        Ok(Self {
            dtype,
            header,
            reader,
            rest,
        })
    }

    /// The shape, of one dimension.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.header.shape
    }

    /// The number of elements by the header.
    pub(crate) fn count(&self) -> usize {
        count(&self.header.shape).unwrap_or(usize::MAX)
    }

    /// Hands `take` the elements, a piece after the other.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is longer or shorter than its header says,
    /// and whatever `take` refuses.
    pub(crate) fn read(
        mut self,
        mut take: impl FnMut(NpyData) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let mut found = 0;
        loop {
            let more = PIECE.saturating_sub(self.rest.len()) as u64;
            self.reader.append(more, &mut self.rest)?;
            let whole = self.rest.len() / self.dtype.size * self.dtype.size;
            found += self.rest.len();
            let refuse = |problem: String| bad_array(self.reader.path(), &problem);
            if self.rest.len() < PIECE {
                let (shape, count) = (&self.header.shape, self.count());
                check_length(shape, self.dtype, count, found).map_err(refuse)?;
            }
            if whole == 0 {
                return Ok(());
            }
            take(NpyData::decode(self.dtype, self.rest[..whole].to_vec()).map_err(refuse)?)?;
            let last = self.rest.len() < PIECE;
            found -= self.rest.len() - whole;
            self.rest.drain(..whole);
            if last {
                return Ok(());
            }
        }
    }
}
