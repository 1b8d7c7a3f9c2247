//! `history.jsonl`: a line an epoch.

use bnpool_graph::format::WriteError;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that grows by a line an epoch and can be cut back to a checkpoint.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    file: BufWriter<File>,
}

impl History {
    /// Opens the file with its first `lines` lines kept and the rest cut off,
    /// so a resumed run goes on where its checkpoint was written.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or written, or has fewer lines.
    pub fn open(path: &Path, lines: usize) -> Result<Self, WriteError> {
        Self::try_open(path, lines).map_err(|source| WriteError {
            path: path.to_owned(),
            source,
        })
    }

    fn try_open(path: &Path, lines: usize) -> std::io::Result<Self> {
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut length = 0_u64;
        let mut reader = BufReader::new(&file);
        let mut line = Vec::new();
        for found in 0..lines {
            line.clear();
            let read = reader.read_until(b'\n', &mut line)?;
            if read == 0 || line.last() != Some(&b'\n') {
                return Err(std::io::Error::other(format!(
                    "the checkpoint was written after {lines} epochs, but the history ends after {found}"
                )));
            }
            length += read as u64;
        }
        drop(reader);
        file.set_len(length)?;
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
        })
    }

    /// Adds the line of an epoch.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn push(&mut self, epoch: &impl Serialize) -> Result<(), WriteError> {
        serde_json::to_writer(&mut self.file, epoch)
            .map_err(std::io::Error::from)
            .and_then(|()| self.file.write_all(b"\n"))
            .map_err(|source| self.failed(source))
    }

    /// Brings all lines to the disk: before a checkpoint that relies on them.
    ///
    /// # Errors
    ///
    /// When they cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file
            .flush()
            .and_then(|()| self.file.get_ref().sync_data())
            .map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_is_cut_back_to_the_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("history.jsonl");
        let mut history = History::open(&path, 0).expect("new");
        for epoch in 1..=3 {
            history.push(&epoch).expect("a line");
        }
        history.flush().expect("flushed");
        let mut history = History::open(&path, 2).expect("two lines are there");
        history.push(&9).expect("a line");
        history.flush().expect("flushed");
        assert_eq!(std::fs::read_to_string(&path).expect("text"), "1\n2\n9\n");
        let error = History::open(&path, 4).expect_err("too short");
        assert!(error.to_string().contains("ends after 3"), "{error}");
    }
}
