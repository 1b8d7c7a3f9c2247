//! The files of a TU data set, in a folder or an archive.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bytes::archive::Archive;
use crate::bytes::error::ReadError;
use crate::bytes::intake::Intake;
use crate::bytes::ledger::{Ledger, Record};
use crate::bytes::limits::Limits;
use crate::bytes::packing::ENDINGS;
use crate::format::table::unpacked_name;
use crate::format::text::TextBlocks;

const EDGES_SUFFIX: &str = "_A.txt";

/// The files of one data set.
#[derive(Debug)]
pub(super) enum TuFiles<'l> {
    Folder {
        folder: PathBuf,
        name: String,
        /// The list of the files that are read.
        ledger: Option<&'l Ledger>,
    },
    Archive {
        archive: Archive,
        /// The start of the names of all members, folder included.
        prefix: String,
    },
}

impl<'l> TuFiles<'l> {
    pub(super) fn folder(path: &Path, ledger: Option<&'l Ledger>) -> Result<Self, ReadError> {
        for folder in [path.to_owned(), path.join("raw")] {
            if let Some(name) = only_set(path, names_in(&folder))? {
                return Ok(Self::Folder {
                    folder,
                    name,
                    ledger,
                });
            }
        }
        Err(no_set(path))
    }

    pub(super) fn archive(archive: Archive) -> Result<Self, ReadError> {
        // Archives made on a Mac carry a shadow of every file.
        let shadow = |name: &str| {
            name.starts_with("__MACOSX/")
                || name
                    .rsplit('/')
                    .next()
                    .is_some_and(|file| file.starts_with("._"))
        };
        let names = archive
            .names()
            .filter(|name| !shadow(name))
            .filter_map(|name| name.strip_suffix(EDGES_SUFFIX))
            .map(str::to_owned)
            .collect();
        match only_set(archive.path(), names)? {
            Some(prefix) => Ok(Self::Archive { archive, prefix }),
            None => Err(no_set(archive.path())),
        }
    }

    /// The name of the data set.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Folder { name, .. } => name,
            Self::Archive { prefix, .. } => prefix.rsplit('/').next().unwrap_or(prefix),
        }
    }

    /// The folder or archive, for messages.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Folder { folder, .. } => folder,
            Self::Archive { archive, .. } => archive.path(),
        }
    }

    /// Reads a part such as `A` or `node_labels`; `None` if the set has none.
    pub(super) fn read(
        &mut self,
        part: &str,
        limits: &Limits,
    ) -> Result<Option<TextBlocks<'_>>, ReadError> {
        match self {
            Self::Folder {
                folder,
                name,
                ledger,
            } => {
                let plain = format!("{name}_{part}.txt");
                let packed = ENDINGS.iter().map(|ending| format!("{plain}.{ending}"));
                let mut files = std::iter::once(plain.clone()).chain(packed);
                let Some(file) = files.find(|file| folder.join(file).exists()) else {
                    return Ok(None);
                };
                let path = folder.join(&file);
                let record = ledger.map_or(Record::NONE, |ledger| ledger.entry(&file));
                let intake = Intake::open(&path, limits, &record)?;
                Ok(Some(intake.into_blocks()))
            }
            Self::Archive { archive, prefix } => archive.blocks(&format!("{prefix}_{part}.txt")),
        }
    }

    /// Reads a part that every set has.
    pub(super) fn required(
        &mut self,
        part: &str,
        limits: &Limits,
    ) -> Result<TextBlocks<'_>, ReadError> {
        let missing = ReadError::in_file(
            self.path(),
            format!("the file `{}_{part}.txt` is missing", self.name()),
            "fetch the data set again",
        );
        self.read(part, limits)?.ok_or(missing)
    }
}

/// Whether a folder, or its sub-folder `raw`, holds a TU data set.
pub(crate) fn is_tu_folder(path: &Path) -> bool {
    !names_in(path).is_empty() || !names_in(&path.join("raw")).is_empty()
}

/// Names of the data sets in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<_> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| !file.starts_with('.'))
        .filter_map(|file| {
            let file = if file.ends_with(EDGES_SUFFIX) {
                file
            } else {
                unpacked_name(Path::new(&file)).to_str()?.to_owned()
            };
            Some(file.strip_suffix(EDGES_SUFFIX)?.to_owned())
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn only_set(path: &Path, mut names: Vec<String>) -> Result<Option<String>, ReadError> {
    if names.len() > 1 {
        return Err(ReadError::in_file(
            path,
            format!("there are several data sets: {}", names.join(", ")),
            "keep one data set a folder or archive",
        ));
    }
    Ok(names.pop())
}

fn no_set(path: &Path) -> ReadError {
    ReadError::in_file(
        path,
        "there is no file `…_A.txt`",
        "name a folder or zip of a TU data set",
    )
}
