//! Event files for TensorBoard.
//!
//! A file is a list of records, each of which consists of a length, its
//! checksum, a message and its checksum. A message is a protocol buffer of type
//! `Event`. Curves only need a few fields, which are encoded here by hand.

use bnpool_io::format::WriteError;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A file of curves.
#[derive(Debug)]
pub struct EventFile {
    path: PathBuf,
    file: BufWriter<File>,
}

impl EventFile {
    /// Creates a file in a folder, which is created if necessary. Existing
    /// event files in it are removed, because TensorBoard would show both.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder or the file cannot be written.
    pub fn create(folder: &Path) -> Result<Self, WriteError> {
        let seconds = now() as u64;
        let path = folder.join(format!("events.out.tfevents.{seconds}.bnpool"));
        Self::try_create(folder, &path).map_err(|source| WriteError { path, source })
    }

    fn try_create(folder: &Path, path: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            if entry
                .file_name()
                .to_string_lossy()
                .starts_with("events.out.tfevents.")
            {
                std::fs::remove_file(entry.path())?;
            }
        }
        let mut events = Self {
            path: path.to_owned(),
            file: BufWriter::new(File::create(path)?),
        };
        let mut event = Vec::new();
        double(&mut event, 1, now());
        bytes(&mut event, 3, b"brain.Event:2");
        events.record(&event)?;
        events.file.flush()?;
        Ok(events)
    }

    /// Adds a point to the curve of each name.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn add<'a>(
        &mut self,
        step: u64,
        values: impl IntoIterator<Item = (&'a str, f64)>,
    ) -> Result<(), WriteError> {
        let mut summary = Vec::new();
        for (name, value) in values {
            let mut point = Vec::new();
            bytes(&mut point, 1, name.as_bytes());
            key(&mut point, 2, 5);
            point.extend_from_slice(&(value as f32).to_le_bytes());
            bytes(&mut summary, 1, &point);
        }
        let mut event = Vec::new();
        double(&mut event, 1, now());
        key(&mut event, 2, 0);
        varint(&mut event, step);
        bytes(&mut event, 5, &summary);
        self.record(&event).map_err(|source| self.failed(source))
    }

    /// Flushes all points to the disk.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.file.flush().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: std::io::Error) -> WriteError {
        WriteError {
            path: self.path.clone(),
            source,
        }
    }

    fn record(&mut self, message: &[u8]) -> std::io::Result<()> {
        let length = (message.len() as u64).to_le_bytes();
        self.file.write_all(&length)?;
        self.file.write_all(&masked_checksum(&length))?;
        self.file.write_all(message)?;
        self.file.write_all(&masked_checksum(message))
    }
}

fn now() -> f64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |d| d.as_secs_f64())
}

/// Returns CRC-32C, rotated and shifted as required by the format.
fn masked_checksum(data: &[u8]) -> [u8; 4] {
    let checksum = crc32c::crc32c(data);
    checksum
        .rotate_right(15)
        .wrapping_add(0xa282_ead8)
        .to_le_bytes()
}

/// Encodes the number of a field and its wire type.
fn key(out: &mut Vec<u8>, field: u64, kind: u64) {
    varint(out, field << 3 | kind);
}

fn varint(out: &mut Vec<u8>, mut x: u64) {
    while x >= 0x80 {
        out.push(x as u8 | 0x80);
        x >>= 7;
    }
    out.push(x as u8);
}

fn double(out: &mut Vec<u8>, field: u64, x: f64) {
    key(out, field, 1);
    out.extend_from_slice(&x.to_le_bytes());
}

fn bytes(out: &mut Vec<u8>, field: u64, data: &[u8]) {
    key(out, field, 2);
    varint(out, data.len() as u64);
    out.extend_from_slice(data);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_framed_as_the_format_wants() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut events = EventFile::create(folder.path()).expect("a file");
        events
            .add(300, [("loss", 0.5), ("val", 1.0)])
            .expect("points");
        events.flush().expect("written");
        let all = std::fs::read(&events.path).expect("bytes");
        let mut rest = &all[..];
        let mut messages = Vec::new();
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().expect("eight")) as usize;
            assert_eq!(rest[8..12], masked_checksum(&rest[..8]));
            let message = &rest[12..12 + length];
            assert_eq!(rest[12 + length..16 + length], masked_checksum(message));
            messages.push(message.to_vec());
            rest = &rest[16 + length..];
        }
        assert_eq!(messages.len(), 2);
        assert!(messages[0].ends_with(b"\x1a\x0dbrain.Event:2"));
        // Step 300 is the varint AC 02, followed by a summary of two values.
        let point = b"\x10\xac\x02\x2a\x19\x0a\x0b\x0a\x04loss\x15\x00\x00\x00\x3f\x0a\x0a\x0a\x03val\x15\x00\x00\x80\x3f";
        assert!(messages[1].ends_with(point), "{:?}", messages[1]);
        // A new file replaces the old one.
        EventFile::create(folder.path()).expect("a file");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a list").count(), 1);
    }

    #[test]
    fn checksums_are_those_of_the_format() {
        // The checksum of "123456789" is the test value of CRC-32C.
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }
}
