//! numpy's `.npz` archives: a zip of `.npy` arrays.

use std::io::{Cursor, Read, Write};
use std::path::{Path, PathBuf};

use bnpool_math::memory::bytes_of;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::npy::{Npy, NpyList};
use crate::bytes::archive::Archive;
use crate::bytes::atomic::{WriteError, write_atomically};
use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::bytes::limits::Limits;

/// An `.npz` archive; arrays are read when asked for, so that one of an unknown
/// type does no harm to the others.
#[derive(Debug)]
pub struct Npz {
    archive: Archive,
}

impl Npz {
    /// Opens the archive at `path`.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    pub fn open(path: impl Into<PathBuf>, limits: &Limits) -> Result<Self, ReadError> {
        let archive = Archive::open(path, limits)?;
        Ok(Self { archive })
    }

    /// The archive in an open file.
    pub(crate) fn of_intake(intake: Intake) -> Result<Self, ReadError> {
        let archive = Archive::of_intake(intake)?;
        Ok(Self { archive })
    }

    /// An archive that is in memory already; the path is only a name for
    /// messages.
    ///
    /// # Errors
    ///
    /// As [`Archive::open`].
    pub fn from_bytes(
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let archive = Archive::from_bytes(path, bytes, limits)?;
        Ok(Self { archive })
    }

    /// The name of the archive.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.archive.path()
    }

    /// Names of the arrays, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.archive
            .names()
            .filter_map(|name| name.strip_suffix(".npy"))
    }

    /// Reads an array; `None` if there is none of this name.
    ///
    /// # Errors
    ///
    /// When the array is damaged, or all that was unpacked so far is more than
    /// the limits allow.
    pub fn array(&mut self, name: &str) -> Result<Option<Npy>, ReadError> {
        match self.archive.read(&format!("{name}.npy"))? {
            Some(source) => Npy::parse(source.path(), source.bytes()).map(Some),
            None => Ok(None),
        }
    }

    /// Reads an array that must be there.
    ///
    /// # Errors
    ///
    /// As [`array`](Self::array), and when there is no such array.
    pub fn required(&mut self, name: &str) -> Result<Npy, ReadError> {
        match self.array(name)? {
            Some(array) => Ok(array),
            None => Err(self.missing(name)),
        }
    }

    /// A list of numbers that must be there, to be read a piece at a time, and
    /// for how many to reserve memory.
    pub(crate) fn list(&mut self, name: &str) -> Result<(List<'_>, usize), ReadError> {
        let missing = self.missing(name);
        let (path, limits) = (self.path().join(name), *self.archive.limits());
        let member = self.archive.member(&format!("{name}.npy"))?;
        let member = member.ok_or(missing)?;
        let list = NpyList::open(member.reader)?;
        let most = usize::try_from(member.expected).unwrap_or(usize::MAX) / list.dtype.size;
        let count = list.count().min(most);
        let what = format!("a list of {count} numbers");
        limits.check_memory(&path, &what, bytes_of::<u64>(&[count]))?;
        Ok((list, count))
    }

    fn missing(&self, name: &str) -> ReadError {
        let mut names: Vec<_> = self.names().take(21).collect();
        if names.len() == 21 {
            names[20] = "…";
        }
        ReadError::in_file(
            self.path(),
            format!("there is no array `{name}` among: {}", names.join(", ")),
            "check that this is the right file",
        )
    }
}

/// A list of numbers in an archive.
pub(crate) type List<'a> = NpyList<Box<dyn Read + 'a>>;

/// Writes arrays, given as their names and [encoded](super::npy::encode_f32)
/// bytes, as an `.npz` archive, whole or not at all. The same arrays always
/// give the same bytes.
///
/// # Errors
///
/// When the file cannot be written.
pub fn write_npz(path: &Path, arrays: &[(&str, Vec<u8>)]) -> Result<(), WriteError> {
    write_atomically(path, |file| file.write_all(&encode_npz(arrays)?))
}

/// The bytes of an `.npz` archive.
pub(crate) fn encode_npz(arrays: &[(&str, Vec<u8>)]) -> std::io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default());
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in arrays {
        let options = options.large_file(bytes.len() as u64 >= u64::from(u32::MAX));
        writer.start_file(format!("{name}.npy"), options)?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::npy::{encode_f32, encode_i64};

    #[test]
    fn round_trips_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.npz");
        let arrays = [
            ("x", encode_f32(&[2], &[1.0, 2.0])),
            ("labels", encode_i64(&[1], &[3])),
        ];
        write_npz(&path, &arrays).unwrap();
        let first = std::fs::read(&path).unwrap();
        write_npz(&path, &arrays).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), first);

        let mut npz = Npz::open(&path, &Limits::default()).unwrap();
        assert_eq!(npz.names().collect::<Vec<_>>(), ["labels", "x"]);
        let x = npz.required("x").unwrap();
        assert_eq!(x.data.to_f32().unwrap(), [1.0, 2.0]);
        assert_eq!(npz.array("y").unwrap(), None);
        let error = npz.required("y").unwrap_err().to_string();
        assert!(
            error.ends_with(
                "there is no array `y` among: labels, x; check that this is the right file"
            ),
            "{error}"
        );
    }
}
