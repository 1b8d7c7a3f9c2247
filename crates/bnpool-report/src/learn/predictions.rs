//! Charts of predictions: ROC curves, and predicted against true values.

use super::curves::MOST_FOLDS;
use super::score::Spread;
use super::{LearnReport, RocCurve};
use crate::chart::{Chart, PointSet, SquareChart, categorical};
use crate::layout::thinned;
use crate::number::{counted, evenly, significant};

/// Largest number of points of a curve: about one per pixel of the square.
const CORNERS: usize = 300;

/// Points at which a curve changes direction, at most [`CORNERS`]: test sets have
/// one point per graph, most of them on straight lines.
fn corners(points: &[(f64, f64)]) -> Vec<[f64; 2]> {
    let points = points.iter().map(|&(x, y)| [x, y]);
    let points = points.filter(|p| p.iter().all(|x| x.is_finite()));
    let mut kept: Vec<[f64; 2]> = Vec::new();
    for point in points {
        let straight = match kept.as_slice() {
            [.., a, b] => [0, 1]
                .iter()
                .any(|&axis| a[axis] == b[axis] && b[axis] == point[axis]),
            _ => false,
        };
        if straight {
            kept.pop();
        }
        kept.push(point);
    }
    evenly(kept.len(), CORNERS).map(|i| kept[i]).collect()
}

/// Mean area of all curves.
pub(super) fn area(curves: &[RocCurve]) -> Option<Spread> {
    Spread::of(curves.iter().map(|curve| curve.area))
}

/// Draws the curves; `None` if there are none.
pub(super) fn roc(curves: &[RocCurve]) -> Option<Chart> {
    if curves.iter().all(|curve| curve.points.is_empty()) {
        return None;
    }
    let set = |(i, curve): (usize, &RocCurve)| PointSet {
        name: format!("fold {}: AUC {}", curve.fold, significant(curve.area, 3)),
        colour: categorical(i),
        points: corners(&curve.points),
        joined: true,
    };
    let drawn = curves.iter().enumerate().take(MOST_FOLDS);
    let sets: Vec<PointSet> = drawn.map(set).collect();
    let mean = area(curves).map_or(f64::NAN, |spread| spread.mean);
    let chart = SquareChart {
        alt: format!(
            "ROC curves of {} folds, above the diagonal of guessing: mean area {}.",
            sets.len(),
            significant(mean, 3)
        ),
        x_name: "share of false positives".to_owned(),
        y_name: "share of true positives".to_owned(),
        range: Some([0.0, 1.0]),
        sets,
    };
    Some(chart.draw())
}

/// Largest number of graphs with a dot.
const DOTS: usize = 5000;

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
pub(super) fn scatter(report: &LearnReport<'_>) -> Option<Scatter> {
    let values = report.values.iter().map(|&(truth, said)| [truth, said]);
    let finite: Vec<[f64; 2]> = values
        .filter(|pair| pair.iter().all(|value| value.is_finite()))
        .collect();
    if finite.is_empty() {
        return None;
    }
    // Evenly spaced along the graphs, so the picture is deterministic.
    let points = thinned(&finite, DOTS);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn straight_runs_keep_their_ends() {
        let steps = [
            (0.0, 0.0),
            (0.0, 0.2),
            (0.0, 0.4),
            (0.5, 0.4),
            (f64::NAN, 0.4),
            (1.0, 0.4),
            (1.0, 1.0),
        ];
        let kept = corners(&steps);
        assert_eq!(kept, [[0.0, 0.0], [0.0, 0.4], [1.0, 0.4], [1.0, 1.0]]);
    }

    #[test]
    fn long_curves_keep_their_ends() {
        let stair = |i: u32| (f64::from(i / 2) / 999.0, f64::from(i.div_ceil(2)) / 999.0);
        let steps: Vec<(f64, f64)> = (0..1999).map(stair).collect();
        let kept = corners(&steps);
        assert_eq!(kept.len(), CORNERS);
        assert_eq!((kept[0], kept[CORNERS - 1]), ([0.0, 0.0], [1.0, 1.0]));
    }
}
