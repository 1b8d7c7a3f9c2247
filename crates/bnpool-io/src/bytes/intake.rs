//! Files opened once: what they start with, unpacked, and then the rest.
//!
//! A pipe can be opened and read only once and cannot go back to its start, so
//! nothing here asks more of a file than that, except where a zip archive in an
//! ordinary file is read from its end.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::bounded::{Bounded, TooMuch, check_size};
use super::error::ReadError;
use super::ledger::{Record, Recorded};
use super::limits::Limits;
use super::packing::{MAGIC_LENGTH, Packing};
use super::source::Source;
use crate::format::text::TextBlocks;

/// The first bytes of an archive.
pub(crate) const ZIP_MAGIC: &[u8] = b"PK\x03\x04";
/// Bytes of a file to check before all of it is read.
const START: usize = 1 << 12;
/// The path that stands for standard input.
const STANDARD_INPUT: &str = "-";

/// A file that has been opened, and of which only the start was read.
pub(crate) struct Intake {
    path: PathBuf,
    limits: Limits,
    /// Bytes that were read already, unpacked.
    start: Vec<u8>,
    body: Body,
    /// Bytes of everything, unpacked, if it is known.
    length: Option<u64>,
    /// Most bytes of everything, unpacked.
    allowed: u64,
}

enum Body {
    /// An ordinary file that is not packed.
    File(Recorded<File>),
    /// Anything else.
    Stream(Box<dyn Read + Send>),
}

impl Intake {
    /// Opens a file, or standard input for the path `-`. What starts like a packed
    /// file is unpacked, whatever its name.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or is larger than the limits allow.
    pub(crate) fn open(path: &Path, limits: &Limits, record: &Record) -> Result<Self, ReadError> {
        if path == Path::new(STANDARD_INPUT) {
            return Self::stream(Path::new("stdin"), Box::new(io::stdin()), limits, record);
        }
        let failed = |source| ReadError::io(path, source);
        let file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if metadata.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if !metadata.is_file() {
            return Self::stream(path, Box::new(file), limits, record);
        }
        let length = metadata.len();
        check_size(path, length, limits)?;
        let mut file = record.reader(file);
        let mut start = Vec::new();
        peek(&mut file, &mut start, MAGIC_LENGTH).map_err(failed)?;
        let mut intake = Self {
            path: path.to_owned(),
            limits: *limits,
            start,
            body: Body::File(file),
            length: Some(length),
            // A file may grow while it is read.
            allowed: limits.max_bytes,
        };
        if let Some(packing) = Packing::of_start(&intake.start) {
            intake.length = None;
            intake.allowed = limits.unpacked(length);
            intake.unpack(packing, None);
        }
        Ok(intake)
    }

    /// A file that is in memory already, unpacked.
    pub(crate) fn of_source(source: Source, limits: &Limits) -> Self {
        let path = source.path().to_owned();
        let start = source.into_bytes();
        Self {
            path,
            limits: *limits,
            length: Some(start.len() as u64),
            start,
            body: Body::Stream(Box::new(io::empty())),
            allowed: limits.max_bytes,
        }
    }

    /// A pipe or a device, which has no length.
    fn stream(
        path: &Path,
        reader: Box<dyn Read + Send>,
        limits: &Limits,
        record: &Record,
    ) -> Result<Self, ReadError> {
        let packed = Arc::new(AtomicU64::new(0));
        let mut reader = record.reader(Counted {
            reader,
            count: Arc::clone(&packed),
        });
        let mut start = Vec::new();
        peek(&mut reader, &mut start, MAGIC_LENGTH)
            .map_err(|source| ReadError::io(path, source))?;
        let mut intake = Self {
            path: path.to_owned(),
            limits: *limits,
            start,
            body: Body::Stream(Box::new(reader)),
            length: None,
            allowed: limits.max_bytes,
        };
        if let Some(packing) = Packing::of_start(&intake.start) {
            intake.unpack(packing, Some(packed));
        }
        Ok(intake)
    }

    /// Puts a decoder before the rest; without a length it asks how much has
    /// been read of the packed bytes.
    fn unpack(&mut self, packing: Packing, packed: Option<Arc<AtomicU64>>) {
        let start = Cursor::new(std::mem::take(&mut self.start));
        let body = std::mem::replace(&mut self.body, Body::Stream(Box::new(io::empty())));
        let rest: Box<dyn Read + Send> = match body {
            Body::File(file) => Box::new(file),
            Body::Stream(stream) => stream,
        };
        let reader = BufReader::with_capacity(1 << 18, start.chain(rest));
        let decoder = packing.decoder(reader, &self.limits);
        self.body = Body::Stream(match packed {
            None => decoder,
            Some(packed) => Box::new(Unpacked {
                decoder,
                packed,
                limits: self.limits,
                total: 0,
            }),
        });
    }

    /// The name of the file, for messages.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The first `count` bytes, unpacked, or all there are.
    pub(crate) fn peek(&mut self, count: usize) -> Result<&[u8], ReadError> {
        let read = match &mut self.body {
            Body::File(file) => peek(file, &mut self.start, count),
            Body::Stream(stream) => peek(stream, &mut self.start, count),
        };
        read.map_err(|source| ReadError::io(&self.path, source))?;
        Ok(&self.start[..count.min(self.start.len())])
    }

    /// Everything, to be read a block of lines at a time.
    pub(crate) fn into_blocks(self) -> TextBlocks<'static> {
        let length = self.length;
        TextBlocks::new(self.into_reader(), length)
    }

    /// Everything, in one piece.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is larger than the limits allow.
    pub(crate) fn into_source(mut self) -> Result<Source, ReadError> {
        let (path, length) = (self.path.clone(), self.length);
        if length.is_none() {
            check_start_of_stream(&path, self.peek(START)?)?;
        }
        if length == Some(self.start.len() as u64) && matches!(self.body, Body::Stream(_)) {
            return Ok(Source::unpacked(path, self.start));
        }
        let bytes = self.into_reader().into_bytes(length.unwrap_or(0))?;
        Ok(Source::unpacked(path, bytes))
    }

    /// As [`into_source`](Self::into_source), for text: what plainly is none is
    /// refused before all of it is in memory.
    pub(crate) fn into_text(mut self) -> Result<Source, ReadError> {
        let path = self.path.clone();
        check_start_of_text(&path, self.peek(START)?)?;
        self.into_source()
    }

    fn into_reader(self) -> Bounded<Box<dyn Read>> {
        let rest: Box<dyn Read> = match self.body {
            Body::File(file) => Box::new(file),
            Body::Stream(stream) => stream,
        };
        let reader = Cursor::new(self.start).chain(rest);
        Bounded::new(&self.path, Box::new(reader), self.allowed, &self.limits)
    }

    /// The file itself and its length, if it can be read from any place;
    /// otherwise all of it, in memory. An ordinary file is read to its end where
    /// a checksum is asked for.
    pub(crate) fn into_seekable(self) -> Result<Seekable, ReadError> {
        let (Body::File(_), Some(length)) = (&self.body, self.length) else {
            return self.into_source().map(Seekable::Memory);
        };
        let path = self.path;
        let failed = |source| ReadError::io(&path, source);
        let Body::File(mut file) = self.body else {
            return Err(failed(io::ErrorKind::Unsupported.into()));
        };
        if file.is_recorded() {
            io::copy(&mut file, &mut io::sink()).map_err(failed)?;
        }
        let mut file = file.reader;
        file.rewind().map_err(failed)?;
        Ok(Seekable::File(file, length))
    }
}

/// Bytes that can be read from any place.
pub(crate) enum Seekable {
    File(File, u64),
    Memory(Source),
}

/// Refuses a stream that would fill the memory with zeros. No format starts with
/// so many.
fn check_start_of_stream(path: &Path, start: &[u8]) -> Result<(), ReadError> {
    if start.len() < START || start.iter().any(|&byte| byte != 0) {
        return Ok(());
    }
    Err(ReadError::in_file(
        path,
        "there is nothing but bytes that are zero",
        "check that the path is that of a graph",
    ))
}

/// Refuses the start of a file that cannot be that of a text.
pub(crate) fn check_start_of_text(path: &Path, start: &[u8]) -> Result<(), ReadError> {
    let wide = start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff");
    // Another message names UTF-16.
    if wide || memchr::memchr(0, start).is_none() {
        return Ok(());
    }
    Err(ReadError::in_file(
        path,
        "this is not a text: it has bytes that are zero",
        "check that the path is that of a text file",
    ))
}

/// Reads until `start` has `count` bytes, or to the end.
fn peek(reader: &mut impl Read, start: &mut Vec<u8>, count: usize) -> io::Result<()> {
    let more = count.saturating_sub(start.len()) as u64;
    if more > 0 {
        reader.take(more).read_to_end(start)?;
    }
    Ok(())
}

/// Counts the bytes that were read.
struct Counted<R> {
    reader: R,
    count: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.count.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Unpacked bytes of a pipe, measured by the bytes of the pipe so far.
struct Unpacked<R> {
    decoder: R,
    packed: Arc<AtomicU64>,
    limits: Limits,
    total: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.total += count as u64;
        let allowed = self.limits.unpacked(self.packed.load(Ordering::Relaxed));
        if self.total > allowed {
            return Err(io::Error::other(TooMuch { allowed }));
        }
        Ok(count)
    }
}
