//! Text summary of the result, with the key figures.

use super::score::{Score, Spread};
use super::{LearnReport, confusion, histogram};
use crate::escape;
use crate::number::{count, counted, percent, significant};
use crate::page::Markup;
use crate::page::{KeyFigure, key_figures, notes};

/// The metric on the test graphs, over all folds.
fn test(report: &LearnReport<'_>) -> Option<Spread> {
    Spread::of(report.folds.iter().map(|fold| fold.test))
}

/// Mean number of non-empty clusters of a test graph.
pub(super) fn clusters(report: &LearnReport<'_>) -> Option<f64> {
    let counted = Spread::of(report.clusters.iter().map(|&number| number as f64));
    let means = || Spread::of(report.folds.iter().filter_map(|fold| fold.clusters_mean));
    counted.or_else(means).map(|spread| spread.mean)
}

fn result(report: &LearnReport<'_>) -> String {
    let score = Score::of(report.metric);
    let Some(spread) = test(report) else {
        return r#"<p class="lead">No fold has a test result.</p>"#.to_owned();
    };
    let value = Markup::text(&score.spread_text(&spread));
    let value = format!("<strong>{value}</strong>");
    let sentence = match score {
        Score::Accuracy => {
            format!("The model predicts the right class for {value} of the test graphs")
        }
        Score::Area => format!(
            "The area under the ROC curve on the test graphs is {value} (50 % is chance, 100 % is perfect)"
        ),
        Score::Error => format!("The mean absolute error on the test graphs is {value}"),
        Score::Other(name) => format!("On the test graphs, {} is {value}", Markup::text(name)),
    };
    let over = match spread.count {
        1 => String::new(),
        folds => format!(" (mean ± standard deviation of {} folds)", count(folds)),
    };
    format!(r#"<p class="lead">{sentence}{over}.</p>"#)
}

/// Text on baselines of the result.
fn context(report: &LearnReport<'_>) -> String {
    let mut out = String::new();
    let guess = report.confusion.as_ref().and_then(confusion::majority);
    if let (Score::Accuracy, Some(share)) = (Score::of(report.metric), guess) {
        out.push_str(&format!(
            "Always predicting the most frequent class would be right for {}. ",
            Markup::text(&percent(share))
        ));
    }
    if let Some(mean) = clusters(report) {
        let range = histogram::range_text(report.clusters);
        let range = range.map_or(String::new(), |range| format!(" ({range})"));
        out.push_str(&format!(
            "The pooler {} reduces a graph to {} clusters on average{range}.",
            Markup::text(report.pooler),
            significant(mean, 2)
        ));
    }
    if out.is_empty() {
        out
    } else {
        format!("<p>{}</p>", out.trim_end())
    }
}

/// Key figures of the training effort.
fn effort(report: &LearnReport<'_>) -> Vec<KeyFigure> {
    let mut figures = Vec::new();
    if let Some(fold) = report.folds.first() {
        let [train, validation, test] = fold.graphs;
        let all = train.saturating_add(validation).saturating_add(test);
        let [train, validation, test] = fold.graphs.map(count);
        let remark = format!("{train} train, {validation} validation, {test} test");
        figures.push(("Graphs", count(all), remark));
    }
    let best = report.folds.iter().map(|fold| fold.best_epoch as f64);
    let epochs = report.folds.iter().map(|fold| fold.history.len()).max();
    if let Some(best) = Spread::of(best) {
        let remark = match epochs {
            Some(most @ 1..) if best.count == 1 => format!("of {}", count(most)),
            Some(most @ 1..) => format!("on average, of {}", count(most)),
            _ => String::new(),
        };
        figures.push(("Best epoch", count(best.mean.round() as usize), remark));
    }
    figures
}

fn numbers(report: &LearnReport<'_>) -> Markup {
    let score = Score::of(report.metric);
    let mut figures = Vec::new();
    if let Some(spread) = test(report) {
        let name = match score {
            Score::Accuracy => "Accuracy",
            Score::Area => "Area under ROC",
            Score::Error => "Mean absolute error",
            Score::Other(_) => "Metric",
        };
        // Number and deviation would not fit on one line.
        let remark = match spread.count {
            1 => "on test graphs".to_owned(),
            _ => format!("± {} between folds", score.text(spread.deviation)),
        };
        figures.push((name, score.text(spread.mean), remark));
        let range = match spread.count {
            1 => String::new(),
            _ => format!(
                "{} to {}",
                score.text(spread.least),
                score.text(spread.most)
            ),
        };
        figures.push(("Folds", count(report.folds.len()), range));
    }
    if let Some(mean) = clusters(report) {
        let range = histogram::range_text(report.clusters).unwrap_or_default();
        let remark = format!("non-empty, {range}");
        let remark = remark.trim_end_matches(", ").to_owned();
        figures.push(("Clusters", significant(mean, 3), remark));
    }
    if let Some(confusion) = &report.confusion {
        let largest = confusion::majority(confusion);
        let remark = largest.map_or(String::new(), |share| {
            format!("largest: {}", percent(share))
        });
        figures.push(("Classes", count(confusion.classes.len()), remark));
    }
    figures.extend(effort(report));
    if figures.is_empty() {
        Markup::default()
    } else {
        key_figures(&figures)
    }
}

/// The header above the sections.
pub(super) fn header(report: &LearnReport<'_>) -> Markup {
    let source = [report.dataset, report.task, report.pooler];
    let source: Vec<&str> = source.into_iter().filter(|part| !part.is_empty()).collect();
    let silent = report.folds.len() - test(report).map_or(0, |spread| spread.count);
    let missing = match (silent, report.folds.len()) {
        (0, _) => String::new(),
        (silent, all) if silent == all => String::new(),
        (silent, _) => format!(
            "<p>{} without a test result {} left out of the mean.</p>",
            counted(silent, "fold", "folds"),
            if silent == 1 { "is" } else { "are" }
        ),
    };
    Markup::trusted(format!(
        r#"<p class="source">{}</p>{}{}{missing}{}{}"#,
        Markup::text(&escape::sentence(&source.join(" · "))),
        result(report),
        context(report),
        numbers(report),
        notes(report.dataset, report.notes)
    ))
}
