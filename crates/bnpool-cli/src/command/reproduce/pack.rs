//! Results in one file, a line of JSON for every run: to keep them, and to send them
//! to another machine.

use super::result::RunResult;
use crate::destination;
use crate::message::Failure;
use bnpool_graph::format::write_atomically;
use std::collections::BTreeMap;
use std::path::Path;

/// What a pack has after results were added.
#[derive(Debug, PartialEq, Eq)]
pub struct Added {
    pub new: usize,
    pub all: usize,
}

/// The results of a pack, each with its place in the file.
pub fn read(path: &Path) -> Result<Vec<(String, RunResult)>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::Input(format!("{}: cannot read its results: {e}", path.display())))?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            let origin = format!("{}, line {}", path.display(), number + 1);
            RunResult::parse(line, &origin).map(|result| (origin, result))
        })
        .collect()
}

/// The results of a pack that others may be added to; none if it does not exist yet.
/// Refuses one that cannot be written or is damaged.
pub fn open(path: &Path) -> Result<Vec<(String, RunResult)>, Failure> {
    destination::check(path, std::iter::empty::<&Path>())?;
    match path.exists() {
        true => read(path),
        false => Ok(Vec::new()),
    }
}

/// Adds results to a pack. Those of other runs stay in it; a run that was made again
/// replaces itself.
pub fn add(path: &Path, results: &[RunResult]) -> Result<Added, Failure> {
    let before = open(path)?;
    let mut all: BTreeMap<_, &RunResult> = BTreeMap::new();
    let mut put = |result| all.insert(key(result), result).is_none();
    for (_, result) in &before {
        put(result);
    }
    let new = results.iter().filter(|result| put(result)).count();
    let lines: Result<Vec<String>, Failure> = all
        .values()
        .map(|result| Ok(result.sealed()?.to_string()))
        .collect();
    let text: String = lines?.into_iter().map(|line| line + "\n").collect();
    write_atomically(path, |out| out.write_all(text.as_bytes()))?;
    Ok(Added {
        new,
        all: all.len(),
    })
}

/// Runs in the order in which people look for them.
fn key(result: &RunResult) -> impl Ord + use<> {
    let cell = result.cell.clone();
    (result.task.clone(), cell, result.config_sha256.clone())
}
