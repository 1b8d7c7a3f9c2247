//! Zip archives, read member by member.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::bounded::Bounded;
use super::error::{ReadError, quote};
use super::intake::{Intake, Seekable};
use super::ledger::Record;
use super::limits::Limits;
use super::source::Source;
use crate::format::text::TextBlocks;

/// Bytes of an archive: a file, or in memory.
trait Bytes: Read + Seek + Debug + Send {}

impl<B: Read + Seek + Debug + Send> Bytes for B {}

/// A zip archive whose members are unpacked when asked for; nothing is ever
/// written to the disk.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    zip: ZipArchive<Box<dyn Bytes>>,
    /// Place in the archive of every file, by name.
    members: BTreeMap<String, usize>,
    limits: Limits,
    /// The bytes that may still be unpacked: the limit holds for all members together.
    left: u64,
}

impl Archive {
    /// Opens the archive at `path`, or in standard input for the path `-`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no zip archive, and when a member has
    /// a name that leaves the archive (`../x`, `/x`) or is encrypted.
    pub fn open(path: impl Into<PathBuf>, limits: &Limits) -> Result<Self, ReadError> {
        let intake = Intake::open(&path.into(), limits, &Record::NONE)?;
        Self::of_intake(intake)
    }

    /// The archive in an open file. One that cannot be read from any place is
    /// taken into memory.
    pub(crate) fn of_intake(intake: Intake) -> Result<Self, ReadError> {
        let (path, limits) = (intake.path().to_owned(), *intake.limits());
        match intake.into_seekable()? {
            Seekable::File(file, length) => {
                Self::new(path, Box::new(BufReader::new(file)), length, &limits)
            }
            Seekable::Memory(source) => Self::from_bytes(path, source.into_bytes(), &limits),
        }
    }

    /// An archive that is in memory already; the path is only a name for
    /// messages.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn from_bytes(
        path: impl Into<PathBuf>,
        bytes: Vec<u8>,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let length = bytes.len() as u64;
        Self::new(path.into(), Box::new(Cursor::new(bytes)), length, limits)
    }

    fn new(
        path: PathBuf,
        bytes: Box<dyn Bytes>,
        length: u64,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let left = limits.unpacked(length);
        let mut zip = ZipArchive::new(bytes).map_err(|error| refuse(&path, error))?;
        let members = list_members(&path, &mut zip)?;
        Ok(Self {
            path,
            zip,
            members,
            limits: *limits,
            left,
        })
    }

    /// The name of the archive.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Limits of the members.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Names of all files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Unpacks a member; `None` if there is none of this name.
    ///
    /// # Errors
    ///
    /// When the member is damaged, or all that was unpacked of the archive so
    /// far is more than the limits allow.
    pub fn read(&mut self, name: &str) -> Result<Option<Source>, ReadError> {
        let limits = self.limits;
        let Some(member) = self.member(name)? else {
            return Ok(None);
        };
        let path = member.reader.path().to_owned();
        let bytes = member.reader.into_bytes(member.expected)?;
        Source::from_bytes(path, bytes, &limits).map(Some)
    }

    /// The text of a member, a block at a time; `None` if there is none of
    /// this name.
    pub(crate) fn blocks(&mut self, name: &str) -> Result<Option<TextBlocks<'_>>, ReadError> {
        let member = self.member(name)?;
        Ok(member.map(|member| TextBlocks::packed(member.reader, member.expected)))
    }

    /// A member that is still packed.
    pub(crate) fn member(&mut self, name: &str) -> Result<Option<Member<'_>>, ReadError> {
        let Some(&index) = self.members.get(name) else {
            return Ok(None);
        };
        let path = self.path.join(name);
        let member = self
            .zip
            .by_index(index)
            .map_err(|error| refuse(&path, error))?;
        // The size may be a lie: it only saves growing, up to a point.
        let expected = member
            .size()
            .min(self.limits.unpacked(member.compressed_size()));
        let allowed = self.left;
        let reader: Box<dyn Read + '_> = Box::new(Counted {
            reader: member,
            left: &mut self.left,
        });
        Ok(Some(Member {
            reader: Bounded::new(&path, reader, allowed, &self.limits),
            expected,
        }))
    }
}

/// A member of an archive that is being unpacked.
pub(crate) struct Member<'a> {
    pub(crate) reader: Bounded<Box<dyn Read + 'a>>,
    /// The size it announces, up to a point.
    pub(crate) expected: u64,
}

/// Takes what is unpacked from what may still be.
struct Counted<'a, R> {
    reader: R,
    left: &'a mut u64,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        *self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

fn list_members(
    path: &Path,
    zip: &mut ZipArchive<Box<dyn Bytes>>,
) -> Result<BTreeMap<String, usize>, ReadError> {
    let mut members = BTreeMap::new();
    for index in 0..zip.len() {
        let member = zip
            .by_index_raw(index)
            .map_err(|error| refuse(path, error))?;
        let name = member
            .name()
            .map_err(|error| refuse(path, error))?
            .into_owned();
        let outside = name.starts_with('/') || name.split('/').any(|part| part == "..");
        if outside || name.contains('\\') || member.enclosed_name().is_none() {
            return Err(ReadError::in_file(
                path,
                format!("the member {} leaves the archive", quote(name.as_bytes())),
                "do not trust this archive; pack it again without absolute or `..` paths",
            ));
        }
        if member.encrypted() {
            return Err(ReadError::in_file(
                path,
                format!("the member {} is encrypted", quote(name.as_bytes())),
                "unpack the archive with its password first",
            ));
        }
        if !member.is_dir() {
            members.insert(name, index);
        }
    }
    Ok(members)
}

fn refuse(path: &Path, error: ZipError) -> ReadError {
    match error {
        ZipError::Io(source) => ReadError::io(path, source),
        other => ReadError::in_file(
            path,
            format!("this is no good zip archive ({other})"),
            "fetch or pack it again, with deflate or no compression",
        ),
    }
}
