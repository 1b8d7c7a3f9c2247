//! List of the checksums of the files of a run.
//!
//! Without it, changed bytes on a disk, edited settings, or files of another run would
//! silently change results. The list has one line per file in the format of `sha256sum`.
//! A line is appended before its file is replaced, so after a crash in between the list
//! contains the checksums of both versions. Files that are too large for this are written
//! before `metrics.json`, without which they are written again. The list of a finished
//! run has one line per file.

use super::RunError;
use super::files::is_listed;
use bnpool_io::dataset::sha256_bytes;
use bnpool_io::format::write_atomically;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

/// File of the list.
pub(super) const LIST: &str = "checksums.txt";

/// Appends the checksum of a file.
pub(super) fn append(directory: &Path, name: &str, sum: &str) -> Result<(), RunError> {
    if !is_listed(name) {
        return Ok(());
    }
    let unusable = |source| RunError::Unusable {
        path: directory.to_owned(),
        source,
    };
    let line = format!("{sum}  {name}\n");
    // A single write, so that lines of several processes are not mixed.
    OpenOptions::new()
        .append(true)
        .create(true)
        .open(directory.join(LIST))
        .and_then(|mut list| list.write_all(line.as_bytes()))
        .map_err(unusable)
}

/// A writer that computes the checksum of the written bytes.
pub(super) struct Summing<'a> {
    out: &'a mut dyn Write,
    sum: Sha256,
}

impl<'a> Summing<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            sum: Sha256::new(),
        }
    }

    pub(super) fn finish(self) -> String {
        let digest = self.sum.finalize();
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl Write for Summing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Returns all checksums of all files, in the order of the list.
fn read(directory: &Path) -> io::Result<Vec<(String, String)>> {
    let text = match std::fs::read_to_string(directory.join(LIST)) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    let lines = text.lines().filter_map(|line| line.split_once("  "));
    Ok(lines
        .map(|(sum, name)| (sum.to_owned(), name.to_owned()))
        .collect())
}

/// Returns whether the list contains a file.
pub(super) fn has(directory: &Path, name: &str) -> bool {
    read(directory).is_ok_and(|lines| lines.iter().any(|line| line.1 == name))
}

/// Returns the problem with the bytes of a file; `None` if they were written by
/// the run.
pub(super) fn problem(directory: &Path, name: &str, bytes: &[u8]) -> Option<&'static str> {
    let Ok(lines) = read(directory) else {
        return Some("the list of checksums cannot be read");
    };
    let mut sums = lines.iter().filter(|line| line.1 == name).peekable();
    if sums.peek().is_none() {
        return Some("it has no checksum: this run did not write it");
    }
    let own = sha256_bytes(bytes);
    if sums.any(|(sum, _)| *sum == own) {
        None
    } else {
        Some("it was changed after bnpool wrote it: its checksum does not match")
    }
}

/// Writes the list again, with one line per existing file.
pub(super) fn settle(directory: &Path) -> Result<(), RunError> {
    let unusable = |source| RunError::Unusable {
        path: directory.to_owned(),
        source,
    };
    let lines = read(directory).map_err(unusable)?;
    let last: BTreeMap<String, String> = lines.into_iter().map(|(sum, name)| (name, sum)).collect();
    Ok(write_atomically(&directory.join(LIST), |out| {
        for (name, sum) in &last {
            if directory.join(name).exists() {
                writeln!(out, "{sum}  {name}")?;
            }
        }
        Ok(())
    })?)
}
