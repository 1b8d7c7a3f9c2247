//! Text a block of lines at a time.

use std::io::{BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use memchr::{memchr_iter, memrchr};

use super::lines::DataLines;
use crate::format::bounded::{self, Bounded};
use crate::format::error::ReadError;
use crate::format::limits::Limits;
use crate::format::source::{BYTE_ORDER_MARK, GZIP_MAGIC, Source, as_text};

/// Large enough that the work between blocks does not count, small enough for
/// the cache.
const BLOCK: usize = 1 << 18;

/// The text of a file, a block of whole lines at a time: a large file need not
/// be in memory beside the arrays made from it.
pub(crate) struct TextBlocks<'a> {
    reader: Bounded<Box<dyn Read + 'a>>,
    /// The present block, and what was read beyond it.
    buffer: Vec<u8>,
    /// Where the present block ends in the buffer.
    end: usize,
    /// Lines before the present block.
    lines: usize,
    /// Bytes before the present block, and bytes of everything where known.
    before: u64,
    length: Option<u64>,
    exhausted: bool,
}

impl<'a> TextBlocks<'a> {
    /// Opens a file; one that starts like a gzip file is unpacked, whatever its
    /// name.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or is larger than the limits allow; when
    /// it is larger unpacked, this is seen on the way.
    pub(crate) fn open(path: &Path, limits: &Limits) -> Result<Self, ReadError> {
        let (mut file, length) = bounded::open(path, limits)?;
        let packed = bounded::starts_with(path, &mut file, &GZIP_MAGIC)?;
        let (reader, allowed, length): (Box<dyn Read>, _, _) = if packed {
            let unpacked = MultiGzDecoder::new(BufReader::with_capacity(BLOCK, file));
            (Box::new(unpacked), limits.unpacked(length), None)
        } else if length > 0 {
            (Box::new(file), limits.max_bytes, Some(length))
        } else {
            // A pipe tells neither its length nor, without losing it, its start.
            let source = Source::read(path.to_owned(), file, 0, limits)?;
            let length = source.bytes().len() as u64;
            (
                Box::new(Cursor::new(source.into_bytes())),
                u64::MAX,
                Some(length),
            )
        };
        Ok(Self::new(Bounded::new(path, reader, allowed), length))
    }

    /// Blocks of a file that is in memory already.
    pub(crate) fn of(source: &'a Source) -> Self {
        let reader: Box<dyn Read> = Box::new(source.bytes());
        let length = source.bytes().len() as u64;
        Self::new(Bounded::new(source.path(), reader, u64::MAX), Some(length))
    }

    /// Blocks of whatever can be read, of about this length where it is known.
    pub(crate) fn new(reader: Bounded<Box<dyn Read + 'a>>, length: Option<u64>) -> Self {
        Self {
            reader,
            buffer: Vec::with_capacity(BLOCK),
            end: 0,
            lines: 0,
            before: 0,
            length,
            exhausted: false,
        }
    }

    /// The name of the file.
    pub(crate) fn path(&self) -> &Path {
        self.reader.path()
    }

    /// The first block, with at least `count` lines that hold data (or all there
    /// are).
    pub(crate) fn first(&mut self, count: usize) -> Result<DataLines<'_>, ReadError> {
        let mut size = BLOCK;
        loop {
            self.fill(size)?;
            let enough = self.present()?.take(count).count() == count;
            if enough || self.exhausted {
                return self.present();
            }
            size *= 2;
        }
    }

    /// The next block; `None` after the last.
    pub(crate) fn next(&mut self) -> Result<Option<DataLines<'_>>, ReadError> {
        self.lines += memchr_iter(b'\n', &self.buffer[..self.end]).count();
        self.before += self.end as u64;
        self.buffer.drain(..self.end);
        self.fill(BLOCK)?;
        if self.end == 0 {
            return Ok(None);
        }
        self.present().map(Some)
    }

    /// How many more there will be after this block, where `so_far` were found
    /// up to its end and the file goes on like this; 0 where nothing is known.
    pub(crate) fn expect_more(&self, so_far: usize) -> usize {
        let done = u128::from(self.before) + self.end as u128;
        let left = self.length.map_or(0, u128::from).saturating_sub(done);
        usize::try_from(so_far as u128 * left / done.max(1)).unwrap_or(0)
    }

    fn present(&self) -> Result<DataLines<'_>, ReadError> {
        let text = as_text(self.path(), &self.buffer[..self.end], self.lines)?;
        Ok(DataLines::after(text, self.lines))
    }

    /// Reads until there is a block of about `size` bytes, a line at least.
    fn fill(&mut self, mut size: usize) -> Result<(), ReadError> {
        loop {
            let first = self.buffer.is_empty() && self.before == 0;
            let more = size.saturating_sub(self.buffer.len());
            if !self.exhausted && more > 0 {
                self.buffer.reserve(more);
                let count = self.reader.append(more as u64, &mut self.buffer)?;
                self.exhausted = count < more;
            }
            if first && self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            self.end = match memrchr(b'\n', &self.buffer) {
                _ if self.exhausted => self.buffer.len(),
                Some(last) => last + 1,
                None => 0,
            };
            if self.end > 0 || self.exhausted {
                return Ok(());
            }
            size *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// All data lines, block after block.
    fn collect(blocks: &mut TextBlocks<'_>) -> Result<Vec<(usize, String)>, ReadError> {
        let own = |(number, line): (usize, &str)| (number, line.to_owned());
        let mut all: Vec<_> = blocks.first(2)?.map(own).collect();
        while let Some(lines) = blocks.next()? {
            all.extend(lines.map(own));
        }
        Ok(all)
    }

    fn long_text() -> String {
        let mut text = "\u{feff}# a comment longer than a block ".to_owned();
        text.push_str(&"x".repeat(BLOCK));
        text.push_str("\r\nfirst\n");
        for line in 0..100_000 {
            text.push_str(&format!("line {line} ü\n\n"));
        }
        text.push_str(&"z".repeat(3 * BLOCK));
        text
    }

    #[test]
    fn blocks_hold_the_lines_of_the_file() {
        let text = long_text();
        let source = Source::from_bytes("a.txt", text.clone().into(), &Limits::default()).unwrap();
        let whole: Vec<_> = DataLines::new(source.text().unwrap())
            .map(|(number, line)| (number, line.to_owned()))
            .collect();
        assert_eq!(collect(&mut TextBlocks::of(&source)).unwrap(), whole);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, &text).unwrap();
        let mut blocks = TextBlocks::open(&path, &Limits::default()).unwrap();
        assert_eq!(collect(&mut blocks).unwrap(), whole);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        std::fs::write(&path, encoder.finish().unwrap()).unwrap();
        let mut blocks = TextBlocks::open(&path, &Limits::default()).unwrap();
        assert_eq!(collect(&mut blocks).unwrap(), whole);
        let strict = Limits {
            max_bytes: text.len() as u64 - 1,
            ..Limits::default()
        };
        let error = collect(&mut TextBlocks::open(&path, &strict).unwrap()).unwrap_err();
        assert!(error.to_string().contains("unpacked content"), "{error}");
    }

    #[test]
    fn bad_text_is_named_by_its_line() {
        let mut bytes = "good\n".repeat(BLOCK).into_bytes();
        bytes.extend(b"b\xffd\n");
        let source = Source::from_bytes("a.txt", bytes, &Limits::default()).unwrap();
        let error = collect(&mut TextBlocks::of(&source)).unwrap_err();
        let place = format!("a.txt, line {}: the text is not UTF-8", BLOCK + 1);
        assert!(error.to_string().starts_with(&place), "{error}");
        let source = Source::from_bytes("a.txt", b"\xff\xfea\0".to_vec(), &Limits::default());
        let error = collect(&mut TextBlocks::of(&source.unwrap())).unwrap_err();
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }

    #[test]
    fn more_is_expected_by_what_was_seen() {
        let text = "ab\n".repeat(BLOCK);
        let source = Source::from_bytes("a.txt", text.into(), &Limits::default()).unwrap();
        let mut blocks = TextBlocks::of(&source);
        let seen = blocks.first(1).unwrap().count();
        assert_eq!(blocks.expect_more(seen), BLOCK - seen);
        while blocks.next().unwrap().is_some() {}
        assert_eq!(blocks.expect_more(BLOCK), 0);
    }
}
