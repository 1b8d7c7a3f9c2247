//! Summary of the result on standard output.

use bnpool_task::learn::Score;
use bnpool_task::learn::run::Done;
use std::path::Path;

/// Prints the summary.
pub fn print(done: &Done, directory: &Path) {
    let Done { input, metrics } = done;
    let score = input.data.score;
    let name = score_words(score);
    let count = metrics.folds.len();
    let folds = if count == 1 { "fold" } else { "folds" };
    match (metrics.test_mean, metrics.test_std) {
        (Some(mean), Some(std)) => say!(
            "{name} on test graphs: {} ± {} ({count} {folds})",
            shown(score, Some(mean)),
            shown(score, Some(std))
        ),
        _ => say!("the {name} on test graphs is not defined"),
    }
    say!("");
    say!("  fold  validation     test  epochs  best  ms/epoch  clusters");
    for fold in &metrics.folds {
        let clusters = match (fold.clusters_mean, fold.clusters_std) {
            (Some(mean), Some(std)) => format!("{mean:.1} ± {std:.1}"),
            _ => "–".into(),
        };
        say!(
            "  {:>4}  {:>10}  {:>7}  {:>6}  {:>4}  {:>8.1}  {clusters}",
            fold.fold,
            shown(score, fold.val),
            shown(score, fold.test),
            fold.epochs,
            fold.best_epoch,
            1e3 * fold.seconds_per_epoch,
        );
    }
    say!("");
    if let (Some(mean), Some(std)) = (metrics.clusters_mean, metrics.clusters_std) {
        say!("  non-empty clusters  {mean:.1} ± {std:.1} a graph");
    }
    say!("  parameters          {}", metrics.parameters);
    say!("  training            {:.1} s", metrics.seconds);
    let path = directory.display();
    say!("  written to          {path}: report.html, predictions.csv, model.safetensors and more");
    say!("  use it on others    bnpool predict --run {path} GRAPHS");
}

/// Returns the full name of the metric.
pub fn score_words(score: Score) -> &'static str {
    match score {
        Score::Acc => "accuracy",
        Score::Auroc => "area under the ROC curve",
        Score::Mae => "mean absolute error",
    }
}

/// Formats fractions in percent, and errors unchanged.
pub fn shown(score: Score, value: Option<f64>) -> String {
    match (score, value) {
        (_, None) => "–".into(),
        (Score::Mae, Some(x)) => format!("{x:.4}"),
        (_, Some(x)) => format!("{:.1} %", 100.0 * x),
    }
}
