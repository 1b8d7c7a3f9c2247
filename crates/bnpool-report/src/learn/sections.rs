//! The page of a report, section after section.

use super::epochs::MOST_FOLDS;
use super::figures::Rendering;
use super::score::Score;
use super::{headline, roc, sample, tables};
use crate::chart::Chart;
use crate::number::{count, significant};
use crate::page::{Markup, Page};
use crate::page::{add_metrics_and_settings, figure, grid};

/// Composes the page.
pub(super) fn page(rendering: &Rendering<'_>) -> Page {
    let report = &rendering.report;
    let mut page = Page::new(report.title);
    page.set_header(headline::header(report));
    predictions(&mut page, rendering);
    samples(&mut page, rendering);
    clusters(&mut page, rendering);
    training(&mut page, rendering);
    if !report.folds.is_empty() {
        page.add_section("folds", "Fold by fold", tables::folds(report));
    }
    add_metrics_and_settings(
        &mut page,
        report.metrics,
        report.config_toml,
        report.version,
    );
    page
}

fn predictions(page: &mut Page, rendering: &Rendering<'_>) {
    let mut figures = Vec::new();
    if let Some(chart) = &rendering.confusion {
        figures.push(figure(
            page,
            "confusion-chart",
            "Which classes are taken for which",
            chart,
            "Test graphs: a row for each true class, a column for each class the model named. Right answers lie on the diagonal; colours are shares of the row.",
        ));
    }
    if let Some(chart) = &rendering.roc {
        let area = roc::area(rendering.report.roc);
        let mean = area.map_or(f64::NAN, |spread| spread.mean);
        figures.push(figure(
            page,
            "roc-chart",
            "True against false alarms: ROC curves",
            chart,
            &format!(
                "Each curve runs through all thresholds of a fold. The closer to the upper left corner the better; the dashed diagonal is guessing. Mean area under the curve (AUC): {}.",
                significant(mean, 3)
            ),
        ));
    }
    if let Some(scatter) = &rendering.scatter {
        let mut caption = "Every dot is a test graph. On the dashed diagonal the prediction is right; above it, it is too high.".to_owned();
        if scatter.shown < scatter.finite {
            caption.push_str(&format!(
                " Shown are {} of {} graphs, chosen evenly.",
                count(scatter.shown),
                count(scatter.finite)
            ));
        }
        let odd = rendering.report.values.len() - scatter.finite;
        if odd > 0 {
            caption.push_str(&format!(" {} without a finite value.", count(odd)));
        }
        figures.push(figure(
            page,
            "scatter-chart",
            "Predicted against true values",
            &scatter.chart,
            &caption,
        ));
    }
    if !figures.is_empty() {
        let class = if figures.len() == 1 { " solo" } else { " pair" };
        page.add_section("predictions", "Predictions", grid(class, &figures));
    }
}

fn samples(page: &mut Page, rendering: &Rendering<'_>) {
    if rendering.samples.is_empty() {
        return;
    }
    let report = &rendering.report;
    let mut text = "Some test graphs, and what the pooler makes of them: the graph with its features, the same graph in the colours of its clusters, the memberships behind these, and the pooled graph, in which a disc is a cluster, as large as the nodes it holds, and a line as thick as the links between two of them. A cluster has the same number and colour everywhere.".to_owned();
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
    let mut figures = Vec::new();
    if let Some(chart) = &rendering.histogram {
        figures.push(figure(
            page,
            "curve-histogram",
            "Non-empty clusters of the test graphs",
            chart,
            "How many graphs are pooled to so many clusters. A pooler that adapts gives graphs of different size or shape different numbers.",
        ));
    }
    if let Some(chart) = &rendering.curves.clusters {
        figures.push(figure(
            page,
            "curve-clusters",
            "Clusters in use during training",
            chart,
            "Mean number of non-empty clusters of a graph at each epoch. Lines that have settled are a sign of a finished run.",
        ));
    }
    if !figures.is_empty() {
        page.add_section("clusters", "How many clusters", grid(" pair", &figures));
    }
}

fn training(page: &mut Page, rendering: &Rendering<'_>) {
    let curves = &rendering.curves;
    let score = Score::of(rendering.report.metric);
    let metric = format!("On validation graphs: {}", Markup::text(score.name()));
    let mut epochs = rendering.report.folds.iter().flat_map(|fold| fold.history);
    let weighted = epochs.any(|point| point.gamma.is_finite() && point.gamma != 0.0);
    let charts: [(&str, &str, &Option<Chart>, &str); 6] = [
        (
            "curve-losses",
            "Loss on training and validation graphs",
            &curves.losses,
            "The loss of the task, without that of the pooler. Where validation rises while training falls, the model learns by heart.",
        ),
        (
            "curve-train-loss",
            "Loss on training graphs",
            &curves.train_loss,
            "The loss of the task, without that of the pooler: how badly the model fits the graphs it learns from.",
        ),
        (
            "curve-validation-loss",
            "Loss on validation graphs",
            &curves.validation_loss,
            "The same on graphs the model does not learn from. Where it rises while the loss in training falls, the model learns by heart.",
        ),
        (
            "curve-metric",
            &metric,
            &curves.metric,
            "What the best epoch is chosen by. A dot marks the epoch whose weights were tested.",
        ),
        (
            "curve-auxiliary",
            "Auxiliary loss of the pooler",
            &curves.auxiliary,
            match weighted {
                true => {
                    "What the pooler adds to the loss of the task. γ, on the right, is the weight of the divergence from the prior, which may rise while the model learns."
                }
                false => "What the pooler adds to the loss of the task.",
            },
        ),
        (
            "curve-rate",
            "Learning rate",
            &curves.rate,
            "How large the steps of training are.",
        ),
    ];
    let figures: Vec<Markup> = charts
        .into_iter()
        .filter_map(|(id, heading, chart, caption)| {
            Some(figure(page, id, heading, chart.as_ref()?, caption))
        })
        .collect();
    if figures.is_empty() {
        return;
    }
    let with_history = rendering.report.folds.iter();
    let with_history = with_history.filter(|fold| !fold.history.is_empty()).count();
    let mut content = match curves.folds {
        1 => Markup::trusted("<p>Dots mark the epoch whose weights were tested.</p>"),
        folds => Markup::trusted(format!(
            "<p>A line for each {}, alike in colour in all charts. Dots mark the epochs whose weights were tested.</p>",
            match with_history > folds {
                true => format!("of the first {MOST_FOLDS} folds"),
                false => "fold".to_owned(),
            }
        )),
    };
    content.push(&grid(" pair", &figures));
    page.add_section("training", "Training", content);
}
