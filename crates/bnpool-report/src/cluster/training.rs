//! Charts of the training.

use super::ClusterReport;
use crate::chart::{Chart, LineChart, Series, Span, Which, categorical};

/// Largest number of points of a line: about two per pixel.
const MOST: usize = 1000;

/// Indices of at most [`MOST`] epochs, evenly spaced, including the first and
/// the last.
fn thinned(epochs: usize) -> Vec<usize> {
    match epochs {
        0..=MOST => (0..epochs).collect(),
        _ => (0..MOST).map(|i| i * (epochs - 1) / (MOST - 1)).collect(),
    }
}

fn line(name: &str, colour: usize, axis: Which, values: Vec<f64>) -> Series {
    Series {
        name: name.to_owned(),
        colour: categorical(colour),
        axis,
        values,
        mark: None,
    }
}

/// The losses over the epochs, with γ on the right axis if there is one; `None`
/// without a history.
pub(super) fn losses(report: &ClusterReport<'_>) -> Option<Chart> {
    if report.history.is_empty() || report.losses.is_empty() {
        return None;
    }
    let places = thinned(report.history.len());
    let points = || places.iter().map(|&place| &report.history[place]);
    let mut series: Vec<Series> = report
        .losses
        .iter()
        .enumerate()
        .map(|(colour, loss)| {
            let values = places.iter().map(|&place| loss.values[place]).collect();
            line(&loss.name, colour, Which::Left, values)
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
        series.push(line("γ", series.len(), Which::Right, gamma.collect()));
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
    let places = thinned(report.history.len());
    let points = || places.iter().map(|&place| &report.history[place]);
    points().find(|p| p.active.is_some())?;
    let values = points().map(|p| p.active.map_or(f64::NAN, |n| n as f64));
    let chart = LineChart {
        alt: format!("Communities in use over {} epochs.", report.history.len()),
        x_name: "epoch".to_owned(),
        left_name: "communities".to_owned(),
        right_name: String::new(),
        x: points().map(|p| p.epoch as f64).collect(),
        series: vec![line("communities in use", 4, Which::Left, values.collect())],
        left: Span::Whole,
    };
    Some(chart.draw())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_histories_are_thinned_but_keep_their_ends() {
        let thin = thinned(12_345);
        assert_eq!(thin.len(), MOST);
        assert_eq!((thin[0], thin[MOST - 1]), (0, 12_344));
        assert!(thin.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(thinned(10).len(), 10);
    }
}
