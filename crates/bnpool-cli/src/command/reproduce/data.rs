//! The data sets of the runs.

use super::cell::Run;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{self, LoadOptions};
use std::collections::BTreeMap;
use std::path::Path;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

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

    /// The data of a run: the checksum of the files, or how they are made; nothing if
    /// they are not here.
    pub fn fingerprint(&self, run: &Run) -> Result<Option<String>, Failure> {
        let name = &run.cell.dataset;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(&(name.clone(), run.cleaned)) {
            return Ok(found.clone());
        }
        let found = match dataset::fingerprint(name, &self.options(run.cleaned)) {
            Ok(found) => Some(found),
            Err(dataset::DatasetError::NotFound { .. }) => None,
            Err(other) => return Err(other.into()),
        };
        known.insert((name.clone(), run.cleaned), found.clone());
        Ok(found)
    }

    /// A remark if the data of a run are not here, with the command that gets them.
    pub fn missing(&self, run: &Run) -> Result<Option<String>, Failure> {
        if self.fingerprint(run)?.is_some() {
            return Ok(None);
        }
        let name = &run.cell.dataset;
        let cleaned = run.cleaned && dataset::find(name).is_ok_and(|set| set.cleaned.is_some());
        let flag = if cleaned { " --cleaned" } else { "" };
        Ok(Some(format!(
            "{name} is not here; get it with: bnpool data get {name}{flag}"
        )))
    }
}
