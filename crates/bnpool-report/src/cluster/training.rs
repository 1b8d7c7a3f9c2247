//! Charts of the training.

use super::ClusterReport;
use crate::chart::{Chart, LineChart, Series, Span, Which, categorical};
use crate::number::evenly;

/// Largest number of points of a line: about two per pixel.
const MOST: usize = 1000;

/// The losses over the epochs, with γ on the right axis if there is one; `None`
/// without a history.
pub(super) fn losses(report: &ClusterReport<'_>) -> Option<Chart> {
    if report.history.is_empty() || report.losses.is_empty() {
        return None;
    }
    let places = evenly(report.history.len(), MOST);
    let points = || places.clone().map(|place| &report.history[place]);
    let mut series: Vec<Series> = report
        .losses
        .iter()
        .enumerate()
        .map(|(colour, loss)| {
            let values = places.clone().map(|place| loss.values[place]).collect();
            Series::new(&loss.name, categorical(colour), values)
        })
        .collect();
    let names: Vec<&str> = report.losses.iter().map(|loss| &*loss.name).collect();
    let mut alt = format!(
        "Losses over {} epochs: {}.",
        report.history.len(),
        names.join(", ")
    );
    let weighted = points().any(|point| point.gamma.is_some());
    if weighted {
        let gamma = points().map(|point| point.gamma.unwrap_or(f64::NAN));
        let colour = categorical(series.len());
        series.push(Series {
            axis: Which::Right,
            ..Series::new("γ", colour, gamma.collect())
        });
        alt.push_str(" With the weight γ.");
    }
    let chart = LineChart {
        alt,
        x_name: "epoch".to_owned(),
        left_name: "loss".to_owned(),
        right_name: if weighted { "γ" } else { "" }.to_owned(),
        x: points().map(|point| point.epoch as f64).collect(),
        series,
        left: Span::FromZero,
    };
    Some(chart.draw())
}

/// Number of communities in use over the epochs; `None` if not counted.
pub(super) fn active(report: &ClusterReport<'_>) -> Option<Chart> {
    let places = evenly(report.history.len(), MOST);
    let points = || places.clone().map(|place| &report.history[place]);
    points().find(|p| p.active.is_some())?;
    let values = points().map(|p| p.active.map_or(f64::NAN, |n| n as f64));
    let chart = LineChart {
        alt: format!("Communities in use over {} epochs.", report.history.len()),
        x_name: "epoch".to_owned(),
        left_name: "communities".to_owned(),
        right_name: String::new(),
        x: points().map(|p| p.epoch as f64).collect(),
        series: vec![Series::new(
            "communities in use",
            categorical(4),
            values.collect(),
        )],
        left: Span::Whole,
    };
    Some(chart.draw())
}
