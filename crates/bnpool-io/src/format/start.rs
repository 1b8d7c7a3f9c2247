//! The start of a file whose name does not give its format.

use crate::bytes::intake::ZIP_MAGIC;
use crate::bytes::source::BYTE_ORDER_MARK;
use crate::format::text::{Encoding, looks_like_windows, split_line};

/// The first bytes of a file.
pub(crate) struct Start<'a> {
    bytes: &'a [u8],
    /// The text in small letters, without a byte order mark and blanks before it.
    text: Option<Vec<u8>>,
}

impl<'a> Start<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let is_text = match std::str::from_utf8(text) {
            Ok(_) => true,
            // A character may be cut at the end.
            Err(error) => error.error_len().is_none() || looks_like_windows(text),
        };
        let is_text = is_text && !text.contains(&0) || Encoding::of_mark(bytes).is_some();
        Self {
            bytes,
            text: is_text.then(|| text.trim_ascii_start().to_ascii_lowercase()),
        }
    }

    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    pub(crate) fn is_text(&self) -> bool {
        self.text.is_some()
    }

    /// The text in small letters; nothing if it is no text.
    pub(crate) fn text(&self) -> &[u8] {
        self.text.as_deref().unwrap_or_default()
    }

    /// The name of the first member of a zip archive.
    pub(crate) fn zip_member(&self) -> Option<&'a [u8]> {
        if !self.bytes.starts_with(ZIP_MAGIC) {
            return None;
        }
        // It begins at byte 30.
        let length = self.bytes.get(26).map_or(0, |&length| length as usize);
        Some(self.bytes.get(30..30 + length).unwrap_or_default())
    }
}

/// The text behind the lines at its start that are blank or start with `mark`.
pub(crate) fn after_comments<'a>(text: &'a [u8], mark: &[u8]) -> &'a [u8] {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(mark) {
        rest = split_line(rest).1.trim_ascii_start();
    }
    rest
}
