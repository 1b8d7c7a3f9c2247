//! Whether the files of a data set are what they should be.

use std::path::{Path, PathBuf};

use super::copies::is_known_copy;
use super::entry::Entry;
use super::error::DatasetError;
use super::locate::{data_dirs, files_of, locate};
use super::record::read_record;
use super::registry;
use crate::bytes::hash::sha256_file;

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
    let entry = registry::find(name)?;
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
    let entry = registry::find(name)?;
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
