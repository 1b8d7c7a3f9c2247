//! Positions of values in a plot, and lines through them.

use std::fmt::Write as _;

use super::axis::Axis;
use super::hover::Plot;
use crate::number::coordinate;

/// Position of a value; values below a logarithmic axis are at its lower end.
pub(super) fn place(x: f64, y: f64, x_axis: &Axis, y_axis: &Axis, plot: Plot) -> Option<[f64; 2]> {
    let (x, y) = x_axis.share(x).zip(y_axis.share(y))?;
    let y = plot.h * (1.0 - y.clamp(0.0, 1.0));
    Some([plot.x + plot.w * x, plot.y + y])
}

/// The line through all values that have a position, interrupted at the others.
pub(super) fn path(x: &[f64], values: &[f64], x_axis: &Axis, y_axis: &Axis, plot: Plot) -> String {
    let mut out = String::new();
    let mut down = false;
    for (&x, &y) in x.iter().zip(values) {
        let Some([x, y]) = place(x, y, x_axis, y_axis, plot) else {
            down = false;
            continue;
        };
        let command = if down { 'L' } else { 'M' };
        let _ = write!(out, "{command}{} {}", coordinate(x), coordinate(y));
        down = true;
    }
    if out.is_empty() {
        out.push_str("M0 0");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_lift_the_pen() {
        let x: Vec<f64> = (0..4).map(f64::from).collect();
        let axis = Axis::exact(0.0, 3.0, 4);
        let plot = Plot {
            x: 0.0,
            y: 0.0,
            w: 3.0,
            h: 3.0,
        };
        let path = path(&x, &[0.0, f64::NAN, 2.0, 3.0], &axis, &axis, plot);
        assert_eq!(path, "M0 3M2 1L3 0");
    }
}
