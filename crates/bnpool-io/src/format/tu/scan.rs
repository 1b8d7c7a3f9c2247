//! A walk through the numbers of a text file, byte by byte.

use std::path::Path;

use crate::bytes::error::{ReadError, quote};
use crate::format::text::{DataLines, count_line_ends, parse_u32};

/// A place in a block of lines of numbers separated by commas (or blanks).
///
/// Lines are not counted on the way: an error counts them up to its place.
pub(super) struct Scanner<'a> {
    path: &'a Path,
    bytes: &'a [u8],
    position: usize,
    /// Lines before the block.
    lines: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(path: &'a Path, block: &DataLines<'a>) -> Self {
        Self {
            path,
            bytes: block.text().as_bytes(),
            position: 0,
            lines: block.passed(),
        }
    }

    /// Goes to the next line that is not blank; false at the end.
    #[inline]
    pub(super) fn next_line(&mut self) -> bool {
        while let Some(byte) = self.bytes.get(self.position) {
            if !byte.is_ascii_whitespace() {
                return true;
            }
            self.position += 1;
        }
        false
    }

    /// A whole number without sign.
    #[inline]
    pub(super) fn unsigned(&mut self) -> Result<u32, ReadError> {
        match parse_u32(&self.bytes[self.position..]) {
            Some((number, length)) => {
                self.position += length;
                Ok(number)
            }
            None => Err(self.wrong("a whole number of 32 bits, not negative")),
        }
    }

    /// A whole number, also one written as `3.0`.
    #[inline]
    pub(super) fn whole(&mut self) -> Result<i64, ReadError> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let (number, length) = self.number::<f64>("a whole number")?;
        if number.fract() != 0.0 || number.abs() > EXACT {
            return Err(self.wrong("a whole number"));
        }
        self.position += length;
        Ok(number as i64)
    }

    /// A finite number.
    #[inline]
    pub(super) fn float(&mut self) -> Result<f32, ReadError> {
        let (number, length) = self.number::<f32>("a finite number")?;
        if !number.is_finite() {
            return Err(self.wrong("a finite number"));
        }
        self.position += length;
        Ok(number)
    }

    /// A number that may be NaN, which marks a missing target.
    pub(super) fn target(&mut self) -> Result<f32, ReadError> {
        let (number, length) = self.number::<f32>("a number")?;
        if number.is_infinite() {
            return Err(self.wrong("a finite number, or nan for a missing one"));
        }
        self.position += length;
        Ok(number)
    }

    #[inline]
    fn number<T: fast_float2::FastFloat>(&self, wanted: &str) -> Result<(T, usize), ReadError> {
        fast_float2::parse_partial(&self.bytes[self.position..]).map_err(|_| self.wrong(wanted))
    }

    /// Passes a comma or blanks; false at the end of the line.
    #[inline]
    pub(super) fn separator(&mut self) -> bool {
        let start = self.position;
        self.pass_blanks();
        if self.bytes.get(self.position) == Some(&b',') {
            self.position += 1;
            self.pass_blanks();
            return true;
        }
        self.position > start && !self.at_line_end()
    }

    /// Passes the end of the line; anything else before it is an error.
    #[inline]
    pub(super) fn end_line(&mut self) -> Result<(), ReadError> {
        self.pass_blanks();
        if !self.at_line_end() {
            return Err(self.wrong("the end of the line"));
        }
        Ok(())
    }

    #[inline]
    fn pass_blanks(&mut self) {
        while let Some(b' ' | b'\t') = self.bytes.get(self.position) {
            self.position += 1;
        }
    }

    #[inline]
    fn at_line_end(&self) -> bool {
        matches!(self.bytes.get(self.position), None | Some(b'\n' | b'\r'))
    }

    /// An error at this place: the file has something else than what is wanted.
    #[cold]
    pub(super) fn wrong(&self, wanted: &str) -> ReadError {
        let rest = &self.bytes[self.position..];
        let end = rest
            .iter()
            .position(|byte| matches!(byte, b'\n' | b'\r' | b','));
        let found = &rest[..end.unwrap_or(rest.len())];
        let found = if found.is_empty() {
            "the line ends".to_owned()
        } else {
            format!("{} stands", quote(found.trim_ascii()))
        };
        self.error(
            format!("{found} where {wanted} should be"),
            "fix the line or fetch the file again",
        )
    }

    /// An error on this line.
    #[cold]
    pub(super) fn error(&self, problem: String, remedy: &'static str) -> ReadError {
        let before = &self.bytes[..self.position];
        let line = 1 + self.lines + count_line_ends(before);
        ReadError::at_line(self.path, line, problem, remedy)
    }
}
