//! `bnpool reproduce --list`.

use super::item::{ITEMS, Item};
use super::place::Data;
use super::selection::Selection;
use super::{estimate, runs_of};
use crate::message::Failure;
use crate::stage::about;
use std::collections::BTreeSet;

/// Says what items there are, what they need and how long they take.
pub fn print(selection: &Selection, data: &Data) -> Result<(), Failure> {
    let name = ITEMS.iter().map(|item| item.name.len()).max().unwrap_or(0);
    let quick = Selection {
        quick: true,
        ..selection.clone()
    };
    say!("{:<name$}  {:>12}  {:>9}  what", "item", "time", "quick");
    let mut missing: BTreeSet<(String, bool)> = BTreeSet::new();
    for item in ITEMS {
        let [time, quick] = [time(item, selection)?, time(item, &quick)?];
        say!(
            "{:<name$}  {time:>12}  {quick:>9}  {}",
            item.name,
            item.what
        );
        let mut here: Vec<String> = Vec::new();
        for run in runs_of(item, selection)? {
            let set = &run.cell.dataset;
            let known = data.fingerprint(set, run.cleaned)?.is_some();
            if !known {
                missing.insert((set.clone(), run.cleaned));
            }
            let word = if known {
                set.clone()
            } else {
                format!("{set} (not here)")
            };
            if !here.contains(&word) {
                here.push(word);
            }
        }
        if !here.is_empty() {
            say!(
                "{:name$}  {:>12}  {:>9}  data: {}",
                "",
                "",
                "",
                here.join(", ")
            );
        }
    }
    say!("");
    say!(
        "Times are rough ones for two cores, preset {}; --preset default is faster.",
        selection.presets.join(" and ")
    );
    for (set, cleaned) in missing {
        say!(
            "{set} is not here; get it with: {}",
            Data::remedy(&set, cleaned)
        );
    }
    Ok(())
}

fn time(item: &Item, selection: &Selection) -> Result<String, Failure> {
    let seconds = estimate::total(&runs_of(item, selection)?);
    Ok(match seconds {
        s if s < 1.0 => "1 s".to_owned(),
        s if s < 172_800.0 => about(s).replace("about ", "").to_owned(),
        s => format!("{:.0} days", s / 86_400.0),
    })
}
