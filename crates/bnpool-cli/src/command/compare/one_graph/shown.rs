//! The result for people: the table, and how to read it.

use super::outcome::{Agreement, Outcome, Row};
use crate::command::compare::table::{Cell, Column, Table};
use bnpool::pool::find_pooler;

impl Outcome {
    /// The table for people. Agreement is that of the communities: of the
    /// posterior mean where there is a posterior.
    pub fn table(&self) -> Table {
        let mut columns = vec![
            ("pooler", "its name on the command line"),
            ("communities", "number of communities"),
        ];
        let agreement = [
            (
                "NMI",
                "normalised mutual information of communities and classes, 0 to 1",
            ),
            (
                "ARI",
                "adjusted Rand index: 0 for chance, 1 for identical groups",
            ),
            ("COS", "cosine of S Sᵀ and Y Yᵀ"),
            (
                "ACC",
                "accuracy of a logistic regression from S to the classes",
            ),
        ];
        if self.classes.is_some() {
            columns.extend(agreement);
        }
        columns.extend([
            (
                "modularity",
                "share of links inside communities, minus the share expected by chance",
            ),
            ("epochs", "epochs of all starts"),
            ("ms/epoch", "mean time of an epoch in milliseconds"),
            ("seconds", "training time"),
            ("peak MB", "most memory that its process had at once"),
        ]);
        let row = |row: &Row| {
            let found = &row.found;
            let three = |value: f64| format!("{value:.3}").replace('-', "−");
            let mut cells = vec![
                Cell::text(row.pooler),
                Cell::number(Some(found.communities as f64), |c| format!("{c}")),
            ];
            if self.classes.is_some() {
                let picks: [fn(&Agreement) -> f64; 4] = [
                    |a| a.nmi_mean,
                    |a| a.ari_mean,
                    |a| a.cos_mean,
                    |a| a.acc_mean,
                ];
                let values = picks.map(|pick| found.agreement.as_ref().map(pick));
                cells.extend(values.map(|value| Cell::number(value, three)));
            }
            cells.extend([
                Cell::number(Some(found.modularity), three),
                Cell::number(Some(found.epochs as f64), |e| format!("{e}")),
                Cell::number(
                    (found.epochs > 0).then_some(1e3 * found.seconds_per_epoch),
                    |t| format!("{t:.1}"),
                ),
                Cell::number(Some(found.seconds), |t| format!("{t:.1}")),
                Cell::number(found.peak_rss_mb, |m| format!("{m:.0}")),
            ]);
            cells
        };
        Table {
            columns: columns
                .into_iter()
                .map(|(name, meaning)| Column { name, meaning })
                .collect(),
            rows: self.poolers.iter().map(row).collect(),
        }
    }

    /// How to read the table.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let traits = |row: &Row| find_pooler(row.pooler).ok();
        let posterior = |row: &&Row| traits(row).is_some_and(|p| p.posterior);
        if let (Some(row), Some(_)) = (self.poolers.iter().find(posterior), self.classes) {
            remarks.push(format!(
                "agreement of {} is that of its posterior mean; compare.csv has one sample too, as in the paper",
                row.pooler
            ));
        }
        let told = self
            .poolers
            .iter()
            .filter(|row| traits(row).is_some_and(|p| !p.adaptive));
        let told: Vec<&str> = told.map(|row| row.pooler).collect();
        if !told.is_empty() {
            remarks.push(format!(
                "the number of clusters is given to {} (--clusters, else the known classes, else --max-clusters)",
                told.join(", ")
            ));
        }
        let untrained = self.poolers.iter().filter(|row| row.found.epochs == 0);
        let untrained: Vec<&str> = untrained.map(|row| row.pooler).collect();
        if !untrained.is_empty() {
            remarks.push(format!(
                "not trained, because they have no loss of their own: {}",
                untrained.join(", ")
            ));
        }
        remarks
    }
}
