//! Summary of the result on standard output.

use bnpool_task::learn::run::Done;
use std::path::Path;

/// Prints the summary.
pub fn print(done: &Done, directory: &Path) {
    let Done { input, metrics } = done;
    let score = input.data.score;
    let name = score.words();
    let count = metrics.folds.len();
    let folds = if count == 1 { "fold" } else { "folds" };
    match (metrics.test_mean, metrics.test_std) {
        (Some(mean), Some(std)) => say!(
            "{name} on test graphs: {} ± {} ({count} {folds})",
            score.shown(Some(mean)),
            score.shown(Some(std))
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
            score.shown(fold.val),
            score.shown(fold.test),
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
