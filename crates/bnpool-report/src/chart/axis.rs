//! Axes and their ticks.

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Plot, text_width};
use crate::number::{coordinate, decimal, significant};

/// A numeric axis: maps values to fractions of its length.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) logarithmic: bool,
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A linear axis with the given ends.
    pub(crate) fn exact(low: f64, high: f64, most: usize) -> Self {
        Self::stepped(low, high, most, 0.0)
    }

    /// A linear axis of integers, with ticks only at integers.
    pub(crate) fn whole(low: f64, high: f64, most: usize) -> Self {
        Self::stepped(low, high, most, 1.0)
    }

    /// Like [`Axis::exact`], with steps of at least `least`.
    fn stepped(low: f64, high: f64, most: usize, least: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = nice_step((high - low) / most.max(1) as f64).max(least);
        Self {
            low,
            high,
            logarithmic: false,
            ticks: linear_ticks(low, high, step),
        }
    }

    /// A linear axis with ends rounded to ticks.
    pub(crate) fn round(low: f64, high: f64, most: usize) -> Self {
        let high = if high > low {
            high
        } else {
            low + low.abs().max(1.0) * 0.1
        };
        let step = nice_step((high - low) / most.max(1) as f64);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Self {
            low,
            high,
            logarithmic: false,
            ticks: linear_ticks(low, high, step),
        }
    }

    /// A logarithmic axis; both ends must be positive.
    pub(crate) fn logarithmic(low: f64, high: f64) -> Self {
        let (low, high) = (low.log10(), high.max(low * 1.01).log10());
        let (first, last) = (low.floor(), high.ceil());
        let mut ticks = Vec::new();
        // Every power of ten, or every second, third … if there are many.
        let stride = ((last - first) / 6.0).ceil().max(1.0) as i32;
        for power in (first as i32..=last as i32).step_by(stride as usize) {
            let value = 10_f64.powi(power);
            if (low - 1e-9..=high + 1e-9).contains(&f64::from(power)) {
                ticks.push((value, power_text(power)));
            }
            if last - first <= 2.0 {
                for factor in [2.0, 5.0] {
                    let value = factor * value;
                    if (low..=high).contains(&value.log10()) {
                        ticks.push((value, significant(value, 1)));
                    }
                }
            }
        }
        Self {
            low,
            high,
            logarithmic: true,
            ticks,
        }
    }

    /// Margin for ticks and name to the left of a plot: `usual`, or more if the
    /// longest tick needs it.
    pub(crate) fn margin(&self, usual: f64) -> f64 {
        let widths = self.ticks.iter().map(|(_, text)| text_width(text));
        usual.max(30.0 + widths.fold(0.0, f64::max))
    }

    /// Fraction of the axis at a value; `None` if the value is not on the axis.
    pub(crate) fn share(&self, value: f64) -> Option<f64> {
        let value = if !self.logarithmic {
            value
        } else if value > 0.0 {
            value.log10()
        } else {
            return None;
        };
        let share = (value - self.low) / (self.high - self.low);
        share.is_finite().then_some(share)
    }
}

/// Formats a power of ten briefly: `1e−4` rather than `0.0001`.
fn power_text(power: i32) -> String {
    match power {
        -2..=5 => significant(10_f64.powi(power), 1),
        _ => format!("1e{power}").replace('-', "−"),
    }
}

/// Formats a number with an exponent, without redundant digits: `2e−4`.
fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = if digits.contains('.') {
        digits.trim_end_matches('0').trim_end_matches('.')
    } else {
        digits
    };
    format!("{digits}e{power}").replace('-', "−")
}

/// The next of 1, 2, 5, 10 … times a power of ten.
fn nice_step(least: f64) -> f64 {
    // Smaller powers of ten are inexact or zero.
    if !(least.is_finite() && least > 1e-290) {
        return 1.0;
    }
    let power = 10_f64.powi(least.log10().floor() as i32);
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

fn linear_ticks(low: f64, high: f64, step: f64) -> Vec<(f64, String)> {
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let (first, last) = (
        (low / step - 1e-9).ceil() as i64,
        (high / step + 1e-9).floor() as i64,
    );
    // A step is never less than a few hundredths of the range.
    (first..=last.min(first.saturating_add(100)))
        .map(|i| {
            let value = i as f64 * step;
            let text = if value.abs() >= 1e6 || (step < 1e-3 && value != 0.0) {
                scientific(value)
            } else {
                decimal(value, decimals).replace('-', "−")
            };
            (value, text)
        })
        .collect()
}

/// Side of the plot of a vertical axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Position {
    Left,
    Right,
}

/// Draws grid lines and ticks of a vertical axis (no grid for the right one).
pub(crate) fn vertical(canvas: &mut Canvas, plot: Plot, axis: &Axis, position: Position) {
    for (value, text) in &axis.ticks {
        let Some(share) = axis.share(*value) else {
            continue;
        };
        let y = plot.y + plot.h * (1.0 - share);
        match position {
            Position::Left => {
                canvas.line("grid", [plot.x, y], [plot.x + plot.w, y]);
                canvas.text("tick", [plot.x - 8.0, y + 4.5], Anchor::End, text);
            }
            Position::Right => {
                let x = plot.x + plot.w;
                canvas.line("axis", [x, y], [x + 4.0, y]);
                canvas.text("tick", [x + 8.0, y + 4.5], Anchor::Start, text);
            }
        }
    }
}

/// Draws the base line, ticks and name of a horizontal axis.
pub(crate) fn horizontal(canvas: &mut Canvas, plot: Plot, axis: &Axis, name: &str) {
    let y = plot.y + plot.h;
    canvas.line("axis", [plot.x, y], [plot.x + plot.w, y]);
    for (value, text) in &axis.ticks {
        let Some(share) = axis.share(*value) else {
            continue;
        };
        let x = plot.x + plot.w * share;
        canvas.line("axis", [x, y], [x, y + 4.0]);
        canvas.text("tick", [x, y + 19.0], Anchor::Middle, text);
    }
    let middle = plot.x + plot.w / 2.0;
    canvas.text("name", [middle, y + 40.0], Anchor::Middle, name);
}

/// Position of a point; values beyond an axis are at its end.
pub(crate) fn place(x: f64, y: f64, x_axis: &Axis, y_axis: &Axis, plot: Plot) -> Option<[f64; 2]> {
    let (x, y) = x_axis.share(x).zip(y_axis.share(y))?;
    let [x, y] = [x, 1.0 - y].map(|share| share.clamp(0.0, 1.0));
    Some([plot.x + plot.w * x, plot.y + plot.h * y])
}

/// The line through all values that have a position, interrupted at the others.
pub(crate) fn path(x: &[f64], values: &[f64], x_axis: &Axis, y_axis: &Axis, plot: Plot) -> String {
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

    fn texts(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, text)| text.as_str()).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            texts(&Axis::round(0.0, 0.93, 5)),
            ["0", "0.2", "0.4", "0.6", "0.8", "1"]
        );
        assert_eq!(texts(&Axis::exact(1.0, 1500.0, 6)), ["500", "1000", "1500"]);
        assert_eq!(texts(&Axis::round(-3.1, 2.0, 4)), ["−4", "−2", "0", "2"]);
        assert_eq!(texts(&Axis::whole(0.0, 3.0, 8)), ["0", "1", "2", "3"]);
        let small = Axis::round(0.0, 0.0009, 2);
        assert_eq!(texts(&small), ["0", "5e−4", "1e−3"]);
    }

    #[test]
    fn powers_of_ten() {
        let axis = Axis::logarithmic(0.01, 100.0);
        assert_eq!(texts(&axis), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(axis.share(1.0), Some(0.5));
        assert_eq!(axis.share(0.0), None);
    }

    #[test]
    fn empty_ranges_still_make_an_axis() {
        for axis in [
            Axis::exact(2.0, 2.0, 5),
            Axis::round(0.0, 0.0, 5),
            Axis::logarithmic(1.0, 1.0),
            Axis::round(0.0, 1e-310, 5),
        ] {
            assert!(axis.high > axis.low);
            assert!(axis.ticks.len() < 20);
        }
    }

    #[test]
    fn numbers_beyond_all_bounds_do_no_harm() {
        for (low, high) in [(1.8e19, 1.8e19), (-1.7e308, 1.7e308), (1e300, 1e301)] {
            assert!(Axis::exact(low, high, 6).ticks.len() <= 101);
            assert!(Axis::round(low, high, 6).ticks.len() <= 101);
        }
    }

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
