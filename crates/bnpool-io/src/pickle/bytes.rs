//! The bytes of a pickle, read from front to back.

use super::error::{PickleError, PickleProblem};

/// A place in the bytes that only moves forward and never past the end.
pub(super) struct Bytes<'b> {
    all: &'b [u8],
    next: usize,
}

impl<'b> Bytes<'b> {
    pub(super) fn new(all: &'b [u8]) -> Self {
        Self { all, next: 0 }
    }

    pub(super) fn position(&self) -> usize {
        self.next
    }

    /// The next `count` bytes.
    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8], PickleError> {
        let rest = &self.all[self.next..];
        let Some(taken) = rest.get(..count) else {
            return Err(PickleError::new(self.next, PickleProblem::Truncated));
        };
        self.next += count;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], PickleError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub(super) fn byte(&mut self) -> Result<u8, PickleError> {
        Ok(self.array::<1>()?[0])
    }

    /// A length of `N` bytes, smallest first.
    pub(super) fn length<const N: usize>(&mut self) -> Result<usize, PickleError> {
        let offset = self.next;
        let mut wide = [0; 8];
        wide[..N].copy_from_slice(self.take(N)?);
        usize::try_from(u64::from_le_bytes(wide))
            .map_err(|_| PickleError::new(offset, PickleProblem::Truncated))
    }

    /// The next line, without its end.
    pub(super) fn line(&mut self) -> Result<&'b [u8], PickleError> {
        let rest = &self.all[self.next..];
        let Some(end) = memchr::memchr(b'\n', rest) else {
            return Err(PickleError::new(self.next, PickleProblem::Truncated));
        };
        self.next += end + 1;
        let line = &rest[..end];
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// The next line as a number or another thing that has a text form.
    pub(super) fn parsed<T: std::str::FromStr>(&mut self) -> Result<T, PickleError> {
        let offset = self.next;
        let line = self.line()?;
        let text = std::str::from_utf8(line).unwrap_or_default();
        text.trim()
            .parse()
            .map_err(|_| PickleError::malformed(offset, "this is not a number"))
    }
}
