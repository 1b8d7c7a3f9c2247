//! The page of a report, section by section.

use super::curves::MOST_FOLDS;
use super::figures::Rendering;
use super::score::Score;
use super::{FoldReport, LearnReport, headline, predictions, sample};
use crate::chart::{Chart, categorical};
use crate::number::{count, significant};
use crate::page::{Cell, Column, Markup, Page, figure, grid, table};

/// Composes the page.
pub(super) fn page(rendering: &Rendering<'_>) -> Page {
    let report = &rendering.report;
    let mut page = Page::new(report.title, headline::header(report));
    predictions(&mut page, rendering);
    samples(&mut page, rendering);
    clusters(&mut page, rendering);
    training(&mut page, rendering);
    if !report.folds.is_empty() {
        page.add_section("folds", "Results by fold", folds(report));
    }
    page.end(report.metrics, report.config_toml, report.version);
    page
}

fn predictions(page: &mut Page, rendering: &Rendering<'_>) {
    let area = predictions::area(rendering.report.roc);
    let area = area.map_or(f64::NAN, |spread| spread.mean);
    let mut dots = "Every dot is a test graph. Dots on the dashed diagonal are correct; dots above it are predicted too high.".to_owned();
    let scatter = rendering.scatter.as_ref();
    if let Some(scatter) = scatter {
        if scatter.shown < scatter.finite {
            dots.push_str(&format!(
                " The chart shows an even sample of {} of {} graphs.",
                count(scatter.shown),
                count(scatter.finite)
            ));
        }
        let odd = rendering.report.values.len() - scatter.finite;
        if odd > 0 {
            dots.push_str(&format!(
                " {} graphs without a finite value are left out.",
                count(odd)
            ));
        }
    }
    let figures = [
        figure(
            page,
            "confusion-chart",
            "Confusion matrix",
            &rendering.confusion,
            "Test graphs by true class (rows) and predicted class (columns). Correct predictions are on the diagonal. Colours are shares of the row.",
        ),
        figure(
            page,
            "roc-chart",
            "ROC curves",
            &rendering.roc,
            &format!(
                "True positive rate against false positive rate over all thresholds, one curve per fold. The closer to the upper left corner the better; the dashed diagonal is chance. Mean area under the curve (AUC): {}.",
                significant(area, 3)
            ),
        ),
        figure(
            page,
            "scatter-chart",
            "Predicted against true values",
            scatter.map(|scatter| &scatter.chart),
            &dots,
        ),
    ];
    let drawn = figures.iter().filter(|figure| !figure.is_empty());
    let class = if drawn.count() == 1 { " solo" } else { " pair" };
    page.add_section("predictions", "Predictions", grid(class, &figures));
}

fn samples(page: &mut Page, rendering: &Rendering<'_>) {
    if rendering.samples.is_empty() {
        return;
    }
    let report = &rendering.report;
    let mut text = "Some test graphs and how they are pooled: the graph coloured by its features, the graph coloured by cluster, the memberships, and the pooled graph. In the pooled graph the size of a disc shows how many nodes a cluster holds, and the width of a line shows the weight of the links between two clusters. A cluster has the same number and colour in all four.".to_owned();
    let more = report.samples.len() - rendering.samples.len();
    if more > 0 {
        text.push_str(&format!(" {} more are not shown.", count(more)));
    }
    let mut content = Markup::trusted(format!("<p>{text}</p>"));
    let right_or_wrong = report.metric != "mae" && report.task != "regression";
    let drawn = report.samples.iter().zip(&rendering.samples);
    for (i, (input, sample)) in drawn.enumerate() {
        content.push(&sample::section(page, i + 1, input, sample, right_or_wrong));
    }
    page.add_section("samples", "Sample graphs", content);
}

fn clusters(page: &mut Page, rendering: &Rendering<'_>) {
    let figures = [
        figure(
            page,
            "curve-histogram",
            "Non-empty clusters of the test graphs",
            &rendering.histogram,
            "The number of test graphs by number of clusters. An adaptive pooler uses different numbers for graphs of different size or shape.",
        ),
        figure(
            page,
            "curve-clusters",
            "Non-empty clusters during training",
            &rendering.curves.clusters,
            "The mean number of non-empty clusters of a graph at each epoch. If the lines are flat at the end, training has converged.",
        ),
    ];
    page.add_section("clusters", "Number of clusters", grid(" pair", &figures));
}

fn training(page: &mut Page, rendering: &Rendering<'_>) {
    let curves = &rendering.curves;
    let score = Score::of(rendering.report.metric);
    let metric = format!("Validation metric: {}", Markup::text(score.name()));
    let mut epochs = rendering.report.folds.iter().flat_map(|fold| fold.history);
    let weighted = epochs.any(|point| point.gamma.is_finite() && point.gamma != 0.0);
    let charts: [(&str, &str, &Option<Chart>, &str); 6] = [
        (
            "curve-losses",
            "Loss on training and validation graphs",
            &curves.losses,
            "The loss of the task, without the loss of the pooler. If the validation loss rises while the training loss falls, the model overfits.",
        ),
        (
            "curve-train-loss",
            "Loss on training graphs",
            &curves.train_loss,
            "The loss of the task, without the loss of the pooler.",
        ),
        (
            "curve-validation-loss",
            "Loss on validation graphs",
            &curves.validation_loss,
            "The same on the validation graphs. If it rises while the training loss falls, the model overfits.",
        ),
        (
            "curve-metric",
            &metric,
            &curves.metric,
            "The metric that selects the best epoch. A dot marks the epoch whose weights were tested.",
        ),
        (
            "curve-auxiliary",
            "Auxiliary loss of the pooler",
            &curves.auxiliary,
            if weighted {
                "The loss that the pooler adds to the loss of the task. γ (right axis) is the weight of the divergence from the prior, which may rise during training."
            } else {
                "The loss that the pooler adds to the loss of the task."
            },
        ),
        (
            "curve-rate",
            "Learning rate",
            &curves.rate,
            "The step size of the optimiser.",
        ),
    ];
    let figures =
        charts.map(|(id, heading, chart, caption)| figure(page, id, heading, chart, caption));
    let figures = grid(" pair", &figures);
    if figures.is_empty() {
        return;
    }
    let with_history = rendering.report.folds.iter();
    let with_history = with_history.filter(|fold| !fold.history.is_empty()).count();
    let mut content = match curves.folds {
        1 => Markup::trusted("<p>Dots mark the epoch whose weights were tested.</p>"),
        folds => Markup::trusted(format!(
            "<p>One line for each {}, in the same colour in all charts. Dots mark the epochs whose weights were tested.</p>",
            if with_history > folds {
                format!("of the first {MOST_FOLDS} folds")
            } else {
                "fold".to_owned()
            }
        )),
    };
    content.push(&figures);
    page.add_section("training", "Training", content);
}

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
