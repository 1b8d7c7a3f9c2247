//! Results in one file, a line of JSON for every run: to keep them, and to send them
//! to another machine.

use super::claim::Claim;
use super::result::RunResult;
use crate::destination;
use crate::message::Failure;
use bnpool_io::format::write_atomically;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Time between two looks at the claim of another worker.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a pack has after results were added.
#[derive(Debug, PartialEq, Eq)]
pub struct Added {
    pub new: usize,
    pub all: usize,
}

/// The results of a pack, each with its place in the file.
pub fn read(path: &Path) -> Result<Vec<(String, RunResult)>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| Failure::input(format!("{}: cannot read its results: {e}", path.display())))?;
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
    if path.exists() {
        read(path)
    } else {
        Ok(Vec::new())
    }
}

/// Adds results to a pack. Those of other runs stay in it; a run that was made again
/// replaces itself.
pub fn add(path: &Path, results: &[RunResult]) -> Result<Added, Failure> {
    // Another worker may add to the same pack.
    let _claim = claim(path)?;
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

/// Waits until no other worker adds to a pack.
fn claim(path: &Path) -> Result<Claim, Failure> {
    destination::check(path, std::iter::empty::<&Path>())?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    loop {
        match Claim::take(folder, &format!(".{name}")) {
            Ok(Some(claim)) => return Ok(claim),
            Ok(None) => std::thread::sleep(PATIENCE),
            Err(_) => {
                return Err(Failure::running(format!(
                    "{}: its folder cannot be written to; name another file with --pack",
                    path.display()
                )));
            }
        }
    }
}

/// Runs in the order in which people look for them.
fn key(result: &RunResult) -> impl Ord + use<> {
    let cell = result.cell.clone();
    (result.task.clone(), cell, result.config_sha256.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::reproduce::cell::{Cell, Run};
    use crate::command::reproduce::claim::tests::folder;
    use crate::command::reproduce::item::Task;

    fn result(dataset: &str) -> RunResult {
        let cell = Cell {
            dataset: dataset.to_owned(),
            pooler: String::new(),
            variant: String::new(),
            preset: "paper".to_owned(),
            seed: 0,
            fold: 0,
            quick: false,
        };
        RunResult::of(&Run::plain(Task::Count, cell), "built in", BTreeMap::new())
    }

    #[test]
    fn workers_that_add_at_once_lose_nothing() {
        let folder = folder("pack");
        let path = folder.join("pack.jsonl");
        std::thread::scope(|scope| {
            for worker in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for i in 0..5 {
                        let name = format!("set-{worker}-{i}");
                        let added = add(path, &[result(&name)]).expect("it is added");
                        assert_eq!(added.new, 1);
                    }
                });
            }
        });
        let names: Vec<String> = read(&path)
            .expect("a pack")
            .into_iter()
            .map(|(_, result)| result.cell.dataset)
            .collect();
        assert_eq!(names.len(), 20);
        assert!(names.is_sorted());
        let left = std::fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(left, 1, "no claims are left");
        let again = add(&path, &[result("set-0-0")]).expect("it is there");
        assert_eq!(again, Added { new: 0, all: 20 });
        let _ = std::fs::remove_dir_all(&folder);
    }
}
