//! Data sets from their publishers.

mod transfer;

use std::path::{Path, PathBuf};

use super::entry::{Entry, SourceFile};
use super::error::DatasetError;
use super::locate::data_dirs;
use super::table;
use super::verify::{read_record, write_record};
use crate::bytes::hash::sha256_file;
use transfer::{Order, Transfer};

/// The progress of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// The address of the file.
    pub address: &'a str,
    /// Bytes that are there already.
    pub received: u64,
    /// Bytes of the whole file, where the server says.
    pub total: Option<u64>,
}

/// Options for fetching a data set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FetchOptions {
    /// The folder to keep the files in; else `BNPOOL_DATA`, else the user's data
    /// directory.
    pub data_dir: Option<PathBuf>,
    /// Fetch the version without isomorphic graphs.
    pub cleaned: bool,
    /// Fetch the files even where they are there.
    pub force: bool,
}

/// A file of a data set that is there now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The file.
    pub path: PathBuf,
    /// Its SHA-256.
    pub sha256: String,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it was there before.
    pub already_there: bool,
    /// Whether its SHA-256 is the published one; if not, none is known, and it
    /// was recorded beside the file for [`verify`](super::verify).
    pub published: bool,
}

/// Fetches the files of a data set over HTTPS.
///
/// A transfer that breaks off goes on where it stopped, within this call and in
/// later ones; no more than the published size is taken, if it is known; a
/// file appears under its name only when it is whole and its size
/// and SHA-256 are the published ones, where those are known.
///
/// # Errors
///
/// When there is no such data set or nothing to fetch, the network or the server
/// fails, a file is not the published one, or the folder cannot be written.
pub fn fetch(
    name: &str,
    options: &FetchOptions,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Vec<Fetched>, DatasetError> {
    let entry = table::find(name)?;
    let files: Vec<SourceFile> = match (options.cleaned, entry.cleaned) {
        (true, Some(cleaned)) => vec![cleaned],
        (true, None) => return Err(DatasetError::NotCleanable { name: entry.name }),
        (false, _) => entry.sources.to_vec(),
    };
    if files.is_empty() {
        return Err(DatasetError::NothingToFetch { name: entry.name });
    }
    let folder = target_folder(entry, options.data_dir.as_deref())?;
    let transfer = Transfer::secure();
    let one = |file: &SourceFile| {
        fetch_file(
            &transfer,
            file,
            &folder.join(file.path),
            options.force,
            progress,
        )
    };
    files.iter().map(one).collect()
}

fn target_folder(entry: &Entry, explicit: Option<&Path>) -> Result<PathBuf, DatasetError> {
    let first = data_dirs(explicit).into_iter().next();
    first.ok_or_else(|| DatasetError::NotFound {
        name: entry.name,
        what: "a folder to keep it".to_owned(),
        searched: Vec::new(),
    })
}

/// Fetches one file, unless it is there and as it should be.
fn fetch_file(
    transfer: &Transfer,
    file: &SourceFile,
    path: &Path,
    force: bool,
    progress: &mut dyn FnMut(Progress<'_>),
) -> Result<Fetched, DatasetError> {
    if !force && path.is_file() {
        let (sha256, size) = sha256_file(path)?;
        let recorded = read_record(path);
        check(path, file, recorded.as_deref(), &sha256, size)?;
        return Ok(fetched(path, file, sha256, size, true));
    }
    let order = Order {
        address: file.address,
        path,
        // A file that can be checked in the end can always be resumed.
        verifiable: file.sha256.is_some(),
        size: file.size,
    };
    let part = transfer.run(&order, progress)?;
    let (sha256, size) = sha256_file(part.path())?;
    if let Err(error) = check(path, file, None, &sha256, size) {
        // A wrong file must not be resumed.
        part.discard();
        return Err(error);
    }
    part.finish(path)?;
    if file.sha256.is_none() {
        write_record(path, &sha256)?;
    }
    Ok(fetched(path, file, sha256, size, false))
}

fn fetched(
    path: &Path,
    file: &SourceFile,
    sha256: String,
    size: u64,
    already_there: bool,
) -> Fetched {
    Fetched {
        path: path.to_path_buf(),
        published: file.sha256.is_some(),
        sha256,
        size,
        already_there,
    }
}

/// Compares a file with what is published, or was recorded, of it.
fn check(
    path: &Path,
    file: &SourceFile,
    recorded: Option<&str>,
    sha256: &str,
    size: u64,
) -> Result<(), DatasetError> {
    let mismatch = |what, found: String, expected: String| DatasetError::Mismatch {
        path: path.to_path_buf(),
        what,
        found,
        expected,
    };
    if let Some(expected) = file.size
        && expected != size
    {
        return Err(mismatch("size", size.to_string(), expected.to_string()));
    }
    match file.sha256.or(recorded) {
        Some(expected) if expected != sha256 => {
            Err(mismatch("sha256", sha256.to_owned(), expected.to_owned()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
