//! Files that appear whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a file could not be written.
#[derive(Debug, Error)]
#[error("{}: cannot write: {source}; check the folder, its permissions and the free space", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub source: io::Error,
}

/// Writes a file under a temporary name in the same folder and renames it when
/// all of it is on the disk, so that an interruption leaves the old file (or
/// none) and never half of one. Missing folders are made.
///
/// # Errors
///
/// When a folder or the file cannot be written, or `write` fails; nothing is
/// left behind then.
///
/// ```
/// use bnpool_graph::format::write_atomically;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("new/labels.csv");
/// write_atomically(&path, |file| writeln!(file, "node,cluster"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "node,cluster\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    write_and_rename(path, write).map_err(|source| WriteError {
        path: path.to_owned(),
        source,
    })
}

fn write_and_rename(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".bnpool-").suffix(".part");
    // Temporary files are private; the finished one shall obey the umask.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    let file = buffered
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomically(&path, |file| file.write_all(b"old")).unwrap();
        let error = write_atomically(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("power cut"))
        })
        .unwrap_err();
        assert!(error.to_string().contains("power cut"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn finished_files_are_not_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, plain) = (folder.path().join("a"), folder.path().join("b"));
        write_atomically(&path, |_| Ok(())).unwrap();
        fs::write(&plain, "").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }
}
