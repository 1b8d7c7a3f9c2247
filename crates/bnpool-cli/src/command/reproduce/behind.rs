//! How many runs are behind the numbers of a table, in one sentence.

use super::rows::Row;
use std::collections::BTreeMap;

/// Folds or seeds of all cells of a table; cells that have as many as most others
/// are not named. Nothing for a table without numbers.
pub fn runs_behind(rows: &[Row], label: fn(&Row) -> String) -> Option<String> {
    // Runs → row of the table → its columns.
    let mut counts: BTreeMap<usize, Vec<(String, Vec<&str>)>> = BTreeMap::new();
    for row in rows {
        let Some(ours) = row.ours else { continue };
        let groups = counts.entry(ours.runs).or_default();
        let name = label(row);
        let at = groups.iter().position(|(known, _)| *known == name);
        let at = at.unwrap_or_else(|| {
            groups.push((name, Vec::new()));
            groups.len() - 1
        });
        let sets = &mut groups[at].1;
        // A cell may have several metrics.
        if !sets.contains(&row.dataset.as_str()) {
            sets.push(&row.dataset);
        }
    }
    let cells =
        |groups: &[(String, Vec<&str>)]| groups.iter().map(|(_, sets)| sets.len()).sum::<usize>();
    let usual = *counts
        .iter()
        .max_by_key(|(_, groups)| cells(groups))
        .map(|(runs, _)| runs)?;
    let others: Vec<String> = counts
        .iter()
        .rev()
        .filter(|(runs, _)| **runs != usual)
        .map(|(runs, groups)| {
            let names = groups
                .iter()
                .map(|(name, sets)| format!("{name} on {}", sets.join(", ")));
            format!("{runs} for {}", names.collect::<Vec<_>>().join(" and "))
        })
        .collect();
    Some(if others.is_empty() {
        format!("Runs behind every number: {usual}.")
    } else {
        format!("Runs behind a number: {usual}, but {}.", others.join("; "))
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::command::reproduce::rows::{Spread, Unit};

    pub fn row(pooler: &str, dataset: &str, metric: &'static str, runs: usize) -> Row {
        Row {
            preset: "default".into(),
            dataset: dataset.into(),
            pooler: pooler.into(),
            variant: String::new(),
            metric,
            unit: Unit::Percent,
            ours: (runs > 0).then_some(Spread {
                mean: 1.0,
                std: None,
                runs,
            }),
            paper: None,
        }
    }

    #[test]
    fn only_what_is_unusual_is_named() {
        let label = |row: &Row| row.pooler.clone();
        let mut rows = vec![
            row("topk", "mutag", "acc", 3),
            row("topk", "mutag", "cos", 3),
            row("jb", "enzymes", "acc", 3),
            row("jb", "dd", "acc", 0),
        ];
        let same = runs_behind(&rows, label);
        assert_eq!(same.as_deref(), Some("Runs behind every number: 3."));
        rows.push(row("bn", "mutag", "acc", 10));
        rows.push(row("bn", "collab", "acc", 1));
        rows.push(row("topk", "dd", "acc", 1));
        rows.push(row("mincut", "dd", "acc", 3));
        assert_eq!(
            runs_behind(&rows, label).as_deref(),
            Some(
                "Runs behind a number: 3, but 10 for bn on mutag; 1 for bn on collab and topk on dd."
            )
        );
        assert_eq!(runs_behind(&rows[3..4], label), None);
    }
}
