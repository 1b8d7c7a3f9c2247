//! Text in other encodings than UTF-8, as spreadsheets write it.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// Windows-1252, of which ISO 8859-1 is a part.
    Windows1252,
    /// UTF-16 of either byte order.
    Utf16,
}

/// The names of an encoding, the first of them for messages.
const NAMES: [(Encoding, &[&str]); 3] = [
    (Encoding::Utf8, &["UTF-8", "utf8"]),
    (
        Encoding::Windows1252,
        &["Windows-1252", "cp1252", "latin1", "latin-1", "iso-8859-1"],
    ),
    (
        Encoding::Utf16,
        &["UTF-16", "utf16", "utf-16le", "utf-16be"],
    ),
];

/// The characters of the bytes from 0x80 on that are not those of ISO 8859-1; five of
/// the bytes have none.
const HIGH: [char; 32] = [
    '€', '\0', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\0', 'Ž', '\0', '\0', '‘',
    '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\0', 'ž', 'Ÿ',
];

const LITTLE: &[u8] = b"\xff\xfe";
const BIG: &[u8] = b"\xfe\xff";

impl Encoding {
    /// The encoding by the mark at the start of a text.
    pub(crate) fn of_mark(start: &[u8]) -> Option<Self> {
        (start.starts_with(LITTLE) || start.starts_with(BIG)).then_some(Self::Utf16)
    }

    /// The text as UTF-8; `None` if it is not in this encoding.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<Cow<'_, str>> {
        match self {
            Self::Utf8 => std::str::from_utf8(bytes).ok().map(Cow::from),
            Self::Windows1252 => bytes.iter().map(|&byte| character(byte)).collect(),
            Self::Utf16 => {
                let (body, is_big) = match (bytes.strip_prefix(LITTLE), bytes.strip_prefix(BIG)) {
                    (Some(body), _) => (body, false),
                    (None, Some(body)) => (body, true),
                    // Most text begins with a character whose high byte is 0.
                    (None, None) => (bytes, bytes.first() == Some(&0)),
                };
                let units = body.chunks(2).map(|unit| match *unit {
                    [one, other] if is_big => u16::from_be_bytes([one, other]),
                    [one, other] => u16::from_le_bytes([one, other]),
                    // Half a character.
                    _ => 0xd800,
                });
                let text: Result<String, _> = char::decode_utf16(units).collect();
                text.ok().map(Cow::from)
            }
        }
    }
}

/// The character of a byte of Windows-1252.
fn character(byte: u8) -> Option<char> {
    match byte {
        0x80..=0x9f => Some(HIGH[usize::from(byte - 0x80)]).filter(|&c| c != '\0'),
        byte => Some(char::from(byte)),
    }
}

/// Whether bytes that are not UTF-8 look like text of Windows-1252: no character of
/// several bytes is among them, and no control character.
pub(crate) fn looks_like_windows(bytes: &[u8]) -> bool {
    let is_text =
        |byte: &u8| !matches!(byte, 0..=8 | 0x0e..=0x1f | 0x7f) && character(*byte).is_some();
    let mut chunks = bytes.utf8_chunks();
    bytes.iter().all(is_text) && chunks.all(|chunk| chunk.valid().is_ascii())
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = NAMES.iter().find(|(encoding, _)| encoding == self);
        f.write_str(names.map_or("", |(_, names)| names[0]))
    }
}

impl From<Encoding> for String {
    fn from(encoding: Encoding) -> Self {
        encoding.to_string().to_lowercase()
    }
}

impl TryFrom<String> for Encoding {
    type Error = UnknownEncoding;

    fn try_from(name: String) -> Result<Self, UnknownEncoding> {
        name.parse()
    }
}

/// A name that no encoding has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no encoding {}; choose one: utf-8, windows-1252, utf-16", crate::shown::quote(.0.as_bytes()))]
pub struct UnknownEncoding(pub String);

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Self, UnknownEncoding> {
        let is = |known: &&str| known.eq_ignore_ascii_case(name);
        let mut all = NAMES.iter();
        all.find(|(_, names)| names.iter().any(is))
            .map(|(encoding, _)| *encoding)
            .ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_decoded() {
        let decode = |encoding: Encoding, bytes| encoding.decode(bytes).map(Cow::into_owned);
        assert_eq!(
            decode(Encoding::Windows1252, b"M\xfcller \x80").as_deref(),
            Some("Müller €")
        );
        assert_eq!(decode(Encoding::Windows1252, b"\x81"), None);
        for bytes in [
            &b"\xff\xfea\0\xe4\0"[..],
            b"\xfe\xff\0a\0\xe4",
            b"a\0\xe4\0",
            b"\0a\0\xe4",
        ] {
            assert_eq!(decode(Encoding::Utf16, bytes).as_deref(), Some("aä"));
        }
        assert_eq!(decode(Encoding::Utf16, b"a\0b"), None);
        assert_eq!(decode(Encoding::Utf8, b"\xff"), None);
    }

    #[test]
    fn encodings_have_names() {
        for (encoding, names) in NAMES {
            for name in names {
                assert_eq!(name.parse(), Ok(encoding));
            }
            assert_eq!(String::from(encoding).parse(), Ok(encoding));
        }
        let error = "ebcdic".parse::<Encoding>().unwrap_err().to_string();
        assert!(
            error.contains("`ebcdic`") && error.contains("utf-16"),
            "{error}"
        );
    }

    #[test]
    fn other_bytes_are_no_text() {
        assert!(looks_like_windows(b"M\xfcller\r\n"));
        assert!(!looks_like_windows("Müller".as_bytes()));
        assert!(!looks_like_windows(b"\x00\xfc"));
        assert!(!looks_like_windows(b"a\x01\xfc"));
        assert!(!looks_like_windows(b"\x81"));
    }
}
