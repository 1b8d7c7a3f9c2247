//! How many runs are behind the numbers of a table, in one sentence.

use super::rows::Row;
use std::collections::{BTreeMap, BTreeSet};

/// Folds or seeds of all cells of a table; cells that have as many as most others
/// are not named. Nothing for a table without numbers.
pub fn runs_behind(rows: &[Row], label: fn(&Row) -> String) -> Option<String> {
    // A cell may have several metrics.
    let mut seen = BTreeSet::new();
    // Runs → row of the table → its columns.
    let mut counts: BTreeMap<usize, Vec<(String, Vec<&str>)>> = BTreeMap::new();
    for row in rows {
        let Some(ours) = row.ours else { continue };
        let name = label(row);
        if !seen.insert((name.clone(), &row.dataset)) {
            continue;
        }
        let groups = counts.entry(ours.runs).or_default();
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, sets)) => sets.push(&row.dataset),
            None => groups.push((name, vec![&row.dataset])),
        }
    }
    let cells = |groups: &[(String, Vec<&str>)]| -> usize {
        groups.iter().map(|(_, sets)| sets.len()).sum()
    };
    let usual = *counts.iter().max_by_key(|(_, groups)| cells(groups))?.0;
    counts.remove(&usual);
    let others = counts.iter().rev().map(|(runs, groups)| {
        let names = groups
            .iter()
            .map(|(name, sets)| format!("{name} on {}", sets.join(", ")));
        format!("{runs} for {}", names.collect::<Vec<_>>().join(" and "))
    });
    let others: Vec<String> = others.collect();
    Some(if others.is_empty() {
        format!("Runs behind every number: {usual}.")
    } else {
        format!("Runs behind a number: {usual}, but {}.", others.join("; "))
    })
}
