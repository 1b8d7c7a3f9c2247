//! Checksums recorded beside files, in the form of `sha256sum`.

use std::path::{Path, PathBuf};

#[cfg(any(test, feature = "download"))]
use crate::format::{WriteError, write_atomically};

fn record_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".sha256");
    PathBuf::from(name)
}

/// The checksum recorded for a file, if there is one.
pub(super) fn read_record(path: &Path) -> Option<String> {
    let text = std::fs::read_to_string(record_path(path)).ok()?;
    let sha256 = text.split_whitespace().next()?;
    let is_one = sha256.len() == 64 && sha256.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_one.then(|| sha256.to_ascii_lowercase())
}

/// Records the checksum of a file that was fetched.
#[cfg(any(test, feature = "download"))]
pub(super) fn write_record(path: &Path, sha256: &str) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    write_atomically(&record_path(path), |file| {
        writeln!(file, "{sha256}  {name}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        assert_eq!(read_record(&path), None);
        let sha256 = "0f".repeat(32);
        write_record(&path, &sha256).unwrap();
        assert_eq!(read_record(&path), Some(sha256));
        std::fs::write(record_path(&path), "nonsense a.zip").unwrap();
        assert_eq!(read_record(&path), None);
    }
}
