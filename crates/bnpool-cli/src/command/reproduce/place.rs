//! The directory of a reproduction.
//!
//! ```text
//! runs/reproduce/
//!   results/   a file for every finished run, shared by all items
//!   work/      runs under way, removed when their result is written
//!   claims/    who works on what
//!   ITEM.csv, ITEM.md, ITEM.html, and pictures in ITEM/
//! ```

use super::cell::Run;
use super::result::{self, RunResult};
use crate::message::Failure;
use bnpool_io::dataset::{self, LoadOptions, find};
use bnpool_task::run::make_folder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The file that says that bnpool made the directory.
const MARKER: &str = ".bnpool-reproduce";

/// A directory of results.
#[derive(Debug, Clone)]
pub struct Place {
    root: PathBuf,
}

impl Place {
    /// The directory at a path, which need not exist.
    pub fn at(root: PathBuf) -> Self {
        Self { root }
    }

    /// Makes it; refuses a directory with files of others in it.
    pub fn enter(&self) -> Result<(), Failure> {
        let marker = self.root.join(MARKER);
        if !marker.exists() {
            let foreign =
                std::fs::read_dir(&self.root).is_ok_and(|mut files| files.next().is_some());
            // Another worker may be about to write the marker.
            if foreign && !self.results().exists() {
                return Err(Failure::input(format!(
                    "{}: it has files in it that are no reproduction, and they are left alone; name a new or empty directory with --out",
                    self.root.display()
                )));
            }
        }
        for folder in [self.results(), self.work(), self.claims()] {
            make_folder(&folder)?;
        }
        bnpool_io::format::write_atomically(&marker, |_| Ok(()))?;
        Ok(())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn results(&self) -> PathBuf {
        self.root.join("results")
    }

    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    pub fn claims(&self) -> PathBuf {
        self.root.join("claims")
    }

    /// The result of a run, if it is there with the same settings and data.
    pub fn finished(&self, run: &Run, data: Option<&str>) -> Result<Option<RunResult>, Failure> {
        let folder = self.results();
        let path = result::path(&folder, run);
        if !path.exists() {
            return Ok(None);
        }
        let found = RunResult::read(&path)?;
        if let Some(difference) = found.difference(run) {
            return Err(Failure::input(format!(
                "{}: it is the result of other settings: {difference}; name another directory with --out",
                path.display()
            )));
        }
        if let Some(data) = data
            && found.data != data
        {
            return Err(Failure::input(format!(
                "{}: it is the result of other data ({} there, {data} here); name another directory with --out",
                path.display(),
                found.data
            )));
        }
        Ok(found.has_files(run, &folder).then_some(found))
    }
}

/// The data sets of the runs, each looked at once.
#[derive(Debug, Default)]
pub struct Data {
    folder: Option<PathBuf>,
    known: Mutex<BTreeMap<(String, bool), Option<String>>>,
}

impl Data {
    /// Data sets that are looked for in a folder first.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            known: Mutex::default(),
        }
    }

    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// How a data set is loaded.
    pub fn options(&self, cleaned: bool) -> LoadOptions {
        LoadOptions {
            data_dir: self.folder.clone(),
            cleaned,
            ..LoadOptions::paper()
        }
    }

    /// What a data set is: the checksum of its files, or how it is made; nothing if
    /// it is not here.
    pub fn fingerprint(&self, name: &str, cleaned: bool) -> Result<Option<String>, Failure> {
        let key = (name.to_owned(), cleaned);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&key) {
            return Ok(found.clone());
        }
        let found = match dataset::fingerprint(name, &self.options(cleaned)) {
            Ok(found) => Some(found),
            Err(dataset::DatasetError::NotFound { .. }) => None,
            Err(other) => return Err(other.into()),
        };
        known.insert(key, found.clone());
        Ok(found)
    }

    /// The command that gets a data set.
    pub fn remedy(name: &str, cleaned: bool) -> String {
        let cleaned = cleaned && find(name).is_ok_and(|entry| entry.cleaned.is_some());
        if cleaned {
            format!("bnpool data get {name} --cleaned")
        } else {
            format!("bnpool data get {name}")
        }
    }
}
