//! Histograms of the number of clusters.

use super::Drawing;
use crate::chart::{BarChart, categorical};
use crate::number::{counted, percent};

/// Histogram from pairs of a number of non-empty clusters and the number of graphs
/// with it, in ascending order.
#[must_use]
pub fn histogram(name: &str, title: &str, counts: &[(usize, usize)]) -> Drawing {
    let graphs: usize = counts.iter().map(|c| c.1).sum();
    let ends = [counts.first(), counts.last()].map(|c| c.map_or(0, |c| c.0));
    let of = |clusters: usize| {
        let found = counts.iter().find(|c| c.0 == clusters);
        found.map_or(0, |c| c.1)
    };
    let range = ends[0]..=ends[1];
    let share = |n: usize| n as f64 / graphs.max(1) as f64;
    let caption = format!(
        "{} with {} to {} non-empty clusters.",
        counted(graphs, "test graph", "test graphs"),
        ends[0],
        ends[1]
    );
    Drawing {
        name: name.to_owned(),
        heading: title.to_owned(),
        chart: BarChart {
            alt: format!("{title}: {caption}"),
            x_name: "non-empty clusters".to_owned(),
            y_name: "test graphs".to_owned(),
            bars: range
                .clone()
                .map(|c| (c.to_string(), of(c) as f64))
                .collect(),
            texts: range
                .map(|c| {
                    let clusters = counted(c, "cluster", "clusters");
                    format!("{clusters}: {} ({})", of(c), percent(share(of(c))))
                })
                .collect(),
            band: None,
            colour: categorical(0),
        }
        .draw(),
        caption,
    }
}
