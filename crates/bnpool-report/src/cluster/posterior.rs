//! The posterior of the number of communities.

use super::ClusterReport;
use crate::chart::{Band, BarChart, Chart, categorical};
use crate::number::{count, percent};

/// Draws the chart; `None` without samples.
pub(super) fn chart(report: &ClusterReport<'_>) -> Option<Chart> {
    let draws = report.cluster_counts;
    let [low, high] = report.communities_interval;
    let (&least, &most) = (draws.iter().min()?, draws.iter().max()?);
    // Add a neighbour on either side to show where the bars end, and bound the
    // number of bars for extreme input.
    let first = least.min(low.max(1)).saturating_sub(1);
    let last = most.max(high).min(first + 10_000) + 1;
    let mut heights = vec![0_usize; last - first + 1];
    for &draw in draws {
        if let Some(height) = heights.get_mut(draw - first) {
            *height += 1;
        }
    }
    let share = |height: usize| height as f64 / draws.len() as f64;
    let text = |(i, &height): (usize, &usize)| {
        format!(
            "{} communities: {} of {} samples ({})",
            first + i,
            count(height),
            count(draws.len()),
            percent(share(height))
        )
    };
    let place = |number: usize| number.clamp(first, last) - first;
    let band = (low <= high).then(|| Band {
        first: place(low),
        last: place(high),
        name: if low == high {
            format!("90 % interval: {low}")
        } else {
            format!("90 % interval: {low} to {high}")
        },
    });
    let bars = heights.iter().enumerate();
    Some(
        BarChart {
            alt: format!(
                "Number of communities in {} samples of the posterior: at least 90 % lie between {low} and {high}.",
                draws.len()
            ),
            x_name: "number of communities".to_owned(),
            y_name: "share of samples (%)".to_owned(),
            texts: bars.clone().map(text).collect(),
            bars: bars
                .map(|(i, &height)| ((first + i).to_string(), 100.0 * share(height)))
                .collect(),
            band,
            colour: categorical(0),
        }
        .draw(),
    )
}
