//! Text a block of lines at a time.

use std::io::Read;
use std::path::Path;

use super::encoding::{Encoding, looks_like_windows};
use super::lines::{DataLines, count_line_ends, last_line_end};
use crate::bytes::bounded::Bounded;
use crate::bytes::error::ReadError;
use crate::bytes::intake::check_start_of_text;
use crate::bytes::source::{BYTE_ORDER_MARK, as_text};
use crate::remedy::Change;

/// Large enough that the work between blocks does not count, small enough for
/// the cache.
const BLOCK: usize = 1 << 18;

/// Longest line. What goes on for longer is no text, or does not end.
const LONGEST_LINE: usize = 1 << 26;

/// Memory that the arrays made of a text may take while they grow, for each byte
/// of it: the shortest line of an edge has four bytes, the edge eight, and twice
/// that when its array moves to a larger place.
const GROWTH: u64 = 4;

/// The text of a file, a block of whole lines at a time: a large file need not
/// be in memory beside the arrays made from it.
pub(crate) struct TextBlocks<'a> {
    reader: Bounded<Box<dyn Read + 'a>>,
    /// The present block, and what was read beyond it.
    buffer: Vec<u8>,
    /// The end of the present block in the buffer.
    end: usize,
    /// Lines before the present block.
    lines: usize,
    /// Bytes before the present block, and bytes of everything where known.
    before: u64,
    length: Option<u64>,
    exhausted: bool,
    /// Whether the length is that of a file on the disk and not only announced.
    is_sure: bool,
    /// Bytes after which the memory is looked at again.
    look_again: u64,
    /// The encoding, once it is known.
    encoding: Option<Encoding>,
    /// Whether a block before had characters of several bytes.
    is_utf8: bool,
    /// Bytes of the buffer that are UTF-8 already.
    decoded: usize,
}

impl<'a> TextBlocks<'a> {
    /// Blocks of a file that is in memory already.
    /// Blocks of a member of an archive, which announces this length.
    pub(crate) fn packed(reader: Bounded<Box<dyn Read + 'a>>, said: u64) -> Self {
        Self {
            is_sure: false,
            ..Self::new(reader, Some(said))
        }
    }

    /// Blocks of whatever can be read, of this length if it is known.
    pub(crate) fn new(reader: Bounded<Box<dyn Read + 'a>>, length: Option<u64>) -> Self {
        Self {
            is_sure: length.is_some(),
            reader,
            buffer: Vec::with_capacity(BLOCK),
            end: 0,
            lines: 0,
            before: 0,
            length,
            exhausted: false,
            look_again: 1 << 26,
            encoding: None,
            is_utf8: false,
            decoded: 0,
        }
    }

    /// The same text in an encoding, if it is known.
    pub(crate) fn in_encoding(mut self, encoding: Option<Encoding>) -> Self {
        self.encoding = encoding;
        self
    }

    /// The encoding that was found, if it is not UTF-8.
    pub(crate) fn other_encoding(&self) -> Option<Encoding> {
        self.encoding.filter(|encoding| *encoding != Encoding::Utf8)
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
        self.lines += count_line_ends(&self.buffer[..self.end]);
        self.before += self.end as u64;
        self.buffer.drain(..self.end);
        self.decoded = 0;
        self.check_memory()?;
        self.fill(BLOCK)?;
        if self.end == 0 {
            return Ok(None);
        }
        self.present().map(Some)
    }

    /// An estimate of what follows this block, if `so_far` were found
    /// up to its end and the file goes on like this; 0 if nothing is known.
    pub(crate) fn expect_more(&self, so_far: usize) -> usize {
        let done = u128::from(self.before) + self.end as u128;
        let left = self.length.map_or(0, u128::from).saturating_sub(done);
        let more = usize::try_from(so_far as u128 * left / done.max(1)).unwrap_or(0);
        if self.is_sure {
            more
        } else {
            // An announced length counts for twice of what was seen.
            more.min(so_far)
        }
    }

    /// Looks, whenever the text has doubled, whether memory is left to go on. A
    /// text on the disk is as long as it is, and room for the rest is reserved.
    fn check_memory(&mut self) -> Result<(), ReadError> {
        if self.is_sure || self.before < self.look_again {
            return Ok(());
        }
        self.look_again = self.before.saturating_mul(2);
        let limits = self.reader.limits();
        let needed = self.before.saturating_mul(GROWTH);
        limits.check_memory(self.path(), "a text that goes on", needed)
    }

    fn present(&self) -> Result<DataLines<'_>, ReadError> {
        let text = as_text(self.path(), &self.buffer[..self.end], self.lines)?;
        Ok(DataLines::after(text, self.lines))
    }

    /// Reads all of a text in UTF-16 into one block: spreadsheets are not large.
    fn fill_wide(&mut self) -> Result<(), ReadError> {
        let more = self.reader.limits().max_bytes;
        self.reader.append(more, &mut self.buffer)?;
        let Some(text) = Encoding::Utf16.decode(&self.buffer) else {
            return Err(ReadError::in_file(
                self.path(),
                "the text is not UTF-16",
                ("save the file as UTF-8", Change::Encoding),
            ));
        };
        self.buffer = text.into_owned().into_bytes();
        self.end = self.buffer.len();
        self.exhausted = true;
        Ok(())
    }

    /// Makes UTF-8 of the present block if it is in another encoding. Text that is not
    /// UTF-8 is Windows-1252 if nothing before speaks against it.
    fn decode_block(&mut self) {
        // A first block may grow.
        let block = &self.buffer[self.decoded..self.end];
        if self.encoding.is_none() && !block.is_ascii() {
            if std::str::from_utf8(block).is_ok() {
                self.is_utf8 = true;
            } else if !self.is_utf8 && looks_like_windows(block) {
                self.encoding = Some(Encoding::Windows1252);
            }
        }
        if self.encoding == Some(Encoding::Windows1252)
            && let Some(text) = Encoding::Windows1252.decode(block)
        {
            let text = text.into_owned().into_bytes();
            let end = self.decoded + text.len();
            self.buffer.splice(self.decoded..self.end, text);
            self.end = end;
        }
        self.decoded = self.end;
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
            if first {
                self.encoding = self.encoding.or(Encoding::of_mark(&self.buffer));
                if self.encoding == Some(Encoding::Utf16) {
                    return self.fill_wide();
                }
                check_start_of_text(self.path(), &self.buffer)?;
            }
            if first && self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.buffer.drain(..BYTE_ORDER_MARK.len());
            }
            self.end = match last_line_end(&self.buffer) {
                _ if self.exhausted => self.buffer.len(),
                Some(end) => end,
                None => 0,
            };
            if self.end > 0 || self.exhausted {
                self.decode_block();
                return Ok(());
            }
            if size > LONGEST_LINE {
                return Err(ReadError::too_large(
                    self.path(),
                    format!("line {}", self.lines + 1),
                    format!("{LONGEST_LINE} bytes"),
                    "check that this is a text file",
                ));
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
    use crate::bytes::intake::Intake;
    use crate::bytes::ledger::Record;
    use crate::format::{Limits, Source};

    fn of(source: Source) -> TextBlocks<'static> {
        Intake::of_source(source, &Limits::default()).into_blocks()
    }

    /// All data lines, block after block.
    fn collect(blocks: &mut TextBlocks<'_>) -> Result<Vec<(usize, String)>, ReadError> {
        let own = |(number, line): (usize, &str)| (number, line.to_owned());
        let mut all: Vec<_> = blocks.first(2)?.map(own).collect();
        while let Some(lines) = blocks.next()? {
            all.extend(lines.map(own));
        }
        Ok(all)
    }

    fn open(path: &Path, limits: &Limits) -> TextBlocks<'static> {
        Intake::open(path, limits, &Record::NONE)
            .unwrap()
            .into_blocks()
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
        assert_eq!(collect(&mut of(source)).unwrap(), whole);

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, &text).unwrap();
        let mut blocks = open(&path, &Limits::default());
        assert_eq!(collect(&mut blocks).unwrap(), whole);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        std::fs::write(&path, encoder.finish().unwrap()).unwrap();
        let mut blocks = open(&path, &Limits::default());
        assert_eq!(collect(&mut blocks).unwrap(), whole);
        let strict = Limits {
            max_bytes: text.len() as u64 - 1,
            ..Limits::default()
        };
        let error = collect(&mut open(&path, &strict)).unwrap_err();
        assert!(error.to_string().contains("unpacked content"), "{error}");
    }

    #[test]
    fn bad_text_is_named_by_its_line() {
        let mut bytes = "good\n".repeat(BLOCK).into_bytes();
        bytes.extend("güt ".as_bytes());
        bytes.extend(b"b\xffd\n");
        let source = Source::from_bytes("a.txt", bytes, &Limits::default()).unwrap();
        let error = collect(&mut of(source)).unwrap_err();
        let place = format!("a.txt, line {}: the text is not UTF-8", BLOCK + 1);
        assert!(error.to_string().starts_with(&place), "{error}");
    }

    #[test]
    fn other_encodings_become_utf8() {
        let source = |bytes: &[u8]| Source::from_bytes("a.txt", bytes.to_vec(), &Limits::default());
        let mut blocks = of(source(b"\xff\xfea\0\n\0\xe4\0").unwrap());
        let lines = [(1, "a".to_owned()), (2, "ä".to_owned())];
        assert_eq!(collect(&mut blocks).unwrap(), lines);
        assert_eq!(blocks.other_encoding(), Some(Encoding::Utf16));
        // The first character that is not ASCII is far behind.
        let count = BLOCK;
        let bytes = ["good\n".repeat(count).as_bytes(), b"M\xfcller\n", b"\x80\n"].concat();
        let mut blocks = of(source(&bytes).unwrap());
        let lines = collect(&mut blocks).unwrap();
        let end = [
            (count + 1, "Müller".to_owned()),
            (count + 2, "€".to_owned()),
        ];
        assert_eq!(lines[count..], end);
        assert_eq!(blocks.other_encoding(), Some(Encoding::Windows1252));
        let mut blocks = of(source(b"M\xfcller\n").unwrap()).in_encoding(Some(Encoding::Utf8));
        let error = collect(&mut blocks).unwrap_err().to_string();
        assert!(error.contains("line 1: the text is not UTF-8"), "{error}");
    }

    #[test]
    fn line_ends_of_all_kinds_may_lie_on_the_edge_of_a_block() {
        // Lines of all lengths put every kind of end on every side of an edge.
        for end in ["\r", "\r\n", "\n", "\r\n\r", "\n\r"] {
            for shift in 0..4 {
                let mut text = "s".repeat(shift) + end;
                let mut number = 0;
                while text.len() < 3 * BLOCK {
                    text.push_str(&"x".repeat(1 + number % 7));
                    text.push_str(end);
                    number += 1;
                }
                let bytes = text.clone().into_bytes();
                let source = Source::from_bytes("a.txt", bytes, &Limits::default()).unwrap();
                let whole: Vec<_> = DataLines::new(&text)
                    .map(|(number, line)| (number, line.to_owned()))
                    .collect();
                assert_eq!(whole.len(), number + usize::from(shift > 0), "{end:?}");
                let found = collect(&mut of(source)).unwrap();
                assert!(found == whole, "{end:?}, {shift}");
            }
        }
    }

    #[test]
    fn what_does_not_end_is_stopped() {
        let endless = |byte: u8| {
            let reader: Box<dyn Read> = Box::new(std::io::repeat(byte));
            let limits = Limits::default();
            let reader = Bounded::new(Path::new("a.txt"), reader, limits.max_bytes, &limits);
            collect(&mut TextBlocks::new(reader, None)).unwrap_err()
        };
        let error = endless(0).to_string();
        assert!(error.contains("this is not a text"), "{error}");
        let error = endless(b'1').to_string();
        assert_eq!(
            error,
            "a.txt: line 1 exceeds the limit of 67108864 bytes; check that this is a text file"
        );
    }

    #[test]
    fn a_text_that_goes_on_must_leave_memory() {
        let reader: Box<dyn Read> = Box::new(Pattern(0));
        let limits = Limits {
            max_memory: 1 << 28,
            ..Limits::default()
        };
        let reader = Bounded::new(Path::new("a.txt"), reader, limits.max_bytes, &limits);
        let mut blocks = TextBlocks::new(reader, None);
        let error = loop {
            match blocks.next() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("it does not end"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("a text that goes on"), "{error}");
    }

    /// `1 2` on every line, without end.
    struct Pattern(usize);

    impl Read for Pattern {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in &mut *buffer {
                *byte = b"1 2\n"[self.0 % 4];
                self.0 += 1;
            }
            Ok(buffer.len())
        }
    }

    #[test]
    fn more_is_expected_by_what_was_seen() {
        let text = "ab\n".repeat(BLOCK);
        let source = Source::from_bytes("a.txt", text.into(), &Limits::default()).unwrap();
        let mut blocks = of(source);
        let seen = blocks.first(1).unwrap().count();
        assert_eq!(blocks.expect_more(seen), BLOCK - seen);
        while blocks.next().unwrap().is_some() {}
        assert_eq!(blocks.expect_more(BLOCK), 0);
    }
}
