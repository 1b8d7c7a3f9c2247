//! The run directory: where the results of a run are.

use crate::message::Failure;
use bnpool_graph::format::write_atomically;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};

/// Whether a file of a run directory says how a run went; those go before a run
/// starts anew, so old results never stand beside new ones.
fn is_result(name: &str) -> bool {
    let known = [
        "metrics.json",
        "history.jsonl",
        "model.safetensors",
        "checkpoint.safetensors",
        "report.html",
        "labels.csv",
        "assignments.npy",
        "assignments_raw.npy",
        "block_matrix.npy",
        "block_matrix_raw.npy",
        "run.toml",
    ];
    let of_folds = ["checkpoint.fold-", "history.fold-", "model.fold-", "fold-"];
    known.contains(&name) || of_folds.iter().any(|start| name.starts_with(start))
}

/// The directory of a run.
#[derive(Debug, Clone)]
pub struct RunDirectory {
    path: PathBuf,
}

/// What to do with a directory that already holds a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Refuse, and say what can be done.
    Keep,
    /// Replace a finished run, refuse to lose an unfinished one.
    ReplaceFinished,
    /// Replace whatever is there.
    Replace,
}

impl RunDirectory {
    /// The directory at `path`, which need not be there.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// True when a run was begun here.
    pub fn holds_run(&self) -> bool {
        self.file("run.toml").exists()
    }

    fn is_finished(&self) -> bool {
        self.file("metrics.json").exists()
    }

    /// Makes room for a new run.
    pub fn prepare(&self, existing: Existing) -> Result<(), Failure> {
        let refuse = |what: &str| {
            Err(Failure::Input(format!(
                "{} holds {what}; --resume goes on with it, --overwrite replaces it, --out names another directory",
                self.path.display()
            )))
        };
        if self.holds_run() {
            match existing {
                Existing::Keep if self.is_finished() => return refuse("a finished run"),
                Existing::Keep | Existing::ReplaceFinished if !self.is_finished() => {
                    return refuse("an unfinished run");
                }
                _ => {}
            }
        }
        std::fs::create_dir_all(&self.path).map_err(|e| self.unusable(&e))?;
        self.remove_results().map_err(|e| self.unusable(&e))?;
        // Better to fail now than after an hour.
        tempfile_in(&self.path).map_err(|e| self.unusable(&e))
    }

    fn remove_results(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(&self.path)? {
            let entry = entry?;
            if is_result(&entry.file_name().to_string_lossy()) {
                std::fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    fn unusable(&self, e: &std::io::Error) -> Failure {
        Failure::Input(format!(
            "{}: cannot be used as the run directory: {e}; name another one with --out",
            self.path.display()
        ))
    }

    /// Writes a text file, whole or not at all.
    pub fn write_text(&self, name: &str, text: &str) -> Result<(), Failure> {
        self.write_bytes(name, text.as_bytes())
    }

    /// Writes a file, whole or not at all.
    pub fn write_bytes(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        Ok(write_atomically(&self.file(name), |out| {
            out.write_all(bytes)
        })?)
    }

    /// Reads a value from JSON; none where the file is not there.
    pub fn read_json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, Failure> {
        let path = self.file(name);
        match std::fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|e| {
                Failure::Input(format!(
                    "{}: it is damaged: {e}; remove it to have it made again",
                    path.display()
                ))
            }),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(Failure::Input(format!(
                "{}: cannot read: {e}",
                path.display()
            ))),
        }
    }

    /// Writes a value as JSON.
    pub fn write_json(&self, name: &str, value: &impl Serialize) -> Result<(), Failure> {
        Ok(write_atomically(&self.file(name), |out| {
            serde_json::to_writer_pretty(&mut *out, value)?;
            out.write_all(b"\n")
        })?)
    }
}

/// Tries to write in a directory and leaves nothing behind.
fn tempfile_in(path: &Path) -> std::io::Result<()> {
    let probe = path.join(format!(".bnpool-{}.probe", std::process::id()));
    std::fs::write(&probe, b"")?;
    std::fs::remove_file(&probe)
}

/// A name that can be part of a path: letters, digits, dots and dashes.
pub fn path_part(name: &str) -> String {
    let part: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .collect();
    match part.trim_matches(|c| c == '.' || c == '-') {
        "" => "graph".to_owned(),
        trimmed => trimmed.to_owned(),
    }
}

/// The most memory this process has had at once, in megabytes, where the
/// system tells.
pub fn peak_rss_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_parts_of_paths() {
        assert_eq!(path_part("cora"), "cora");
        assert_eq!(path_part("../my graph"), "my-graph");
        assert_eq!(path_part("//"), "graph");
    }
}
