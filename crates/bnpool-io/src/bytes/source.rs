//! Files as bytes in memory: unpacked where they are packed, and never more of
//! them than allowed.

use std::path::{Path, PathBuf};

use super::bounded::{Bounded, check_size};
use super::error::ReadError;
use super::intake::Intake;
use super::ledger::Record;
use super::limits::Limits;
use super::packing::Packing;
use crate::format::text::count_line_ends;

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The content of one file, unpacked, and its name for messages.
///
/// Formats that are read from their end or in several passes need the whole
/// file; others go through it a block at a time.
#[derive(Debug, Clone)]
pub struct Source {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl Source {
    /// Reads a file, or standard input for the path `-`; what starts like a
    /// packed file is unpacked, whatever its name.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is damaged, or is larger than the limits
    /// allow, before or after unpacking.
    pub fn open(path: impl Into<PathBuf>, limits: &Limits) -> Result<Self, ReadError> {
        Intake::open(&path.into(), limits, &Record::NONE)?.into_source()
    }

    /// Content that needs no more unpacking.
    pub(super) fn unpacked(path: PathBuf, bytes: Vec<u8>) -> Self {
        Self { path, bytes }
    }

    /// The content of a file that is in memory already, unpacked like the
    /// content of [`open`](Self::open). The path is only a name for messages.
    ///
    /// # Errors
    ///
    /// When the content is damaged or larger than the limits allow.
    pub fn from_bytes(
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let path = path.into();
        let Some(packing) = Packing::of_start(&bytes) else {
            check_size(&path, bytes.len() as u64, limits)?;
            return Ok(Self { path, bytes });
        };
        let allowed = limits.unpacked(bytes.len() as u64);
        let unpacked = packing.decoder(bytes.as_slice(), limits);
        let bytes = Bounded::new(&path, unpacked, allowed, limits).into_bytes(0)?;
        Ok(Self { path, bytes })
    }

    /// The name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The content without a copy.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The content as text, without the byte order mark some editors add.
    ///
    /// # Errors
    ///
    /// When the content is not UTF-8; the message names the first bad line.
    pub fn text(&self) -> Result<&str, ReadError> {
        let bytes = self.bytes.strip_prefix(BYTE_ORDER_MARK);
        as_text(&self.path, bytes.unwrap_or(&self.bytes), 0)
    }
}

/// Bytes as text; `lines` lines come before them in the file.
pub(crate) fn as_text<'a>(
    path: &Path,
    bytes: &'a [u8],
    lines: usize,
) -> Result<&'a str, ReadError> {
    if lines == 0 && (bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")) {
        return Err(ReadError::in_file(
            path,
            "the text is UTF-16",
            "save the file as UTF-8",
        ));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let good = &bytes[..error.valid_up_to()];
        let line = 1 + lines + count_line_ends(good);
        ReadError::at_line(
            path,
            line,
            "the text is not UTF-8",
            "save the file as UTF-8, or check that it is a text file",
        )
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn source(bytes: &[u8]) -> Result<Source, ReadError> {
        Source::from_bytes("data.txt", bytes.to_vec(), &Limits::default())
    }

    #[test]
    fn unpacks_what_is_packed() {
        let both = [packed(b"one\n"), packed(b"two\n")].concat();
        assert_eq!(source(&both).unwrap().bytes(), b"one\ntwo\n");
        assert_eq!(source(b"one\n").unwrap().into_bytes(), b"one\n");
    }

    #[test]
    fn refuses_cut_off_and_overlarge_packs() {
        let whole = packed(&[b'x'; 1000]);
        let error = source(&whole[..whole.len() - 9]).unwrap_err();
        assert!(error.to_string().contains("cut off or damaged"), "{error}");
        let limits = Limits {
            max_bytes: 999,
            ..Limits::default()
        };
        let error = Source::from_bytes("x.gz", whole, &limits).unwrap_err();
        assert_eq!(
            error.to_string(),
            "x.gz: its unpacked content exceeds the limit of 999 bytes; if the file is to be \
             trusted, unpack it yourself, or raise `limits.max_bytes`, or raise \
             `limits.max_expansion`"
        );
        let error = Source::from_bytes("x", vec![0; 1000], &limits).unwrap_err();
        assert_eq!(
            error.to_string(),
            "x: its size of 1000 bytes exceeds the limit of 999 bytes; split the data, or \
             raise `limits.max_bytes`"
        );
    }

    #[test]
    fn text_is_utf_8() {
        assert_eq!(source(b"\xef\xbb\xbfa").unwrap().text().unwrap(), "a");
        let error = source(b"a\nb\xff").unwrap().text().unwrap_err().to_string();
        assert!(
            error.starts_with("data.txt, line 2: the text is not UTF-8"),
            "{error}"
        );
        let error = source(b"\xff\xfea\0").unwrap().text().unwrap_err();
        assert!(error.to_string().contains("UTF-16"), "{error}");
    }

    #[test]
    fn missing_files_and_folders_are_named() {
        let limits = Limits::default();
        let error = Source::open("no/such/file.csv", &limits).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no/such/file.csv: cannot read: "),
            "{error}"
        );
        let error = Source::open(".", &limits).unwrap_err();
        assert!(error.to_string().contains("directory"), "{error}");
    }
}
