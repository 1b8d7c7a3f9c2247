//! Run directories and their files.

use super::RunError;
use super::files::is_of_run;
use super::lock::{Lock, check_free};
use super::sums;
use bnpool_io::dataset::sha256_bytes;
use bnpool_io::format::{remove_unfinished, write_atomically};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Directory of a run.
///
/// ```
/// use bnpool_task::run::{Existing, RunDirectory, RunState};
///
/// let folder = tempfile::tempdir()?;
/// let mut run = RunDirectory::at(folder.path().join("first"));
/// run.create(Existing::Keep)?;
/// run.write_bytes("labels.csv", b"node,cluster\n")?;
/// assert_eq!(run.state()?, RunState::Unfinished);
/// // Nobody else can enter it now.
/// assert!(RunDirectory::at(run.path()).enter().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RunDirectory {
    path: PathBuf,
    lock: Option<Arc<Lock>>,
}

/// Treatment of an existing run in the directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Returns an error.
    Keep,
    /// Uses the first free directory of the same name with `-2`, `-3`, …
    Beside,
    /// Replaces the existing run.
    Replace,
}

/// Content of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// The directory does not exist, or is empty.
    Free,
    /// Files that do not belong to a run.
    Foreign,
    /// An unfinished run.
    Unfinished,
    /// A finished run.
    Finished,
}

impl RunDirectory {
    /// File that marks a directory created by bnpool.
    pub const MARKER: &'static str = ".bnpool-run";

    /// Creates the directory at `path`, which need not exist.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            lock: None,
        }
    }

    /// Returns the path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the path of a file in the directory.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Returns the content of the directory.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory cannot be read.
    pub fn state(&self) -> Result<RunState, RunError> {
        let mut entries = match std::fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(RunState::Free),
            Err(e) => return Err(self.unusable(e)),
        };
        // The order matters: another process creates the marker before any other
        // file, so files without a marker were not created by bnpool.
        let empty = entries.next().is_none();
        if !self.file(Self::MARKER).is_file() {
            return Ok(if empty {
                RunState::Free
            } else {
                RunState::Foreign
            });
        }
        if !self.file("run.toml").exists() {
            // Its process ended before the run started.
            return Ok(if self.has_results()? {
                RunState::Unfinished
            } else {
                RunState::Free
            });
        }
        Ok(if self.is_finished() {
            RunState::Finished
        } else {
            RunState::Unfinished
        })
    }

    /// Returns whether the run is finished. `metrics.json` is written last, and
    /// has a key for runs that were stopped early.
    fn is_finished(&self) -> bool {
        let metrics = self.read_json::<serde_json::Value>("metrics.json");
        matches!(metrics, Ok(Some(m)) if m["unfinished"] != true)
    }

    fn has_results(&self) -> Result<bool, RunError> {
        let entries = std::fs::read_dir(&self.path).map_err(|e| self.unusable(e))?;
        Ok(entries
            .flatten()
            .any(|entry| is_of_run(&entry.file_name().to_string_lossy())))
    }

    /// Returns the directories of the same name that contain a run, newest
    /// first: those with the suffixes …, `-3`, `-2`, then the one without a
    /// suffix.
    #[must_use]
    pub fn of_same_name(&self) -> Vec<Self> {
        let mut all = Vec::new();
        for number in 1.. {
            let directory = self.numbered(number);
            match directory.state() {
                Ok(RunState::Finished | RunState::Unfinished) => all.push(directory),
                Ok(RunState::Foreign) => {}
                Ok(RunState::Free) | Err(_) => break,
            }
        }
        all.reverse();
        all
    }

    fn numbered(&self, number: usize) -> Self {
        if number == 1 {
            return Self::at(&self.path);
        }
        let mut name = self.path.clone().into_os_string();
        name.push(format!("-{number}"));
        Self::at(name)
    }

    /// Creates the directory of a new run and enters it. The path may change,
    /// see [`Existing::Beside`].
    ///
    /// # Errors
    ///
    /// Returns an error if the directory contains other files or a run that
    /// must be kept, is used by another process, or cannot be created.
    pub fn create(&mut self, existing: Existing) -> Result<(), RunError> {
        if existing != Existing::Beside {
            return self.create_here(existing);
        }
        for number in 1.. {
            let mut next = self.numbered(number);
            match next.create_here(Existing::Keep) {
                Ok(()) => {
                    *self = next;
                    break;
                }
                Err(
                    RunError::Foreign { .. } | RunError::Occupied { .. } | RunError::InUse { .. },
                ) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }

    /// Checks in advance whether [`RunDirectory::create`] would fail, without
    /// changing anything, so that an error appears before hours of work.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory contains other files or a run that must
    /// be kept, or is used by another process.
    pub fn check(&self, existing: Existing) -> Result<(), RunError> {
        // A run in progress is unfinished as well, but cannot be resumed.
        if existing == Existing::Keep && self.state()? == RunState::Unfinished {
            check_free(&self.path, &self.file(Self::MARKER))?;
        }
        self.check_state(existing)
    }

    fn check_state(&self, existing: Existing) -> Result<(), RunError> {
        match (self.state()?, existing) {
            (_, Existing::Beside) | (RunState::Free, _) => Ok(()),
            (RunState::Foreign, _) => Err(RunError::Foreign {
                path: self.path.clone(),
            }),
            (RunState::Finished | RunState::Unfinished, Existing::Replace) => Ok(()),
            (state, Existing::Keep) => Err(RunError::Occupied {
                path: self.path.clone(),
                finished: state == RunState::Finished,
            }),
        }
    }

    fn create_here(&mut self, existing: Existing) -> Result<(), RunError> {
        self.check(existing)?;
        self.enter_new(existing)
    }

    /// Enters a directory that was checked before.
    fn enter_new(&mut self, existing: Existing) -> Result<(), RunError> {
        std::fs::create_dir_all(&self.path).map_err(|e| self.unusable(e))?;
        let lock = Lock::take(&self.path, &self.file(Self::MARKER))?;
        // Another process may have changed the directory between check and
        // lock.
        self.check_state(existing)?;
        self.lock = Some(Arc::new(lock));
        self.remove_results().map_err(|e| self.unusable(e))?;
        Ok(remove_unfinished(&self.path)?)
    }

    fn remove_results(&self) -> io::Result<()> {
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            if is_of_run(&entry.file_name().to_string_lossy()) {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Enters the directory of an existing run.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no run, or the directory is used by another
    /// process.
    pub fn enter(&mut self) -> Result<(), RunError> {
        match self.state()? {
            RunState::Finished | RunState::Unfinished => {}
            RunState::Foreign | RunState::Free => {
                return Err(RunError::NoRun {
                    path: self.path.clone(),
                });
            }
        }
        let lock = Lock::take(&self.path, &self.file(Self::MARKER))?;
        self.lock = Some(Arc::new(lock));
        Ok(remove_unfinished(&self.path)?)
    }

    /// Checks that a run in this directory would not replace an input.
    ///
    /// # Errors
    ///
    /// Returns an error if `input` is the directory, or a file in it with the
    /// name of a result.
    pub fn check_input(&self, input: &Path) -> Result<(), RunError> {
        let (Ok(own), Ok(real)) = (self.path.canonicalize(), input.canonicalize()) else {
            // Input or directory do not exist.
            return Ok(());
        };
        if is_result_in(&own, &real) || real == own {
            return Err(RunError::InputIsOutput {
                path: input.to_owned(),
            });
        }
        Ok(())
    }

    /// Checks that an output of another command is not a file of the run in this
    /// directory: the run reads its files again, and replaces them when it is
    /// continued.
    ///
    /// # Errors
    ///
    /// Returns an error if `output` is a file in the directory with the name of a
    /// result. The file need not exist.
    pub fn check_output(&self, output: &Path) -> Result<(), RunError> {
        match (self.path.canonicalize(), real_place(output)) {
            (Ok(own), Some(real)) if is_result_in(&own, &real) => Err(RunError::OutputIsOfRun {
                path: output.to_owned(),
            }),
            _ => Ok(()),
        }
    }

    /// Returns the directory of a file that need not exist; `None` if it was not
    /// created by bnpool.
    #[must_use]
    pub fn of_file(file: &Path) -> Option<Self> {
        let directory = Self::at(real_place(file)?.parent()?);
        directory.file(Self::MARKER).is_file().then_some(directory)
    }

    fn unusable(&self, source: io::Error) -> RunError {
        RunError::Unusable {
            path: self.path.clone(),
            source,
        }
    }

    /// Writes a file atomically.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. An older file is
    /// unchanged in this case.
    pub fn write_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        sums::append(&self.path, name, &sha256_bytes(bytes))?;
        Ok(write_atomically(&self.file(name), |out| {
            out.write_all(bytes)
        })?)
    }

    /// Writes a file atomically that need not fit into memory.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. An older file is unchanged in
    /// this case.
    pub(crate) fn write_stream(
        &self,
        name: &str,
        write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
    ) -> Result<(), RunError> {
        let mut sum = String::new();
        write_atomically(&self.file(name), |out| {
            let mut summing = sums::Summing::new(out);
            write(&mut summing)?;
            sum = summing.finish();
            Ok(())
        })?;
        sums::append(&self.path, name, &sum)
    }

    /// Writes a value as JSON.
    ///
    /// # Errors
    ///
    /// As [`RunDirectory::write_bytes`].
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), RunError> {
        let mut bytes = serde_json::to_vec_pretty(value).map_err(|e| RunError::Read {
            path: self.file(name),
            source: e.into(),
        })?;
        bytes.push(b'\n');
        self.write_bytes(name, &bytes)
    }

    /// Returns the problem with the bytes of a file; `None` if they were
    /// written by this run.
    pub(crate) fn problem(&self, name: &str, bytes: &[u8]) -> Option<&'static str> {
        sums::problem(&self.path, name, bytes)
    }

    /// Reads a value from JSON that was written by this run; `None` if the file does
    /// not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, or was changed.
    pub fn read_written<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunError> {
        let path = self.file(name);
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(RunError::Read { path, source }),
        };
        let problem = match self.problem(name, &bytes) {
            Some(problem) => problem.to_owned(),
            None => match serde_json::from_slice(&bytes) {
                Ok(value) => return Ok(Some(value)),
                Err(e) => e.to_string(),
            },
        };
        Err(RunError::Damaged { path, problem })
    }

    /// Whether these are single files that somebody took out of a run: a copy of
    /// `run.toml` and a model is enough to predict, and has no list of checksums.
    pub(crate) fn is_copy(&self) -> bool {
        let of_runs = [sums::LIST, "metrics.json", "checkpoint.safetensors"];
        !of_runs.iter().any(|name| self.file(name).exists())
    }

    /// Returns whether the run has written a file with this name, even if it no
    /// longer exists.
    pub(crate) fn has_written(&self, name: &str) -> bool {
        sums::has(&self.path, name)
    }

    /// Writes the list of checksums again at the end of the run, with one line per file.
    pub(crate) fn settle(&self) -> Result<(), RunError> {
        sums::settle(&self.path)
    }

    /// Reads a value from JSON; `None` if the file does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or is damaged.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, RunError> {
        let path = self.file(name);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|e| RunError::Damaged {
                    path,
                    problem: e.to_string(),
                }),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(RunError::Read { path, source }),
        }
    }

    /// Removes a file, if it exists.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be removed.
    pub fn remove(&self, name: &str) -> Result<(), RunError> {
        match std::fs::remove_file(self.file(name)) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(self.unusable(e)),
            _ => Ok(()),
        }
    }
}

/// Returns whether a run in `folder` writes the file `real`. Both paths must be
/// resolved.
fn is_result_in(folder: &Path, real: &Path) -> bool {
    let name = real.file_name().unwrap_or_default().to_string_lossy();
    real.parent() == Some(folder) && is_of_run(&name)
}

/// Resolves the path of a file that need not exist; `None` if its folder does not
/// exist.
fn real_place(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    let folder = match path.parent()? {
        here if here.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn started(path: &Path) -> RunDirectory {
        let mut run = RunDirectory::at(path);
        run.create(Existing::Keep).expect("a free directory");
        run.write_bytes("run.toml", b"").expect("written");
        run
    }

    #[test]
    fn files_of_others_are_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let truth = folder.path().join("labels.csv");
        fs::write(&truth, "mine").expect("a file");
        let mut run = RunDirectory::at(folder.path());
        for existing in [Existing::Keep, Existing::Replace] {
            let error = run.create(existing).expect_err("not a run");
            assert!(matches!(error, RunError::Foreign { .. }), "{error}");
        }
        assert!(run.enter().is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("entries").count(), 1);
        run.create(Existing::Beside).expect("beside");
        assert!(run.path().to_string_lossy().ends_with("-2"));
        fs::remove_dir_all(run.path()).expect("removed");
    }

    #[test]
    fn a_finished_run_is_kept_and_the_next_stands_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let first = started(&path);
        first
            .write_json("metrics.json", &serde_json::json!({"unfinished": true}))
            .expect("written");
        assert_eq!(first.state().expect("read"), RunState::Unfinished);
        first
            .write_json("metrics.json", &serde_json::json!({}))
            .expect("written");
        assert_eq!(first.state().expect("read"), RunState::Finished);
        drop(first);
        let mut second = RunDirectory::at(&path);
        assert!(second.create(Existing::Keep).is_err());
        second.create(Existing::Beside).expect("beside");
        assert_eq!(second.path(), folder.path().join("run-2"));
        assert!(path.join("metrics.json").exists());
        second.write_bytes("run.toml", b"").expect("written");
        let paths: Vec<PathBuf> = RunDirectory::at(&path)
            .of_same_name()
            .iter()
            .map(|run| run.path().to_owned())
            .collect();
        assert_eq!(paths, [folder.path().join("run-2"), path.clone()]);
        fs::write(path.join("notes.txt"), "mine").expect("a file");
        let mut again = RunDirectory::at(&path);
        again.create(Existing::Replace).expect("replaced");
        assert!(!path.join("metrics.json").exists());
        assert!(path.join("notes.txt").exists());
    }

    #[test]
    fn one_process_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let first = started(&path);
        for error in [
            RunDirectory::at(&path).enter(),
            RunDirectory::at(&path).create(Existing::Replace),
            RunDirectory::at(&path).create(Existing::Keep),
            RunDirectory::at(&path).check(Existing::Keep),
        ] {
            let message = error.expect_err("it is locked").to_string();
            assert!(
                message.contains(&std::process::id().to_string()),
                "{message}"
            );
        }
        drop(first);
        RunDirectory::at(&path).enter().expect("it is free again");
    }

    #[test]
    fn inputs_are_never_outputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = started(&folder.path().join("run"));
        run.write_bytes("labels.csv", b"").expect("written");
        fs::write(run.file("edges.csv"), "").expect("a file");
        assert!(run.check_input(&run.file("edges.csv")).is_ok());
        assert!(run.check_input(&run.file("../run/labels.csv")).is_err());
        assert!(run.check_input(run.path()).is_err());
        assert!(run.check_input(Path::new("no/such/file")).is_ok());
    }

    #[test]
    fn files_of_a_run_are_no_outputs_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = started(&folder.path().join("run"));
        run.write_bytes("labels.csv", b"").expect("written");
        let refused = |path: &Path| run.check_output(path).is_err();
        // Includes files that the run has not written yet.
        for name in ["labels.csv", "../run/run.toml", "predictions.csv"] {
            assert!(refused(&run.file(name)), "{name}");
            let found = RunDirectory::of_file(&run.file(name));
            assert!(found.is_some_and(|found| found.check_output(&run.file(name)).is_err()));
        }
        for name in ["said.csv", "../labels.csv", "no/folder/labels.csv"] {
            assert!(!refused(&run.file(name)), "{name}");
        }
        // A folder with settings next to the file is not a run.
        fs::write(folder.path().join("run.toml"), "").expect("settings");
        assert!(RunDirectory::of_file(&folder.path().join("labels.csv")).is_none());
        #[cfg(unix)]
        {
            let link = folder.path().join("link.csv");
            std::os::unix::fs::symlink("run/labels.csv", &link).expect("a link");
            assert!(refused(&link));
        }
    }

    #[test]
    fn a_run_that_came_between_look_and_lock_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run");
        let mut late = RunDirectory::at(&path);
        late.check(Existing::Keep).expect("it is free");
        let other = started(&path);
        other
            .write_json("metrics.json", &serde_json::json!({}))
            .expect("written");
        drop(other);
        let error = late.enter_new(Existing::Keep).expect_err("it is not free");
        assert!(
            matches!(error, RunError::Occupied { finished: true, .. }),
            "{error}"
        );
        assert!(path.join("metrics.json").exists());
    }

    #[test]
    fn a_directory_that_vanished_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let run = started(&folder.path().join("run"));
        fs::remove_dir_all(run.path()).expect("removed");
        assert!(run.write_bytes("labels.csv", b"").is_err());
        assert!(!run.path().exists());
    }
}
