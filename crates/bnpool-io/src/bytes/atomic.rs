//! Files that appear whole or not at all.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use thiserror::Error;

/// Prefix and suffix of the names of files that are not finished yet.
const PART: (&str, &str) = (".bnpool-", ".part");

/// Links that are followed before a circle is assumed, as Linux does.
const MOST_LINKS: usize = 40;

/// A failure to write a file.
#[derive(Debug, Error)]
#[error("{}: cannot write: {source}; {}", path.display(), remedy(source))]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The error of the system.
    pub source: io::Error,
}

fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::NotFound => "its folder does not exist (any more): make it, then try again",
        io::ErrorKind::IsADirectory => "a folder has this name: choose another name",
        io::ErrorKind::StorageFull => "make room on the disk, then try again",
        io::ErrorKind::BrokenPipe => "whoever reads it has stopped",
        _ => "check the folder, its permissions and the free space",
    }
}

/// Writes a file under a temporary name in the same folder and renames it when
/// all of it is on the disk. An interruption leaves the old file, or none, and
/// never half of one.
///
/// - A link is followed: the file behind it is replaced, the link stays.
/// - An existing file keeps its permissions.
/// - Devices, pipes and sockets are written to as they are.
/// - The folder must exist. A folder that was removed during a long run is an
///   error and not made again.
///
/// # Errors
///
/// When the file cannot be written or `write` fails. Nothing is left behind
/// then, except for what a device or pipe has taken already.
///
/// ```
/// use bnpool_io::format::write_atomically;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("labels.csv");
/// write_atomically(&path, |file| writeln!(file, "node,cluster"))?;
/// assert_eq!(std::fs::read_to_string(&path)?, "node,cluster\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    try_write(path, write).map_err(|source| WriteError {
        path: path.to_owned(),
        source,
    })
}

fn try_write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = follow_links(path)?;
    match fs::metadata(&path) {
        Ok(old) if old.is_file() => replace(&path, Some(&old), write),
        Ok(old) if old.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) => stream(&path, write),
        Err(e) if e.kind() == io::ErrorKind::NotFound => replace(&path, None, write),
        Err(e) => Err(e),
    }
}

/// The path behind all links; it need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => {
                let target = fs::read_link(&path)?;
                // Relative to the folder of the link; an absolute one replaces all.
                path = folder_of(&path).join(target);
            }
            _ => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// The folder that a file is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes to something that is not a file.
fn stream(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
    write(&mut out)?;
    out.flush()
}

fn replace(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART.0).suffix(PART.1);
    // Temporary files are private; a new one follows the umask.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let file = builder.tempfile_in(folder)?;
    let _listed = Listed::new(file.path());
    if let Some(old) = old {
        // A file that is protected stays as it is, as it would without renaming.
        fs::OpenOptions::new().write(true).open(path)?;
        file.as_file().set_permissions(old.permissions())?;
    }
    let mut buffered = BufWriter::new(file);
    write(&mut buffered)?;
    let file = buffered
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Brings the new name to the disk: after a power cut the file would have its
/// old name otherwise.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

/// The temporary files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A temporary file that is in the list as long as this value exists.
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path) -> Self {
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|path| *path != self.0);
    }
}

/// Removes the files that this process has not finished: for a process that is
/// about to end without going back.
pub fn remove_own_unfinished() {
    remove_listed(|_| true);
}

/// Removes the temporary files of this process that are wanted gone.
fn remove_listed(wanted: impl Fn(&Path) -> bool) {
    let all = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in all.iter().filter(|path| wanted(path)) {
        let _ = fs::remove_file(path);
    }
}

/// Removes what killed processes left unfinished in a folder. The caller makes
/// sure that nobody else writes in it.
///
/// # Errors
///
/// When the folder cannot be read or a file not be removed.
pub fn remove_unfinished(folder: &Path) -> Result<(), WriteError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| WriteError { path, source }
    };
    for entry in fs::read_dir(folder).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(PART.0) && name.ends_with(PART.1) {
            fs::remove_file(entry.path()).map_err(failed(&entry.path()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(folder: &Path) -> usize {
        fs::read_dir(folder).unwrap().count()
    }

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
        assert_eq!(count(folder.path()), 1);
    }

    #[test]
    fn a_folder_that_vanished_is_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone/a.txt");
        let error = write_atomically(&path, |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("does not exist"), "{error}");
        assert!(!folder.path().join("gone").exists());
    }

    #[test]
    fn a_process_that_ends_removes_what_it_has_not_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let written = write_atomically(&path, |_| {
            assert_eq!(count(folder.path()), 1);
            // Other tests of this process write at the same time.
            remove_listed(|path| path.starts_with(folder.path()));
            assert_eq!(count(folder.path()), 0);
            Ok(())
        });
        assert!(written.is_err());
    }

    #[test]
    fn what_was_left_unfinished_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".bnpool-x1.part", "mine.part", ".bnpool-run"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        remove_unfinished(folder.path()).unwrap();
        assert_eq!(count(folder.path()), 2);
    }

    #[cfg(unix)]
    mod unix {
        use super::*;
        use std::io::Read;
        use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

        #[test]
        fn finished_files_are_not_private() {
            let folder = tempfile::tempdir().unwrap();
            let (path, plain) = (folder.path().join("a"), folder.path().join("b"));
            write_atomically(&path, |_| Ok(())).unwrap();
            fs::write(&plain, "").unwrap();
            let mode = |path| fs::metadata(path).unwrap().permissions().mode();
            assert_eq!(mode(&path), mode(&plain));
        }

        #[test]
        fn an_existing_file_keeps_its_mode() {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a");
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
            write_atomically(&path, |file| file.write_all(b"new")).unwrap();
            let mode = fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o640);
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }

        #[test]
        fn links_are_written_through() {
            let folder = tempfile::tempdir().unwrap();
            let (link, file) = (folder.path().join("link"), folder.path().join("file"));
            // The file is not there yet, and the link is relative.
            symlink("file", &link).unwrap();
            for text in ["first", "second"] {
                write_atomically(&link, |out| out.write_all(text.as_bytes())).unwrap();
                assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
                assert_eq!(fs::read_to_string(&file).unwrap(), text);
            }
            symlink("circle", folder.path().join("circle")).unwrap();
            let error = write_atomically(&folder.path().join("circle"), |_| Ok(())).unwrap_err();
            assert!(error.to_string().contains("circle"), "{error}");
        }

        #[test]
        fn devices_and_pipes_stay_what_they_are() {
            write_atomically(Path::new("/dev/null"), |out| out.write_all(b"x")).unwrap();
            let kind = fs::metadata("/dev/null").unwrap().file_type();
            assert!(kind.is_char_device());
            let folder = tempfile::tempdir().unwrap();
            let pipe = folder.path().join("pipe");
            let made = std::process::Command::new("mkfifo").arg(&pipe).status();
            assert!(made.unwrap().success());
            let reader = {
                let pipe = pipe.clone();
                std::thread::spawn(move || {
                    let mut text = String::new();
                    File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
                    text
                })
            };
            write_atomically(&pipe, |out| out.write_all(b"through")).unwrap();
            assert_eq!(reader.join().unwrap(), "through");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
            assert_eq!(count(folder.path()), 1);
        }
    }
}
