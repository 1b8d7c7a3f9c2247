//! Files of a data set in a folder or in a zip of one.

use std::path::{Path, PathBuf};

use crate::format::{Archive, Limits, ReadError, Source};

/// A folder of files, or an archive of one.
pub(super) enum Files {
    Folder { path: PathBuf, limits: Limits },
    Zip(Archive),
}

impl Files {
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, ReadError> {
        if path.is_dir() {
            return Ok(Self::Folder {
                path: path.to_path_buf(),
                limits: *limits,
            });
        }
        Archive::open(path, limits).map(Self::Zip)
    }

    fn path(&self) -> &Path {
        match self {
            Self::Folder { path, .. } => path,
            Self::Zip(archive) => archive.path(),
        }
    }

    /// Reads a file that must be there. In an archive the file may lie below a
    /// folder of any name.
    pub(super) fn read(&mut self, name: &str) -> Result<Source, ReadError> {
        match self {
            Self::Folder { path, limits } => Source::open(path.join(name), limits),
            Self::Zip(archive) => {
                let is_it = |member: &&str| {
                    let below = member.strip_suffix(name);
                    below.is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
                };
                let member = archive.names().find(is_it).map(str::to_owned);
                let source = match member {
                    Some(member) => archive.read(&member)?,
                    None => None,
                };
                source.ok_or_else(|| {
                    ReadError::in_file(
                        self.path(),
                        format!("there is no `{name}` inside"),
                        "check that this is the right archive, or fetch it again",
                    )
                })
            }
        }
    }
}
