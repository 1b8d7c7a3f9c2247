//! `bnpool data list`.

use super::Place;
use crate::terminal::message::Failure;
use bnpool_io::dataset::{registry, whereabouts};
use clap::Args;

/// Flags of `bnpool data list`.
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    place: Place,
}

impl Arguments {
    /// Prints the table, with the published counts.
    pub fn run(self) -> Result<(), Failure> {
        say!(
            "{:<16} {:<9} {:>6} {:>9} {:>9} {:>8} {:>7}  here",
            "name",
            "task",
            "graphs",
            "nodes",
            "edges",
            "features",
            "classes"
        );
        for entry in registry() {
            let found = whereabouts(
                entry.name,
                self.place.data_dir.as_deref(),
                self.place.cleaned,
            )?;
            let here = match found {
                Some(path) => path.display().to_string(),
                None if entry.places.is_empty() => "built in".into(),
                None if entry.synthetic => "can be generated".into(),
                None => "no".into(),
            };
            let p = &entry.published;
            say!(
                "{:<16} {:<9} {:>6} {:>9} {:>9} {:>8} {:>7}  {here}",
                entry.name,
                entry.task.name(),
                p.graphs,
                count(p.nodes),
                count(p.edges),
                p.features,
                p.classes
            );
        }
        say!(
            "\nNodes and edges are totals of one graph and means of many; an undirected edge counts twice."
        );
        Ok(())
    }
}

/// Formats integers unchanged, and means with one digit.
pub(super) fn count(x: f64) -> String {
    if x.fract() == 0.0 {
        format!("{x:.0}")
    } else {
        format!("{x:.1}")
    }
}
