//! ROC curves: true against false positives for all thresholds.

use super::RocCurve;
use super::epochs::MOST_FOLDS;
use super::score::Spread;
use crate::chart::{Chart, PointSet, SquareChart, categorical};
use crate::number::{evenly, significant};

/// Largest number of points of a curve: about one per pixel of the square.
const MOST: usize = 300;

/// Points at which a curve changes direction, at most [`MOST`]: test sets have
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
    evenly(kept.len(), MOST).map(|i| kept[i]).collect()
}

/// Mean area of all curves.
pub(super) fn area(curves: &[RocCurve]) -> Option<Spread> {
    Spread::of(curves.iter().map(|curve| curve.area))
}

/// Draws the curves; `None` if there are none.
pub(super) fn chart(curves: &[RocCurve]) -> Option<Chart> {
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
        assert_eq!(kept.len(), MOST);
        assert_eq!((kept[0], kept[MOST - 1]), ([0.0, 0.0], [1.0, 1.0]));
    }
}
