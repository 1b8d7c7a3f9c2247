//! Whether the files of a data set are what they should be.

use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::error::DatasetError;
use super::locate::{data_dirs, files_of, locate};
use super::table;
use crate::bytes::hash::sha256_file;
#[cfg(any(test, feature = "download"))]
use crate::format::{WriteError, write_atomically};

/// The verdict on a file by its checksum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It is the published one.
    Published,
    /// It is the one recorded when the file was fetched.
    Recorded,
    /// It is that of a repacked file that is known to be good.
    KnownCopy,
    /// There is nothing to compare it with.
    Unknown,
    /// It is another than the published or recorded one.
    Differs {
        /// The expected value.
        expected: String,
    },
}

/// A file of a data set and its checksum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifiedFile {
    /// The file.
    pub path: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// The verdict by the checksum.
    pub verdict: Verdict,
}

/// Compares the files of a data set with their published or recorded checksums.
///
/// # Errors
///
/// When there is no such data set, its files are nowhere, or one cannot be read.
/// A file that differs is no error but a [`Verdict`].
pub fn verify(
    name: &str,
    data_dir: Option<&Path>,
    cleaned: bool,
) -> Result<Vec<VerifiedFile>, DatasetError> {
    let entry = table::find(name)?;
    if entry.places.is_empty() {
        return Ok(Vec::new());
    }
    let cleaned = cleaned && entry.cleaned.is_some();
    let place = locate(entry, cleaned, &data_dirs(data_dir))?;
    let one = |path: PathBuf| {
        let (sha256, size) = sha256_file(&path)?;
        let verdict = judge(entry, cleaned, &path, &sha256, size);
        Ok(VerifiedFile {
            path,
            sha256,
            size,
            verdict,
        })
    };
    files_of(entry, &place).into_iter().map(one).collect()
}

/// The places of the files of a data set, if there are any.
///
/// # Errors
///
/// When there is no such data set.
pub fn whereabouts(
    name: &str,
    data_dir: Option<&Path>,
    cleaned: bool,
) -> Result<Option<PathBuf>, DatasetError> {
    let entry = table::find(name)?;
    let cleaned = cleaned && entry.cleaned.is_some();
    let place = locate(entry, cleaned, &data_dirs(data_dir));
    Ok(place.ok().map(|place| place.path))
}

fn judge(entry: &Entry, cleaned: bool, path: &Path, sha256: &str, size: u64) -> Verdict {
    let files = if cleaned {
        entry.cleaned.as_slice()
    } else {
        entry.sources
    };
    let same_name = |file: &str| Path::new(file).file_name() == path.file_name();
    let known = files.iter().find(|file| same_name(file.path));
    let expected = match known.and_then(|file| file.sha256) {
        Some(published) if published == sha256 => return Verdict::Published,
        Some(published) => Some(published.to_owned()),
        None => read_record(path),
    };
    match expected {
        None if is_known_copy(size, sha256) => Verdict::KnownCopy,
        None => Verdict::Unknown,
        Some(expected) if expected == sha256 => Verdict::Recorded,
        Some(expected) => Verdict::Differs { expected },
    }
}

/// A line a file: SHA-256, size in bytes, and the path below the data directory.
const COPIES: &str = include_str!("copies.txt");

/// Whether a file of this size and checksum is known to be good.
pub(super) fn is_known_copy(size: u64, sha256: &str) -> bool {
    let known = format!("{sha256} {size} ");
    COPIES.lines().any(|line| line.starts_with(&known))
}

fn record_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sha256");
    PathBuf::from(name)
}

/// The checksum recorded for a file, if there is one.
pub(super) fn read_record(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(record_path(path)).ok()?;
    let sha256 = text.split_whitespace().next()?;
    let is_one = sha256.len() == 64 && sha256.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_one.then(|| sha256.to_ascii_lowercase())
}

/// Records the checksum of a file that was fetched.
#[cfg(any(test, feature = "download"))]
pub(super) fn write_record(path: &Path, sha256: &str) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    write_atomically(&record_path(path), |file| {
        writeln!(file, "{sha256}  {name}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        assert_eq!(read_record(&path), None);
        let sha256 = "0f".repeat(32);
        write_record(&path, &sha256).unwrap();
        assert_eq!(read_record(&path), Some(sha256));
        std::fs::write(record_path(&path), "nonsense a.zip").unwrap();
        assert_eq!(read_record(&path), None);
    }
}
