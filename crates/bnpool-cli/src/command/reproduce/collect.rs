//! The results of an item: in its directory, and from other machines.

use super::cell::{Cell, Run, variants};
use super::count;
use super::item::{Grid, Item, Kind, Task};
use super::pack;
use super::place::Place;
use super::result::{self, RunResult};
use super::selection::{Only, Selection};
use crate::message::Failure;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Results that belong to an item, in the order of its table.
pub struct Collected {
    pub results: Vec<RunResult>,
    /// Results of the item that were made with other settings.
    pub others: usize,
    /// Presets that there are results of and that were not asked for.
    pub presets: BTreeSet<String>,
}

/// What a result is to an item.
enum Belongs {
    /// It is of this run.
    Yes(Box<Run>),
    /// It is of a run of the item, but with other settings.
    Differs(String),
    /// It is of another item.
    No,
}

/// All finished results of an item, whoever made them and for whichever selection;
/// of it only presets and `--quick` matter.
pub fn collect(item: &Item, place: &Place, selection: &Selection) -> Result<Collected, Failure> {
    let mut found: Vec<(Vec<usize>, RunResult)> = Vec::new();
    let mut others = 0;
    let mut presets = BTreeSet::new();
    for path in result::files(&place.results()) {
        let result = RunResult::read(&path)?;
        if result.cell.quick != selection.quick && result.task != Task::Count.command() {
            continue;
        }
        match belongs(item, &result)? {
            Belongs::Yes(_) => {}
            Belongs::Differs(_) => {
                others += 1;
                continue;
            }
            Belongs::No => continue,
        }
        let preset = selection
            .presets
            .iter()
            .position(|p| *p == result.cell.preset);
        match (preset, result.task == Task::Count.command()) {
            (Some(preset), false) => found.push((order(item, &result.cell, preset), result)),
            (None, false) => {
                presets.insert(result.cell.preset);
            }
            (_, true) => found.push((order(item, &result.cell, 0), result)),
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    let results: Vec<RunResult> = found.into_iter().map(|pair| pair.1).collect();
    check_data(&results)?;
    Ok(Collected {
        results,
        others,
        presets,
    })
}

/// Runs on different data cannot stand in one table.
fn check_data(results: &[RunResult]) -> Result<(), Failure> {
    let mut known: BTreeMap<(&str, &str), &RunResult> = BTreeMap::new();
    for result in results {
        // The presets may read different versions of a set.
        let key = (result.cell.dataset.as_str(), result.cell.preset.as_str());
        let first = known.entry(key).or_insert(result);
        if first.data != result.data {
            return Err(Failure::input(format!(
                "results of {} were made from different data ({} and {}); keep them in different directories",
                key.0, first.data, result.data
            )));
        }
    }
    Ok(())
}

fn belongs(item: &Item, result: &RunResult) -> Result<Belongs, Failure> {
    let cell = &result.cell;
    let run = match (&item.kind, item.grid()) {
        (Kind::Datasets, _) => {
            let all = count::runs(&Only::default(), false)?;
            let run = all.into_iter().find(|run| run.cell == *cell);
            match run {
                Some(run) if result.task == Task::Count.command() => run,
                _ => return Ok(Belongs::No),
            }
        }
        (_, Some(grid)) if is_in(grid, result) => Run::new(grid, cell.clone())?,
        _ => return Ok(Belongs::No),
    };
    Ok(match result.difference(&run) {
        None => Belongs::Yes(Box::new(run)),
        Some(difference) => Belongs::Differs(difference),
    })
}

fn is_in(grid: &Grid, result: &RunResult) -> bool {
    let cell = &result.cell;
    result.task == grid.task.command()
        && grid.datasets.contains(&cell.dataset.as_str())
        && grid.poolers.contains(&cell.pooler.as_str())
        && variants(grid, &cell.pooler)
            .iter()
            .any(|v| v.name == cell.variant)
}

/// Where a cell stands in the table.
fn order(item: &Item, cell: &Cell, preset: usize) -> Vec<usize> {
    let place =
        |names: &[&str], name: &str| names.iter().position(|n| *n == name).unwrap_or(usize::MAX);
    let Some(grid) = item.grid() else {
        let sets = [super::item::CITATIONS, super::item::ALL_GRAPH_SETS].concat();
        return vec![place(&sets, &cell.dataset)];
    };
    let all = variants(grid, &cell.pooler);
    vec![
        preset,
        place(grid.datasets, &cell.dataset),
        place(grid.poolers, &cell.pooler),
        all.iter()
            .position(|v| v.name == cell.variant)
            .unwrap_or(usize::MAX),
        cell.fold,
        usize::try_from(cell.seed).unwrap_or(usize::MAX),
    ]
}

/// Takes the results of an item from other directories and packs into this directory,
/// after all of them were checked. Returns how many are new.
pub fn merge(item: &Item, from: &[PathBuf], place: &Place, quick: bool) -> Result<usize, Failure> {
    let mut results: Vec<RunResult> = Vec::new();
    let mut runs: Vec<Box<Run>> = Vec::new();
    for source in from {
        let before = runs.len();
        for (origin, result) in read_all(source)? {
            let refuse = |why: String| {
                Err(Failure::input(format!(
                    "{origin}: this result was made with other settings: {why}; nothing was merged"
                )))
            };
            if is_quick_of_another(item, &result, quick)? {
                return refuse(if result.cell.quick {
                    "it was made with --quick; merge with --quick, too".to_owned()
                } else {
                    "it was made without --quick; merge without it, too".to_owned()
                });
            }
            match belongs(item, &result)? {
                Belongs::Yes(run) => {
                    results.push(result);
                    runs.push(run);
                }
                Belongs::Differs(why) => return refuse(why),
                Belongs::No => {}
            }
        }
        if runs.len() == before {
            return Err(Failure::input(format!(
                "{}: there are no results of `{}` in it; name the --out directories or --pack files of the shards",
                source.display(),
                item.name
            )));
        }
    }
    check_data(&results)?;
    let folder = place.results();
    let mut new = 0;
    for (result, run) in results.iter().zip(&runs) {
        if !result::path(&folder, run).exists() {
            result.store(run, &folder)?;
            new += 1;
        }
    }
    Ok(new)
}

/// The results of a pack or a directory, each with its place.
fn read_all(source: &Path) -> Result<Vec<(String, RunResult)>, Failure> {
    if source.is_file() {
        return pack::read(source);
    }
    let folder = match source.join("results") {
        nested if nested.is_dir() => nested,
        _ => source.to_owned(),
    };
    let files = result::files(&folder).into_iter();
    files
        .map(|path| Ok((path.display().to_string(), RunResult::read(&path)?)))
        .collect()
}

/// Whether a result belongs to the item, but was made in the other mode.
fn is_quick_of_another(item: &Item, result: &RunResult, quick: bool) -> Result<bool, Failure> {
    if result.cell.quick == quick || result.task == Task::Count.command() {
        return Ok(false);
    }
    Ok(matches!(belongs(item, result)?, Belongs::Yes(_)))
}
