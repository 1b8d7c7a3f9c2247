//! The confusion matrix.

use super::Confusion;
use crate::chart::{CellTexts, Chart, Group, HeatMap, Side};
use crate::escape::{shorten, squeeze};
use crate::number::{count, counted, percent};

/// Largest number of classes with counts in the cells; shares are always shown.
const WITH_TEXTS: usize = 100;

/// Number of graphs of each true class.
pub(super) fn totals(confusion: &Confusion<'_>) -> Vec<usize> {
    let classes = confusion.classes.len().max(1);
    let rows = confusion.counts.chunks(classes);
    // Sums of untrusted counts must not wrap around.
    rows.map(|row| row.iter().fold(0_usize, |sum, &n| sum.saturating_add(n)))
        .collect()
}

/// Share of the largest class among all graphs: the majority baseline.
pub(super) fn majority(confusion: &Confusion<'_>) -> Option<f64> {
    let totals = totals(confusion);
    let all: f64 = totals.iter().map(|&n| n as f64).sum();
    let most = *totals.iter().max()? as f64;
    (all > 0.0).then(|| most / all)
}

fn side(confusion: &Confusion<'_>, name: &str, cell: impl Fn(usize, &str) -> String) -> Side {
    let classes = || confusion.classes.iter().enumerate();
    let group = |(i, name): (usize, &String)| Group::cell(i, squeeze(name, 11), None);
    let cells = classes().map(|(i, name)| cell(i, &shorten(name, 60)));
    Side {
        upwards: true,
        ..Side::new(name, cells.collect(), classes().map(group).collect())
    }
}

fn texts(confusion: &Confusion<'_>, totals: &[usize]) -> CellTexts {
    let classes = confusion.classes.len();
    let pointed = |(i, &n): (usize, &usize)| {
        let total = totals[i / classes];
        let graphs = counted(total, "graph", "graphs");
        match total {
            0 => "no graph of this class".to_owned(),
            _ => format!(
                "{} of {graphs} ({})",
                count(n),
                percent(n as f64 / total as f64)
            ),
        }
    };
    let cells = confusion.counts.iter();
    CellTexts {
        written: cells.clone().map(|&n| count(n)).collect(),
        pointed: cells.enumerate().map(pointed).collect(),
    }
}

/// Draws the matrix; `None` without classes.
pub(super) fn chart(confusion: &Confusion<'_>) -> Option<Chart> {
    let classes = confusion.classes.len();
    if classes == 0 {
        return None;
    }
    let totals = totals(confusion);
    let share = |(i, &n): (usize, &usize)| n as f32 / totals[i / classes].max(1) as f32;
    let values: Vec<f32> = confusion.counts.iter().enumerate().map(share).collect();
    let alt = format!(
        "Confusion matrix of {}: a row for each true class, a column for each predicted one.",
        counted(classes, "class", "classes")
    );
    let rows = side(confusion, "true class", |i, name| {
        format!("true: {name} ({})", counted(totals[i], "graph", "graphs"))
    });
    let columns = side(confusion, "predicted class", |_, name| {
        format!("predicted: {name}")
    });
    let map = HeatMap {
        written: true,
        texts: (classes <= WITH_TEXTS).then(|| texts(confusion, &totals)),
        ..HeatMap::new(alt, [rows, columns], &values, "share of the row")
    };
    Some(map.draw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_rows_and_of_the_largest_class() {
        let classes = ["a", "b", "c"].map(str::to_owned);
        let confusion = Confusion {
            classes: &classes,
            counts: &[3, 1, 0, 0, 6, 0, 0, 0, 0],
        };
        assert_eq!(totals(&confusion), [4, 6, 0]);
        assert_eq!(majority(&confusion), Some(0.6));
        let texts = texts(&confusion, &totals(&confusion));
        assert_eq!(texts.pointed[0], "3 of 4 graphs (75 %)");
        assert_eq!(texts.pointed[8], "no graph of this class");
    }

    #[test]
    fn no_class_one_class_and_very_many() {
        let of = |n: usize| {
            let classes: Vec<String> = (0..n).map(|i| format!("class {i}")).collect();
            let counts = vec![usize::MAX; n * n];
            let confusion = Confusion {
                classes: &classes,
                counts: &counts,
            };
            majority(&confusion);
            chart(&confusion).map(|chart| chart.picture())
        };
        assert!(of(0).is_none());
        for classes in [1, 50, 200] {
            assert!(of(classes).unwrap().ends_with("</svg>"));
        }
    }
}
