//! Lock of a run directory for one process at a time.

use super::RunError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// First line of the marker, as an explanation for users.
const WORDS: &str = "This folder holds a run of bnpool, which may replace its own files in it.";

/// A lock that is released when the value is dropped or the process ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock on the marker of a directory, and creates the marker if
    /// necessary.
    pub(super) fn take(directory: &Path, marker: &Path) -> Result<Self, RunError> {
        let unusable = |source| RunError::Unusable {
            path: directory.to_owned(),
            source,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(marker)
            .map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::InUse {
                    path: directory.to_owned(),
                    pid: holder(&mut file),
                });
            }
            // Some network file systems do not support locks.
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(unusable(e)),
        }
        let text = format!("{WORDS}\nprocess {}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(text.as_bytes()))
            .map_err(unusable)?;
        Ok(Self { _file: file })
    }
}

/// Returns an error if a directory is used by another process. Its files are
/// not changed.
pub(super) fn check_free(directory: &Path, marker: &Path) -> Result<(), RunError> {
    let Ok(mut file) = File::open(marker) else {
        return Ok(());
    };
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => Err(RunError::InUse {
            path: directory.to_owned(),
            pid: holder(&mut file),
        }),
        _ => Ok(()),
    }
}

/// Reads the number of the process that holds the lock.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(1000).read_to_string(&mut text).ok()?;
    text.lines()
        .find_map(|line| line.strip_prefix("process "))?
        .parse()
        .ok()
}
