//! `bnpool reproduce --list`.

use super::cell::Run;
use super::data::Data;
use super::estimate;
use super::item::ITEMS;
use super::selection::Selection;
use crate::terminal::message::Failure;
use crate::terminal::progress::about;
use std::collections::BTreeSet;

/// Lists the items, the data that they need, and about how long they take.
pub fn print(selection: &Selection, data: &Data) -> Result<(), Failure> {
    let name = ITEMS.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let quick = Selection {
        quick: true,
        ..selection.clone()
    };
    let line = |item: &str, time: &str, quick: &str, what: &str| {
        say!("{item:<name$}  {time:>12}  {quick:>9}  {what}");
    };
    line("item", "time", "quick", "what");
    let mut missing = BTreeSet::new();
    for item in ITEMS.iter() {
        // With `--only`, items without such runs are left out.
        let Ok(runs) = selection.runs(item) else {
            continue;
        };
        let short = quick.runs(item).map_or("–".to_owned(), |runs| time(&runs));
        line(item.name, &time(&runs), &short, item.what);
        let mut sets: Vec<String> = Vec::new();
        for run in &runs {
            let mut set = run.cell.dataset.clone();
            if let Some(remark) = data.missing(run)? {
                missing.insert(remark);
                set += " (not here)";
            }
            if !sets.contains(&set) {
                sets.push(set);
            }
        }
        if !sets.is_empty() {
            line("", "", "", &format!("data: {}", sets.join(", ")));
        }
    }
    say!("");
    say!(
        "Times are rough ones for two cores, preset {}; --preset default is faster.",
        selection.presets.join(" and ")
    );
    for remark in missing {
        say!("{remark}");
    }
    Ok(())
}

fn time(runs: &[Run]) -> String {
    match estimate::total(runs) {
        s if s < 1.0 => "1 s".to_owned(),
        s if s < 172_800.0 => about(s).replace("about ", ""),
        s => format!("{:.0} days", s / 86_400.0),
    }
}
