//! Presentation of the results: table and remarks.

use super::outcome::{GraphOutcome, Row};
use crate::command::compare::job::list;
use crate::command::compare::table::{Cell, Column, Table};
use bnpool::pool::{PoolTraits, find_pooler};
use bnpool_task::cluster::AGREEMENT;

const MODULARITY: (&str, &str, &str) = (
    "modularity",
    "modularity",
    "share of links inside communities, minus the share expected by chance",
);

/// Returns the measures of agreement: name, key and explanation.
fn agreement() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let shown = AGREEMENT.iter().filter(|measure| measure.shown);
    shown.map(|measure| (measure.title, measure.mean_key, measure.meaning))
}

impl GraphOutcome {
    /// Returns the number in which poolers are compared, paired by seed: its name
    /// in the table and in the files.
    fn compared(&self) -> (&'static str, &'static str) {
        let first = agreement().next().filter(|_| self.data.classes.is_some());
        let (shown, name, _) = first.unwrap_or(MODULARITY);
        (shown, name)
    }

    /// Returns the table. Agreement is that of the communities, which are from
    /// the posterior mean if there is a posterior.
    pub fn table(&self) -> Table {
        let column = |name, meaning| Column { name, meaning };
        let mut columns = vec![
            column("pooler", "its name on the command line"),
            column("communities", "number of communities"),
        ];
        let mut rows: Vec<Vec<Cell>> = self
            .poolers
            .iter()
            .map(|row| {
                let number = |c: f64| format!("{c}");
                let one = |c: f64| format!("{c:.1}");
                vec![
                    Cell::text(row.pooler),
                    match row.spread {
                        None => Cell::number(row.found.get("communities"), number),
                        Some(_) => spread(row, "communities", one),
                    },
                ]
            })
            .collect();
        let (_, compared) = self.compared();
        let agreement = agreement().filter(|_| self.data.classes.is_some());
        for (shown, name, meaning) in agreement.chain([MODULARITY]) {
            columns.push(column(shown, meaning));
            for (row, cells) in self.poolers.iter().zip(&mut rows) {
                cells.push(spread(row, name, three));
            }
            if self.data.seeds.is_some() && name == compared {
                columns.push(column(
                    "difference",
                    "mean difference to the first pooler, seed by seed",
                ));
                columns.push(column(
                    "95 % interval",
                    "of the difference, by Student's t over the seeds",
                ));
                for (row, cells) in self.poolers.iter().zip(&mut rows) {
                    cells.extend(difference(row, name));
                }
            }
        }
        columns.extend([
            column("epochs", "epochs of all starts"),
            column("ms/epoch", "mean time of an epoch in milliseconds"),
            column("seconds", "training time"),
            column("peak MB", "most memory that its process had at once"),
        ]);
        for (row, cells) in self.poolers.iter().zip(&mut rows) {
            let found = &row.found;
            let epochs = found.get("epochs");
            let time = found.get("seconds_per_epoch");
            let time = time.filter(|_| epochs.is_some_and(|epochs| epochs > 0.0));
            cells.extend([
                Cell::number(epochs, |e| format!("{e}")),
                Cell::number(time.map(|time| 1e3 * time), |t| format!("{t:.1}")),
                Cell::number(found.get("seconds"), |t| format!("{t:.1}")),
                Cell::number(found.get("peak_rss_mb"), |m| format!("{m:.0}")),
            ]);
        }
        Table { columns, rows }
    }

    /// Returns remarks on the table.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let traits = |row: &&Row| find_pooler(row.pooler).ok();
        let names = |which: &dyn Fn(&PoolTraits, &Row) -> bool| -> Vec<&str> {
            let rows = self.poolers.iter();
            rows.filter(|row| traits(row).is_some_and(|p| which(p, row)))
                .map(|row| row.pooler)
                .collect()
        };
        if let (Some(seeds), Some(first)) = (&self.data.seeds, self.poolers.first()) {
            remarks.push(format!(
                "means ± standard deviations over {} seeds ({}); differences in {} are those to {}",
                seeds.len(),
                list(seeds),
                self.compared().0,
                first.pooler
            ));
        }
        let sampled = names(&|p, _| p.posterior);
        if let (false, Some(_)) = (sampled.is_empty(), self.data.classes) {
            remarks.push(format!(
                "agreement of {} is that of its posterior mean; compare.csv has one sample too, as in the paper",
                sampled.join(", ")
            ));
        }
        let told = names(&|p, _| !p.adaptive);
        if !told.is_empty() {
            remarks.push(format!(
                "the number of clusters is given to {} (--clusters, else the known classes, else --max-clusters)",
                told.join(", ")
            ));
        }
        let untrained = names(&|_, row| row.found.get("epochs") == Some(0.0));
        if !untrained.is_empty() {
            remarks.push(format!(
                "not trained, because they have no loss of their own: {}",
                untrained.join(", ")
            ));
        }
        remarks
    }
}

/// Formats a number with three digits and a typographic minus.
fn three(value: f64) -> String {
    format!("{value:.3}").replace('-', "−")
}

/// Formats a number, with its standard deviation over several seeds.
fn spread(row: &Row, name: &str, shown: fn(f64) -> String) -> Cell {
    let deviation = row.spread.as_ref().and_then(|spread| spread.std.get(name));
    Cell::number(row.found.get(name), |mean| match deviation {
        None => shown(mean),
        Some(deviation) => format!("{} ± {}", shown(mean), shown(deviation)),
    })
}

/// Formats the difference to the first pooler, and its interval.
fn difference(row: &Row, name: &str) -> [Cell; 2] {
    let signed = |value: f64| format!("{value:+.3}").replace('-', "−");
    let found = row.difference(name);
    let interval = found.and_then(|found| found.interval);
    [
        Cell::number(found.map(|found| found.mean), signed),
        Cell {
            value: interval.map(|i| i[0]),
            ..Cell::text(interval.map_or("–".to_owned(), |[low, high]| {
                format!("{} to {}", signed(low), signed(high))
            }))
        },
    ]
}
