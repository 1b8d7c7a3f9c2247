//! Zip archives, read member by member.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::bounded::{Bounded, read_whole};
use super::error::{ReadError, quote};
use super::limits::Limits;
use super::source::Source;

/// A zip archive whose members are unpacked into memory when asked for; nothing
/// is ever written to the disk.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    zip: ZipArchive<Cursor<Vec<u8>>>,
    /// Place in the archive of every file, by name.
    members: BTreeMap<String, usize>,
    limits: Limits,
    /// What may still be unpacked: the limit holds for all members together.
    left: u64,
}

impl Archive {
    /// Opens the archive at `path`.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no zip archive, and when a member has
    /// a name that leaves the archive (`../x`, `/x`) or is encrypted.
    pub fn open(path: impl Into<PathBuf>, limits: &Limits) -> Result<Self, ReadError> {
        let path = path.into();
        let bytes = read_whole(&path, limits)?;
        Self::from_bytes(path, bytes, limits)
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
        let path = path.into();
        let left = limits.unpacked(bytes.len() as u64);
        let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| refuse(&path, error))?;
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

    /// Names of all files, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }

    /// Unpacks a member; `None` where there is none of this name.
    ///
    /// # Errors
    ///
    /// When the member is damaged, or all that was unpacked of the archive so
    /// far is more than the limits allow.
    pub fn read(&mut self, name: &str) -> Result<Option<Source>, ReadError> {
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
        let bytes = Bounded::new(&path, member, self.left).into_bytes(expected)?;
        self.left -= bytes.len() as u64;
        Source::from_bytes(path, bytes, &self.limits).map(Some)
    }
}

fn list_members(
    path: &Path,
    zip: &mut ZipArchive<Cursor<Vec<u8>>>,
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
