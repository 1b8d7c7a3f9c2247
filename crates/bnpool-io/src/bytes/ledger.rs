//! Checksums of files, taken while they are read.

use std::io::{self, Read};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use sha2::{Digest, Sha256};

use super::hash::hex;

/// Bytes after which a file is hashed on a thread of its own.
const LARGE: u64 = 4 << 20;
/// Bytes that are handed to that thread at once, and pieces that may wait.
const PIECE: usize = 1 << 18;
const WAITING: usize = 8;

/// A file that was read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileRead {
    /// Its part (`graph`, `features`, `labels`), or its name in the
    /// folder that was read.
    pub name: String,
    /// SHA-256 of its bytes as they are on the disk, packed if it is packed, in
    /// hexadecimal digits.
    pub sha256: String,
    /// Number of these bytes.
    pub size: u64,
}

/// The files that a reader opens.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    entries: Mutex<Vec<(String, Record)>>,
}

impl Ledger {
    /// A record for a file of this name.
    pub(crate) fn entry(&self, name: &str) -> Record {
        let record = Record(Some(Arc::default()));
        locked(&self.entries).push((name.to_owned(), record.clone()));
        record
    }

    /// All files, sorted by name. A file that was read twice without a change
    /// counts once.
    pub(crate) fn into_files(self) -> Vec<FileRead> {
        let entries = std::mem::take(&mut *locked(&self.entries));
        let file = |(name, record): (String, Record)| {
            let sum = std::mem::take(&mut *locked(record.0.as_deref()?));
            Some(FileRead {
                name,
                size: sum.size,
                sha256: hex(&sum.finish()),
            })
        };
        let mut files: Vec<FileRead> = entries.into_iter().filter_map(file).collect();
        files.sort();
        files.dedup();
        files
    }
}

/// The record of the bytes of one file.
#[derive(Debug, Clone)]
pub(crate) struct Record(Option<Arc<Mutex<Sum>>>);

impl Record {
    /// For files without a checksum.
    pub(crate) const NONE: Self = Self(None);

    /// The bytes of a reader, recorded on the way.
    pub(crate) fn reader<R: Read>(&self, reader: R) -> Recorded<R> {
        Recorded {
            reader,
            record: self.clone(),
        }
    }
}

/// A reader whose bytes are recorded.
#[derive(Debug)]
pub(crate) struct Recorded<R> {
    pub(crate) reader: R,
    record: Record,
}

impl<R> Recorded<R> {
    pub(crate) fn is_recorded(&self) -> bool {
        self.record.0.is_some()
    }
}

impl<R: Read> Read for Recorded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if let Some(sum) = self.record.0.as_deref() {
            locked(sum).update(&buffer[..count]);
        }
        Ok(count)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A thread that panicked leaves a valid number and hash.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The checksum of what was read so far.
#[derive(Debug, Default)]
struct Sum {
    size: u64,
    hash: Sha256,
    /// For large files: parsing goes on while another thread hashes.
    beside: Option<Beside>,
}

/// A thread that hashes, and what waits to be handed to it.
#[derive(Debug)]
struct Beside {
    pieces: SyncSender<Vec<u8>>,
    thread: JoinHandle<Sha256>,
    piece: Vec<u8>,
}

impl Sum {
    fn update(&mut self, bytes: &[u8]) {
        self.size += bytes.len() as u64;
        if self.beside.is_none() && self.size > LARGE {
            self.beside = Beside::start(&self.hash);
        }
        match &mut self.beside {
            Some(beside) => beside.update(bytes),
            None => self.hash.update(bytes),
        }
    }

    fn finish(self) -> Vec<u8> {
        let hash = match self.beside {
            Some(beside) => beside.finish(),
            None => self.hash,
        };
        hash.finalize().to_vec()
    }
}

impl Beside {
    /// A thread that goes on from here; `None` if the system refuses one.
    fn start(hash: &Sha256) -> Option<Self> {
        let mut hash = hash.clone();
        let (pieces, waiting) = sync_channel::<Vec<u8>>(WAITING);
        let work = move || {
            for piece in waiting {
                hash.update(&piece);
            }
            hash
        };
        let thread = Builder::new().name("checksum".to_owned()).spawn(work);
        Some(Self {
            pieces,
            thread: thread.ok()?,
            piece: Vec::with_capacity(PIECE),
        })
    }

    fn update(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = PIECE - self.piece.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.piece.extend_from_slice(now);
            bytes = later;
            if self.piece.len() == PIECE {
                let full = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
                // The thread takes pieces until the sender is dropped.
                let _ = self.pieces.send(full);
            }
        }
    }

    fn finish(self) -> Sha256 {
        let _ = self.pieces.send(self.piece);
        drop(self.pieces);
        match self.thread.join() {
            Ok(hash) => hash,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::hash::sha256_of_list;

    #[test]
    fn every_byte_counts_in_small_and_large_files() {
        for length in [
            0,
            1,
            PIECE - 1,
            LARGE as usize,
            LARGE as usize + 3 * PIECE + 7,
        ] {
            let bytes: Vec<u8> = (0..length).map(|k| ((k * k) >> 7) as u8).collect();
            let ledger = Ledger::default();
            let mut reader = ledger.entry("graph").reader(&bytes[..]);
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            let expected = FileRead {
                name: "graph".to_owned(),
                sha256: hex(&Sha256::digest(&bytes)),
                size: length as u64,
            };
            assert_eq!(ledger.into_files(), [expected]);
        }
    }

    #[test]
    fn files_are_sorted_and_listed_once() {
        let ledger = Ledger::default();
        for (name, text) in [("b", "2"), ("a", "1"), ("b", "2")] {
            let mut reader = ledger.entry(name).reader(text.as_bytes());
            io::copy(&mut reader, &mut io::sink()).unwrap();
        }
        let files = ledger.into_files();
        let names: Vec<_> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        let one = sha256_of_list(&[("0f", "a")]);
        assert_eq!(one, "0f");
        let list = sha256_of_list(&[("0f", "a"), ("1f", "b")]);
        assert_eq!(list, hex(&Sha256::digest("0f  a\n1f  b\n")));
    }
}
