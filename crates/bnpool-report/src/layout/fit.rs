//! Fitting of positions into a frame.

use super::Point;

/// Scales and translates positions into a frame of this size, with a margin,
/// preserving angles. Non-finite positions are moved to the middle.
#[must_use]
pub fn fit(places: &[Point], size: [f64; 2], margin: f64) -> Vec<Point> {
    let [low, high] = corners(places);
    let room = size.map(|side| (side - 2.0 * margin).max(1.0));
    let extent = [0, 1].map(|axis| high[axis] - low[axis]);
    let scale = (room[0] / extent[0]).min(room[1] / extent[1]);
    let scale = if scale.is_finite() { scale } else { 0.0 };
    let into = |place: &Point| {
        [0, 1].map(|axis| {
            let offset = place[axis] - (low[axis] + high[axis]) / 2.0;
            let moved = size[axis] / 2.0 + scale * offset;
            if moved.is_finite() {
                moved
            } else {
                size[axis] / 2.0
            }
        })
    };
    places.iter().map(into).collect()
}

/// Smallest and largest coordinates of finite positions.
pub(super) fn corners(places: &[Point]) -> [Point; 2] {
    let finite = places.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let start = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
    finite.fold(start, |[low, high], place| {
        [
            [0, 1].map(|axis| low[axis].min(place[axis])),
            [0, 1].map(|axis| high[axis].max(place[axis])),
        ]
    })
}

/// Extent of positions in x and y; non-finite positions are ignored.
#[must_use]
pub fn extent(places: &[Point]) -> [f64; 2] {
    let [low, high] = corners(places);
    [high[0] - low[0], high[1] - low[1]]
}

/// Rotates positions so that they extend most horizontally, to suit screens.
#[must_use]
pub fn turn(places: &[Point]) -> Vec<Point> {
    let count = places.len().max(1) as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|p| p[axis]).sum::<f64>() / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for place in places {
        let d = [place[0] - mean[0], place[1] - mean[1]];
        xx += d[0] * d[0];
        xy += d[0] * d[1];
        yy += d[1] * d[1];
    }
    // The eigenvector of the larger eigenvalue of the covariance.
    let root = ((xx - yy) * (xx - yy) + 4.0 * xy * xy).sqrt();
    let axis = if xx >= yy {
        [xx - yy + root, 2.0 * xy]
    } else {
        [2.0 * xy, yy - xx + root]
    };
    let length = (axis[0] * axis[0] + axis[1] * axis[1]).sqrt();
    if !(length.is_finite() && length > 0.0) {
        return places.to_vec();
    }
    let [cos, sin] = [axis[0] / length, axis[1] / length];
    let turned = |p: &Point| {
        let d = [p[0] - mean[0], p[1] - mean[1]];
        [cos * d[0] + sin * d[1], cos * d[1] - sin * d[0]]
    };
    places.iter().map(turned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_lands_in_the_frame() {
        let places = [[-5.0, 0.0], [15.0, 3.0], [0.0, f64::NAN]];
        for place in fit(&places, [100.0, 50.0], 10.0) {
            assert!((10.0..=90.0).contains(&place[0]), "{place:?}");
            assert!((10.0..=40.0).contains(&place[1]), "{place:?}");
        }
        assert_eq!(fit(&[[3.0, 3.0]], [100.0, 50.0], 10.0), [[50.0, 25.0]]);
        assert!(fit(&[], [100.0, 50.0], 10.0).is_empty());
    }

    #[test]
    fn the_longest_way_becomes_horizontal() {
        let tall: Vec<Point> = (0..10)
            .map(|i| [0.1 * f64::from(i % 2), f64::from(i)])
            .collect();
        let turned = turn(&tall);
        let extent = |axis: usize| {
            let values = turned.iter().map(|p| p[axis]);
            values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
        };
        assert!(extent(0) > 8.9 && extent(1) < 0.2);
    }
}
