//! Reading no more than is allowed.

use std::io::{self, Read, Take};
use std::path::{Path, PathBuf};

use super::error::ReadError;
use super::limits::Limits;
use crate::remedy::{Change, Remedy};

/// Room for the first bytes of what has no known length.
const LEAST_ROOM: usize = 1 << 16;

/// A file, or what is packed in one, that is read up to so many bytes; one that
/// goes on beyond them is refused.
pub(crate) struct Bounded<R> {
    path: PathBuf,
    allowed: u64,
    limits: Limits,
    /// With room for one byte too many, to see whether there is one.
    reader: Take<R>,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(path: &Path, reader: R, allowed: u64, limits: &Limits) -> Self {
        Self {
            path: path.to_owned(),
            allowed,
            limits: *limits,
            reader: reader.take(allowed.saturating_add(1)),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The limits.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Appends the next `most` bytes, or what is left of them; returns how many.
    ///
    /// # Errors
    ///
    /// When the system refuses, or there is more than is allowed.
    pub(crate) fn append(&mut self, most: u64, bytes: &mut Vec<u8>) -> Result<usize, ReadError> {
        let read = (&mut self.reader).take(most).read_to_end(bytes);
        let count = read.map_err(|source| self.refuse(source))?;
        if self.reader.limit() > 0 {
            return Ok(count);
        }
        Err(self.too_large(self.allowed))
    }

    fn refuse(&self, source: io::Error) -> ReadError {
        let inner = source.get_ref().and_then(|error| error.downcast_ref());
        match inner {
            Some(TooMuch { allowed }) => self.too_large(*allowed),
            None => ReadError::io(&self.path, source),
        }
    }

    fn too_large(&self, allowed: u64) -> ReadError {
        ReadError::too_large(
            &self.path,
            "its unpacked content",
            format!("{allowed} bytes"),
            Remedy::new(
                "if the file is to be trusted, unpack it yourself",
                &[Change::MaxBytes, Change::MaxExpansion],
            ),
        )
    }

    /// All there is, in one piece; `expected` only saves growing.
    pub(crate) fn into_bytes(mut self, expected: u64) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        // One more than expected, so that the end is seen without growing.
        let mut room = match usize::try_from(expected.min(self.allowed)) {
            Ok(0) => LEAST_ROOM,
            Ok(expected) => expected.saturating_add(1),
            Err(_) => usize::MAX,
        };
        loop {
            // The content so far has to move, so both must fit.
            let needed = bytes.len().saturating_add(room) as u64;
            self.limits
                .check_memory(&self.path, "its content", needed)?;
            bytes
                .try_reserve_exact(room)
                .map_err(|_| ReadError::io(&self.path, io::ErrorKind::OutOfMemory.into()))?;
            if self.append(room as u64, &mut bytes)? < room {
                return Ok(bytes);
            }
            room = bytes.len();
        }
    }
}

/// More was unpacked than so many bytes.
#[derive(Debug, thiserror::Error)]
#[error("more than {allowed} bytes were unpacked")]
pub(crate) struct TooMuch {
    pub(crate) allowed: u64,
}

/// Refuses content that is larger than the limits allow.
pub(crate) fn check_size(path: &Path, bytes: u64, limits: &Limits) -> Result<(), ReadError> {
    if bytes <= limits.max_bytes {
        return Ok(());
    }
    Err(ReadError::too_large(
        path,
        format!("its size of {bytes} bytes"),
        format!("{} bytes", limits.max_bytes),
        ("split the data", Change::MaxBytes),
    ))
}
