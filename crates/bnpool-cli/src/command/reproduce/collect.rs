//! The results behind a table.

use super::cell::{Run, variants};
use super::item::{Grid, Task};
use super::record::Record;
use super::selection::Selection;
use super::store::Store;
use crate::terminal::message::Failure;
use std::collections::{BTreeMap, BTreeSet};

/// Results that belong to a table, in its order.
#[derive(Default)]
pub struct Collected {
    pub records: Vec<Record>,
    /// Results of the table that were made with other settings.
    pub others: usize,
    /// Flags by which there are further results.
    pub flags: BTreeSet<String>,
}

/// All finished results of a table, whoever made them and for whichever selection;
/// of it only presets and `--quick` matter.
pub fn collect(grid: &Grid, store: &Store, selection: &Selection) -> Result<Collected, Failure> {
    let presets = selection.presets(grid);
    let mut collected = Collected::default();
    let mut found: Vec<((usize, [usize; 5]), Record)> = Vec::new();
    for record in store.all() {
        let Some(place) = place(grid, &record) else {
            continue;
        };
        let cell = &record.cell;
        if Run::new(grid, cell.clone())?.fingerprint != record.config_sha256 {
            collected.others += 1;
            continue;
        }
        let preset = presets.iter().position(|name| *name == cell.preset);
        match preset {
            _ if cell.quick != selection.quick && grid.task != Task::Count => {
                let flag = if cell.quick { "--quick" } else { "no --quick" };
                collected.flags.insert(flag.to_owned());
            }
            None => {
                collected.flags.insert(format!("--preset {}", cell.preset));
            }
            Some(preset) => found.push(((preset, place), record)),
        }
    }
    found.sort_by_key(|(place, _)| *place);
    collected.records = found.into_iter().map(|(_, record)| record).collect();
    check_data(&collected.records)?;
    Ok(collected)
}

/// The place of a record in a table: data set, pooler, variant, fold, seed; none if it
/// is of another one.
fn place(grid: &Grid, record: &Record) -> Option<[usize; 5]> {
    let cell = &record.cell;
    if record.task != grid.task.command() {
        return None;
    }
    Some([
        grid.datasets
            .iter()
            .position(|name| *name == cell.dataset)?,
        grid.poolers.iter().position(|name| *name == cell.pooler)?,
        variants(grid, &cell.pooler)
            .iter()
            .position(|v| v.name == cell.variant)?,
        cell.fold,
        usize::try_from(cell.seed).ok()?,
    ])
}

/// Runs on different data cannot stand in one table.
fn check_data(records: &[Record]) -> Result<(), Failure> {
    let mut known: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for record in records {
        // The presets may read different versions of a set.
        let key = (record.cell.dataset.as_str(), record.cell.preset.as_str());
        let first = *known.entry(key).or_insert(&record.data);
        if first != record.data {
            return Err(Failure::input(format!(
                "results of {} were made from different data ({first} and {}); keep them in different directories",
                key.0, record.data
            )));
        }
    }
    Ok(())
}
