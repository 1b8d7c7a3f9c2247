//! How training went.

use super::ClusterReport;
use super::input::HistoryPoint;
use crate::chart::{Chart, LineChart, Series, Span, Which, categorical};

/// Most points of a line: about two for each pixel.
const MOST: usize = 1000;

/// At most so many epochs, evenly, the first and the last among them.
fn thinned(history: &[HistoryPoint]) -> Vec<HistoryPoint> {
    if history.len() <= MOST {
        return history.to_vec();
    }
    let last = history.len() - 1;
    (0..MOST).map(|i| history[i * last / (MOST - 1)]).collect()
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

/// The losses over the epochs, with γ on the right; nothing without a history.
pub(super) fn losses(report: &ClusterReport<'_>) -> Option<Chart> {
    if report.history.is_empty() {
        return None;
    }
    let points = thinned(report.history);
    let of = |value: fn(&HistoryPoint) -> f64| points.iter().map(value).collect::<Vec<f64>>();
    let chart = LineChart {
        alt: format!(
            "Losses over {} epochs: reconstruction, divergence and prior of K, with the weight of the divergence.",
            report.history.len()
        ),
        x_name: "epoch".to_owned(),
        left_name: "loss".to_owned(),
        right_name: "γ".to_owned(),
        x: of(|p| p.epoch as f64),
        series: vec![
            line("reconstruction", 0, Which::Left, of(|p| p.rec)),
            line("divergence", 1, Which::Left, of(|p| p.kl)),
            line("prior of K", 2, Which::Left, of(|p| p.block)),
            line("γ", 3, Which::Right, of(|p| p.gamma)),
        ],
        left: Span::FromZero,
    };
    Some(chart.draw())
}

/// Communities in use over the epochs; nothing where they were not counted.
pub(super) fn active(report: &ClusterReport<'_>) -> Option<Chart> {
    let points = thinned(report.history);
    points.iter().find(|p| p.active.is_some())?;
    let values = points
        .iter()
        .map(|p| p.active.map_or(f64::NAN, |n| n as f64));
    let chart = LineChart {
        alt: format!("Communities in use over {} epochs.", report.history.len()),
        x_name: "epoch".to_owned(),
        left_name: "communities".to_owned(),
        right_name: String::new(),
        x: points.iter().map(|p| p.epoch as f64).collect(),
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
        let point = |epoch| HistoryPoint {
            epoch,
            rec: 1.0,
            kl: 1.0,
            block: 1.0,
            gamma: 1.0,
            active: None,
        };
        let history: Vec<HistoryPoint> = (1..=12_345).map(point).collect();
        let thin = thinned(&history);
        assert_eq!(thin.len(), MOST);
        assert_eq!((thin[0].epoch, thin[MOST - 1].epoch), (1, 12_345));
        assert!(thin.windows(2).all(|w| w[0].epoch < w[1].epoch));
        assert_eq!(thinned(&history[..10]).len(), 10);
    }
}
