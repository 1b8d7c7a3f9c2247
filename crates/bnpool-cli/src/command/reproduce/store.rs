//! The directory of a reproduction, which belongs to one process at a time.
//!
//! ```text
//! runs/reproduce/
//!   results.jsonl   a line for every finished run, shared by all items
//!   files/          files of runs that figures are drawn from
//!   work/           runs under way, removed when their result is written
//!   ITEM.csv, ITEM.md, and pictures in ITEM/
//! ```

use super::cell::{Cell, Run};
use super::record::Record;
use crate::terminal::message::Failure;
use bnpool_io::dataset::sha256_file;
use bnpool_io::format::write_atomically;
use bnpool_task::run::make_folder;
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file of the results.
const RESULTS: &str = "results.jsonl";
/// The file that marks a directory as made by bnpool; its process locks it.
const MARKER: &str = ".bnpool-reproduce";

/// A run: task, cell and the hash of its settings.
type Key = (String, Cell, String);
/// Records with their lines, in the order in which people look for them.
type Records = BTreeMap<Key, (Record, String)>;

/// All finished runs of a directory.
pub struct Store {
    root: PathBuf,
    records: Mutex<Records>,
    _lock: Option<File>,
}

impl Store {
    /// The results of a directory, which need not exist.
    pub fn read(root: &Path) -> Result<Self, Failure> {
        let path = root.join(RESULTS);
        let records = if path.exists() {
            read(&path)?
        } else {
            Records::new()
        };
        Ok(Self {
            root: root.to_owned(),
            records: Mutex::new(records),
            _lock: None,
        })
    }

    /// Makes the directory if it is not there, and takes it for this process; refuses
    /// a directory with files of others in it.
    pub fn enter(root: &Path) -> Result<Self, Failure> {
        let marker = root.join(MARKER);
        let refuse = |why: &str| Failure::input(format!("{}: {why}", root.display()));
        let mut files = std::fs::read_dir(root).into_iter().flatten();
        if !marker.exists() && files.next().is_some() {
            return Err(refuse(
                "it has files in it that are no reproduction, and they are left alone; name a new or empty directory with --out",
            ));
        }
        for folder in ["files", "work"] {
            make_folder(&root.join(folder))?;
        }
        let lock = File::create(&marker).map_err(|e| refuse(&format!("cannot write: {e}")))?;
        // Some network file systems have no locks.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(refuse(
                "another process works in it; name a directory of its own with --out, and join both with --merge",
            ));
        }
        Ok(Self {
            _lock: Some(lock),
            ..Self::read(root)?
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The directory of a run under way.
    pub fn work(&self, run: &Run) -> PathBuf {
        self.root.join("work").join(run.id())
    }

    /// A file that is kept beside a result.
    pub fn file(&self, run: &Run, name: &str) -> PathBuf {
        let file = format!("{}.{}", run.id(), name.replace('/', "-"));
        self.root.join("files").join(file)
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn all(&self) -> Vec<Record> {
        let records = self.records();
        records.values().map(|entry| entry.0.clone()).collect()
    }

    /// The record of a run, if the run is finished and the files that it keeps are as
    /// they were written.
    pub fn find(&self, run: &Run) -> Option<Record> {
        let task = run.task.command().to_owned();
        let key = (task, run.cell.clone(), run.fingerprint.clone());
        let record = self.records().get(&key)?.0.clone();
        let whole = run.keep.iter().all(|name| {
            let found = sha256_file(&self.file(run, name));
            let known = record.files.get(name);
            found.is_ok_and(|found| Some(&found.0) == known)
        });
        whole.then_some(record)
    }

    /// Keeps the record of a run, and the files of its directory that it keeps.
    pub fn keep(&self, run: &Run, mut record: Record, from: &Path) -> Result<(), Failure> {
        for name in &run.keep {
            let (source, file) = (from.join(name), self.file(run, name));
            let bytes = std::fs::read(&source)
                .map_err(|e| Failure::running(format!("{}: cannot read: {e}", source.display())))?;
            write_atomically(&file, |out| out.write_all(&bytes))?;
            record.files.insert(name.clone(), sha256_file(&file)?.0);
        }
        let line = record.line()?;
        let mut records = self.records();
        records.insert(key(&record), (record, line));
        self.write(&records)
    }

    /// Takes the results of packs that are not here yet; returns how many. All are
    /// checked first.
    pub fn merge(&self, packs: &[PathBuf]) -> Result<usize, Failure> {
        let mut records = self.records();
        let before = records.len();
        for path in packs {
            let nested = path.join(RESULTS);
            for (key, record) in read(if path.is_dir() { &nested } else { path })? {
                records.entry(key).or_insert(record);
            }
        }
        self.write(&records)?;
        Ok(records.len() - before)
    }

    fn write(&self, records: &Records) -> Result<(), Failure> {
        Ok(write_atomically(&self.root.join(RESULTS), |out| {
            records
                .values()
                .try_for_each(|(_, line)| writeln!(out, "{line}"))
        })?)
    }
}

fn key(record: &Record) -> Key {
    let sha256 = record.config_sha256.clone();
    (record.task.clone(), record.cell.clone(), sha256)
}

/// The records of a file; a damaged one is named by its line.
fn read(path: &Path) -> Result<Records, Failure> {
    let wrong = |problem: String| Failure::input(format!("{}{problem}", path.display()));
    let text = std::fs::read_to_string(path)
        .map_err(|e| wrong(format!(": cannot read its results: {e}")))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let record = Record::parse(line).map_err(|problem| {
                wrong(format!(
                    ", line {}: this result is damaged: {problem}; remove the line to have the run made again",
                    number + 1
                ))
            })?;
            Ok((key(&record), (record, line.to_owned())))
        })
        .collect()
}
