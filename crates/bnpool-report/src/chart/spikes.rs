//! Spike charts: a discrete distribution and a density.

use std::fmt::Write as _;

use super::axis::{Axis, Position, horizontal, vertical};
use super::canvas::{Canvas, Chart, Plot};
use super::colour::Rgb;
use crate::number::coordinate;

const WIDTH: f64 = 560.0;
const PLOT: Plot = Plot {
    x: 74.0,
    y: 24.0,
    w: 464.0,
    h: 240.0,
};

/// Draws spikes at given positions and heights, and a curve with a separate scale.
/// Spikes lower than half a unit of the drawing are omitted.
#[must_use]
pub fn spikes(
    alt: &str,
    x_name: &str,
    y_name: &str,
    spikes: &[(f64, f64)],
    curve: &[(f64, f64)],
    colour: Rgb,
) -> Chart {
    let mut canvas = Canvas::new(WIDTH, PLOT.y + PLOT.h + 50.0);
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
            [low.min(x), high.max(x)]
        })
    };
    let [low, high] = ends(&mut spikes.iter().chain(curve).map(|p| p.0));
    let highest = ends(&mut spikes.iter().map(|p| p.1))[1];
    let x_axis = Axis::exact(low, high, 7);
    let y_axis = Axis::round(0.0, if highest > 0.0 { highest } else { 1.0 }, 5);
    vertical(&mut canvas, PLOT, &y_axis, Position::Left);
    horizontal(&mut canvas, PLOT, &x_axis, x_name);
    canvas.upright("name", [16.0, PLOT.y + PLOT.h / 2.0], y_name);
    let floor = PLOT.y + PLOT.h;
    let mut path = String::new();
    for &(x, height) in spikes {
        let (Some(x), Some(share)) = (x_axis.share(x), y_axis.share(height)) else {
            continue;
        };
        if share * PLOT.h < 0.5 {
            continue;
        }
        let x = coordinate(PLOT.x + PLOT.w * x);
        // Writing to a string cannot fail.
        let _ = write!(
            path,
            "M{x} {}V{}",
            coordinate(floor),
            coordinate(floor - share * PLOT.h)
        );
    }
    canvas.element(format_args!(
        r##"<path fill="none" stroke="#8a9099" stroke-width="1" d="{path}"/>"##
    ));
    let tallest = ends(&mut curve.iter().map(|p| p.1))[1];
    let mut path = String::new();
    for &(x, density) in curve {
        let Some(x) = x_axis.share(x) else { continue };
        let y = floor - 0.9 * PLOT.h * density / tallest.max(f64::MIN_POSITIVE);
        let letter = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(
            path,
            "{letter}{} {}",
            coordinate(PLOT.x + PLOT.w * x),
            coordinate(y)
        );
    }
    canvas.element(format_args!(
        r#"<path fill="none" stroke="{colour}" stroke-width="2" d="{path}"/>"#
    ));
    canvas.finish(alt, None)
}
