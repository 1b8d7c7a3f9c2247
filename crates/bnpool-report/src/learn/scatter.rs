//! Predicted against true values.

use super::LearnReport;
use crate::chart::{Chart, PointSet, SquareChart, categorical};
use crate::layout::thinned;
use crate::number::counted;

/// Largest number of graphs with a dot.
const MOST: usize = 5000;

/// A chart, and the number of graphs that it shows.
#[derive(Debug, Clone)]
pub(super) struct Scatter {
    pub(super) chart: Chart,
    /// Number of dots.
    pub(super) shown: usize,
    /// Number of graphs with finite values.
    pub(super) finite: usize,
}

/// Draws the chart; `None` if there are no values.
pub(super) fn draw(report: &LearnReport<'_>) -> Option<Scatter> {
    let values = report.values.iter().map(|&(truth, said)| [truth, said]);
    let finite: Vec<[f64; 2]> = values
        .filter(|pair| pair.iter().all(|value| value.is_finite()))
        .collect();
    if finite.is_empty() {
        return None;
    }
    // Evenly spaced along the graphs, so the picture is deterministic.
    let points = thinned(&finite, MOST);
    Some(Scatter {
        shown: points.len(),
        finite: finite.len(),
        chart: SquareChart {
            alt: format!(
                "Predicted against true values of {}: the closer to the diagonal, the better.",
                counted(points.len(), "graph", "graphs")
            ),
            x_name: "true value".to_owned(),
            y_name: "predicted value".to_owned(),
            range: None,
            sets: vec![PointSet {
                name: String::new(),
                colour: categorical(0),
                points,
                joined: false,
            }],
        }
        .draw(),
    })
}
