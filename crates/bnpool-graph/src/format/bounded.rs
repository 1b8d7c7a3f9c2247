//! Reading no more than is allowed.

use std::fs::File;
use std::io::{self, Read, Seek, Take};
use std::path::{Path, PathBuf};

use super::error::ReadError;
use super::limits::Limits;
use crate::remedy::{Change, Remedy};

/// A file, or what is packed in one, that is read up to so many bytes; one that
/// goes on beyond them is refused.
pub(crate) struct Bounded<R> {
    path: PathBuf,
    allowed: u64,
    /// With room for one byte too many, to see whether there is one.
    reader: Take<R>,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(path: &Path, reader: R, allowed: u64) -> Self {
        Self {
            path: path.to_owned(),
            allowed,
            reader: reader.take(allowed.saturating_add(1)),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Appends the next `most` bytes, or what is left of them; returns how many.
    ///
    /// # Errors
    ///
    /// When the system refuses, or there is more than is allowed.
    pub(crate) fn append(&mut self, most: u64, bytes: &mut Vec<u8>) -> Result<usize, ReadError> {
        let read = (&mut self.reader).take(most).read_to_end(bytes);
        let count = read.map_err(|source| ReadError::io(&self.path, source))?;
        if self.reader.limit() > 0 {
            return Ok(count);
        }
        Err(ReadError::too_large(
            &self.path,
            "its unpacked content",
            format!("{} bytes", self.allowed),
            Remedy::new(
                "if the file is to be trusted, unpack it yourself",
                &[Change::MaxBytes, Change::MaxExpansion],
            ),
        ))
    }

    /// All there is, in one piece; `expected` only saves growing.
    pub(crate) fn into_bytes(mut self, expected: u64) -> Result<Vec<u8>, ReadError> {
        let mut bytes = Vec::new();
        // One more than expected, so that the end is seen without growing.
        let capacity = expected.min(self.allowed).saturating_add(1);
        bytes
            .try_reserve_exact(usize::try_from(capacity).unwrap_or(usize::MAX))
            .map_err(|_| ReadError::io(&self.path, io::ErrorKind::OutOfMemory.into()))?;
        self.append(u64::MAX, &mut bytes)?;
        Ok(bytes)
    }
}

/// Opens a file that is not larger than the limits allow, and tells its length;
/// something without a length, such as a pipe, has length 0.
pub(crate) fn open(path: &Path, limits: &Limits) -> Result<(File, u64), ReadError> {
    let failed = |source| ReadError::io(path, source);
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    check_size(path, metadata.len(), limits)?;
    Ok((file, metadata.len()))
}

/// Whether a file starts with these bytes; never so for what has no length,
/// because a pipe cannot be taken back to its start.
pub(crate) fn starts_with(path: &Path, file: &mut File, bytes: &[u8]) -> Result<bool, ReadError> {
    let look = |file: &mut File| {
        if file.metadata()?.len() < bytes.len() as u64 {
            return Ok(false);
        }
        let mut start = vec![0; bytes.len()];
        file.read_exact(&mut start)?;
        file.rewind()?;
        Ok(start == bytes)
    };
    look(file).map_err(|source| ReadError::io(path, source))
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
