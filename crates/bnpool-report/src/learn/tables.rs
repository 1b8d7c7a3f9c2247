//! The table of the folds.

use super::epochs::MOST_FOLDS;
use super::score::Score;
use super::{FoldReport, LearnReport};
use crate::chart::categorical;
use crate::number::{count, significant};
use crate::page::{Cell, Column, Markup, table};

/// Table with one row per fold.
pub(super) fn folds(report: &LearnReport<'_>) -> Markup {
    let score = Score::of(report.metric);
    let with_clusters = report.folds.iter().any(|fold| fold.clusters_mean.is_some());
    let name = score.axis();
    let mut columns = vec![
        Column::new("Fold", "", false),
        Column::new("Train", "graphs used for training", true),
        Column::new("Validation", "graphs used to select the best epoch", true),
        Column::new("Test", "graphs used for testing", true),
        Column::new("Best epoch", "the epoch whose weights were tested", true),
        Column::new("On validation", &format!("{name} at the best epoch"), true),
        Column::new("On test", &format!("{name} at the best epoch"), true),
    ];
    if with_clusters {
        let explanation = "mean number of non-empty clusters of a test graph";
        columns.push(Column::new("Clusters", explanation, true));
    }
    // Colours are those of the curves, which show the first folds with a history.
    let drawn = report.folds.iter().filter(|fold| !fold.history.is_empty());
    let drawn: Vec<usize> = drawn.take(MOST_FOLDS).map(|fold| fold.fold).collect();
    let row = |fold: &FoldReport<'_>| {
        let place = drawn.iter().position(|&number| number == fold.fold);
        let mut cells = vec![Cell {
            text: fold.fold.to_string(),
            key: Some(fold.fold as f64),
            dot: place.map(categorical),
        }];
        let counts = fold.graphs.into_iter().chain([fold.best_epoch]);
        cells.extend(counts.map(|n| Cell::number(count(n), n as f64)));
        let values = [fold.validation, fold.test];
        cells.extend(values.map(|value| Cell::number(score.text(value), value)));
        if with_clusters {
            let mean = fold.clusters_mean.unwrap_or(f64::NAN);
            cells.push(Cell::number(significant(mean, 3), mean));
        }
        cells
    };
    let rows: Vec<_> = report.folds.iter().map(row).collect();
    table("Folds", &columns, &rows, true)
}
