//! Presentation of the results: table and remarks.

use super::outcome::{GraphsOutcome, Row};
use crate::command::compare::job::list;
use crate::command::compare::table::{Cell, Column, Table};
use crate::command::train::shown;
use bnpool_task::learn::Score;

impl GraphsOutcome {
    /// Returns the table.
    pub fn table(&self, score: Score) -> Table {
        let columns = [
            ("pooler", "its name on the command line"),
            (
                score.name(),
                "metric on the test graphs: mean ± standard deviation over the folds",
            ),
            (
                "difference",
                "mean difference to the first pooler, fold by fold",
            ),
            (
                "95 % interval",
                "of the difference, by Student's t over the folds",
            ),
            (
                "size",
                "nodes of a pooled test graph, on average: non-empty clusters, or nodes that are kept",
            ),
            ("parameters", "number of trainable parameters"),
            ("ms/epoch", "mean time of an epoch in milliseconds"),
            ("epochs", "mean number of epochs of a fold"),
            ("peak MB", "most memory that its process had at once"),
        ];
        let row = |row: &Row| {
            vec![
                Cell::text(row.pooler),
                Cell::number(row.test_mean, |mean| spread(score, mean, row.test_std)),
                Cell::number(row.difference, |d| change(score, d)),
                Cell {
                    value: row.difference_interval.map(|i| i[0]),
                    ..Cell::text(
                        row.difference_interval
                            .map_or("–".to_owned(), |[low, high]| {
                                format!("{} to {}", change(score, low), change(score, high))
                            }),
                    )
                },
                Cell::number(row.supernodes_mean, |c| format!("{c:.1}")),
                Cell::number(Some(row.parameters as f64), |p| format!("{p}")),
                Cell::number(Some(1e3 * row.seconds_per_epoch), |t| format!("{t:.1}")),
                Cell::number(Some(row.epochs), |e| format!("{e:.1}")),
                Cell::number(row.peak_rss_mb, |m| format!("{m:.0}")),
            ]
        };
        Table {
            columns: columns
                .map(|(name, meaning)| Column { name, meaning })
                .to_vec(),
            rows: self.poolers.iter().map(row).collect(),
        }
    }

    /// Returns remarks on the table.
    pub fn remarks(&self, score: Score) -> Vec<String> {
        let Some((first, others)) = self.poolers.split_first() else {
            return Vec::new();
        };
        let mut remarks = Vec::new();
        let unit = if score.is_error() {
            ""
        } else {
            " in percentage points"
        };
        let better = if score.is_error() {
            "below 0"
        } else {
            "above 0"
        };
        if !others.is_empty() {
            remarks.push(format!(
                "differences are those to {}{unit}; {better} is better than {0}",
                first.pooler
            ));
            remarks.push(match self.data.folds.len() {
                1 => "a single fold gives no interval; train more with --folds".to_owned(),
                folds => format!(
                    "intervals by Student's t over {folds} folds; they share training graphs, so the intervals are rather too narrow"
                ),
            });
        }
        remarks.push(
            "sizes are mean nodes of a pooled test graph; --set pooler.ratio=0.25 changes κ of the poolers that do not find it".to_owned(),
        );
        remarks
    }
}

/// Describes the folds.
pub fn fold_words(folds: &[usize]) -> String {
    match folds {
        [fold] => format!("fold {fold}"),
        many => format!("{} folds ({})", many.len(), list(many)),
    }
}

/// Formats a mean and its standard deviation.
fn spread(score: Score, mean: f64, deviation: Option<f64>) -> String {
    match (score.is_error(), deviation) {
        (_, None) => shown(score, Some(mean)),
        (true, Some(d)) => format!("{mean:.4} ± {d:.4}"),
        (false, Some(d)) => format!("{:.1} ± {:.1} %", 100.0 * mean, 100.0 * d),
    }
}

/// Formats a difference with its sign.
fn change(score: Score, difference: f64) -> String {
    let text = if score.is_error() {
        format!("{difference:+.4}")
    } else {
        format!("{:+.1}", 100.0 * difference)
    };
    // A value that rounds to zero has no sign.
    if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        text.replace('-', "−")
    } else {
        text[1..].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_unless_they_are_nothing() {
        assert_eq!(change(Score::Acc, 0.0123), "+1.2");
        assert_eq!(change(Score::Acc, -0.5), "−50.0");
        assert_eq!(change(Score::Acc, -1e-9), "0.0");
        assert_eq!(change(Score::Mae, 0.0), "0.0000");
        assert_eq!(spread(Score::Acc, 0.5, Some(0.1)), "50.0 ± 10.0 %");
        assert_eq!(spread(Score::Mae, 0.5, Some(0.1)), "0.5000 ± 0.1000");
    }
}
