//! About how long runs take, on two cores.

use super::cell::Run;
use super::item::Task;
use toml::Table;

/// Milliseconds of an epoch of BN-Pool on two cores, as in `resources-*` or the
/// recorded runs; of Peptides-struct by its number of nodes.
const EPOCHS: [(&str, f64); 19] = [
    ("community", 0.9),
    ("cora", 6.0),
    ("citeseer", 8.5),
    ("pubmed", 190.0),
    ("dblp", 150.0),
    ("gcb-h", 570.0),
    ("collab", 2000.0),
    ("colors-3", 1200.0),
    ("imdb-binary", 70.0),
    ("mutagenicity", 230.0),
    ("nci1", 200.0),
    ("reddit-binary", 2400.0),
    ("dd", 1100.0),
    ("mutag", 8.0),
    ("proteins", 95.0),
    ("enzymes", 40.0),
    ("ogbg-molhiv", 4100.0),
    ("peptides-struct", 5300.0),
    ("multipartite", 4500.0),
];

/// Epochs until early stopping, as seen by preset.
const STOPPED: [(&str, f64); 4] = [
    ("default", 260.0),
    ("paper", 400.0),
    ("paper-code", 500.0),
    ("authors", 1200.0),
];
/// Seconds of a process beside its training.
const START: f64 = 1.0;

/// Seconds of a run.
fn seconds(run: &Run) -> f64 {
    let of = |table: &[(&str, f64)], name: &str| {
        let found = table.iter().find(|row| row.0 == name);
        found.map_or(1.0, |row| row.1)
    };
    if run.task == Task::Count {
        return START;
    }
    let most = epochs(&run.config).unwrap_or(1.0);
    let epochs = match run.task {
        Task::Train => most.min(of(&STOPPED, &run.cell.preset)),
        _ => most,
    };
    // Rivals have no divergence to compute.
    let share = if run.cell.pooler == "bn" { 1.0 } else { 0.5 };
    START + epochs * share * of(&EPOCHS, &run.cell.dataset) / 1e3
}

fn epochs(config: &Table) -> Option<f64> {
    let epochs = config.get("training")?.get("epochs")?.as_integer()?;
    Some(epochs as f64)
}

/// Seconds of all runs.
pub fn total<'a>(runs: impl IntoIterator<Item = &'a Run>) -> f64 {
    runs.into_iter().map(seconds).sum()
}
