//! `history.jsonl`: one line per epoch.
//!
//! Lines contain no times, so a resumed run writes identical bytes.

use bnpool_io::format::{WriteError, write_atomically};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Placeholder for the lost line of an epoch, so that the number of a line is
/// the number of its epoch.
const LOST: &[u8] = b"null\n";

/// A file with one line per epoch, which can be truncated to a checkpoint.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    file: BufWriter<File>,
    lost: usize,
}

impl History {
    /// Opens the file and truncates it to its first `lines` lines, so that a
    /// resumed run continues at its checkpoint. Lines that are missing or
    /// damaged are marked as lost. Curves have a gap for them; nothing else
    /// depends on them.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or written.
    pub fn open(path: &Path, lines: usize) -> Result<Self, WriteError> {
        Self::try_open(path, lines).map_err(|source| WriteError {
            path: path.to_owned(),
            source,
        })
    }

    fn try_open(path: &Path, lines: usize) -> std::io::Result<Self> {
        let append = || {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true).open(path)
        };
        let mut file = append()?;
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut file, &mut bytes)?;
        let mut kept = Vec::with_capacity(bytes.len());
        let mut found = bytes.split_inclusive(|&byte| byte == b'\n');
        let mut lost = 0;
        for _ in 0..lines {
            match found.next() {
                Some(line) if is_whole(line) => kept.extend_from_slice(line),
                _ => {
                    kept.extend_from_slice(LOST);
                    lost += 1;
                }
            }
        }
        // If the process is killed here, the file must contain either the old or
        // the new lines.
        if bytes.starts_with(&kept) {
            file.set_len(kept.len() as u64)?;
        } else {
            write_atomically(path, |out| out.write_all(&kept)).map_err(|error| error.source)?;
            file = append()?;
        }
        Ok(Self {
            path: path.to_owned(),
            file: BufWriter::new(file),
            lost,
        })
    }

    /// Returns the number of lost lines.
    #[must_use]
    pub fn lost(&self) -> usize {
        self.lost
    }

    /// Adds the line of an epoch.
    ///
    /// # Errors
    ///
    /// Returns an error if the line cannot be written.
    pub fn push(&mut self, epoch: &impl Serialize) -> Result<(), WriteError> {
        serde_json::to_writer(&mut self.file, epoch)
            .map_err(std::io::Error::from)
            .and_then(|()| self.file.write_all(b"\n"))
            .map_err(|source| self.failed(source))
    }

    /// Flushes all lines to the disk, before a checkpoint that relies on them.
    ///
    /// # Errors
    ///
    /// Returns an error if the lines cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file
            .flush()
            .and_then(|()| self.file.get_ref().sync_data())
            .map_err(|source| self.failed(source))
    }

    /// Returns the epochs of a file without lost ones; empty if there is no
    /// file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read.
    pub fn read<E: DeserializeOwned>(path: &Path) -> std::io::Result<Vec<E>> {
        let bytes = match std::fs::read(path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(e),
        };
        Ok(bytes
            .split(|&byte| byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .collect())
    }

    fn failed(&self, source: std::io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }
}

/// Returns whether a line is a complete JSON object.
fn is_whole(line: &[u8]) -> bool {
    line.ends_with(b"\n")
        && serde_json::from_slice::<std::collections::BTreeMap<String, IgnoredAny>>(line).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn epochs(path: &Path) -> Vec<Value> {
        let text = std::fs::read_to_string(path).expect("text");
        text.lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["epoch"].clone())
            .collect()
    }

    #[test]
    fn a_history_is_cut_back_to_the_checkpoint() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("history.jsonl");
        let mut history = History::open(&path, 0).expect("new");
        for epoch in 1..=3 {
            history.push(&json!({ "epoch": epoch })).expect("a line");
        }
        history.flush().expect("flushed");
        let mut history = History::open(&path, 2).expect("two lines are there");
        history.push(&json!({"epoch": 9})).expect("a line");
        history.flush().expect("flushed");
        assert_eq!(epochs(&path), [1, 2, 9]);
        assert_eq!(history.lost(), 0);
    }

    #[test]
    fn lost_lines_leave_a_gap_and_block_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("history.jsonl");
        std::fs::write(
            &path,
            b"{\"epoch\":1}\n{\"epo\xffh\":2}\n{\"epoch\":3}\n{\"ep",
        )
        .expect("written");
        let mut history = History::open(&path, 5).expect("opened");
        assert_eq!(history.lost(), 3);
        history.push(&json!({"epoch": 6})).expect("a line");
        history.flush().expect("flushed");
        let null = Value::Null;
        assert_eq!(
            epochs(&path),
            [
                json!(1),
                null.clone(),
                json!(3),
                null.clone(),
                null,
                json!(6)
            ]
        );
        let read: Vec<std::collections::BTreeMap<String, u32>> =
            History::read(&path).expect("read");
        assert_eq!(read.len(), 3);
        // The numbers of lines are still those of epochs.
        drop(history);
        History::open(&path, 5).expect("opened again");
        assert_eq!(epochs(&path).len(), 5);
    }

    #[test]
    fn a_repair_never_empties_the_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [path, old] = ["history.jsonl", "old.jsonl"].map(|name| folder.path().join(name));
        let damaged = b"{\"epoch\":1}\nx\n{\"epoch\":3}\n";
        std::fs::write(&path, damaged).expect("written");
        // The old file is unchanged until the new one is complete.
        std::fs::hard_link(&path, &old).expect("a link");
        let history = History::open(&path, 3).expect("opened");
        assert_eq!(history.lost(), 1);
        assert_eq!(std::fs::read(&old).expect("bytes"), damaged);
        assert_eq!(epochs(&path).len(), 3);
    }
}
