//! Lines over a common horizontal axis.

use std::fmt::Write as _;

use super::axis::{Axis, Position, horizontal, vertical};
use super::canvas::{Canvas, Chart};
use super::hover::{Hover, Plot};
use super::legend::{self, Entry, Sample};
use super::ramp::Rgb;
use crate::number::coordinate;

/// The vertical axis a series is read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The left one, which all charts have.
    Left,
    /// A second one, for another unit; its lines are dashed.
    Right,
}

/// One line.
#[derive(Debug, Clone)]
pub struct Series {
    /// What it shows.
    pub name: String,
    /// Its colour.
    pub colour: Rgb,
    /// Its axis.
    pub axis: Which,
    /// A value for each place; what is not finite leaves a gap.
    pub values: Vec<f64>,
}

/// Lines over a common horizontal axis, with one or two vertical axes.
#[derive(Debug, Clone)]
pub struct LineChart {
    /// What is to be seen, in words.
    pub alt: String,
    /// Name of the horizontal axis.
    pub x_name: String,
    /// Name of the left axis.
    pub left_name: String,
    /// Name of the right axis.
    pub right_name: String,
    /// Horizontal places, in rising order.
    pub x: Vec<f64>,
    /// The lines.
    pub series: Vec<Series>,
    /// Whether values on the left are whole numbers.
    pub whole: bool,
}

const WIDTH: f64 = 560.0;
const PLOT_HEIGHT: f64 = 250.0;

impl LineChart {
    /// The values of an axis that can be drawn.
    fn finite(&self, which: Which) -> impl Iterator<Item = f64> + Clone + '_ {
        let of = move |series: &&Series| series.axis == which;
        let values = self.series.iter().filter(of).flat_map(|s| s.values.iter());
        values.copied().filter(|value| value.is_finite())
    }

    /// Logarithmic where values of one sign span more than two powers of ten:
    /// the small losses would lie flat on the ground otherwise.
    fn left_axis(&self) -> Axis {
        let values = self.finite(Which::Left);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Axis::round(0.0, 1.0, 5);
        }
        if self.whole {
            return Axis::whole(0.0, high.max(1.0) * 1.08, 6);
        }
        let positive = values.filter(|&v| v > 0.0).fold(f64::INFINITY, f64::min);
        if low >= 0.0 && positive.is_finite() && high / positive > 30.0 {
            // A loss that starts at nothing would stretch the axis without end.
            return Axis::logarithmic(positive.max(high * 1e-4), high * 1.1);
        }
        Axis::round(low.min(0.0), high, 5)
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let entries: Vec<Entry> = self.series.iter().map(entry).collect();
        let right = self.finite(Which::Right).next().is_some();
        let top = 10.0 + legend::height(&entries, WIDTH - 70.0) + 8.0;
        let plot = Plot {
            x: 66.0,
            y: top,
            w: WIDTH - 66.0 - if right { 58.0 } else { 22.0 },
            h: PLOT_HEIGHT,
        };
        let mut canvas = Canvas::new(WIDTH, top + PLOT_HEIGHT + 50.0);
        legend::draw(&mut canvas, &entries, [plot.x, 10.0], WIDTH - 70.0);
        let range = [
            self.x.first().copied().unwrap_or(0.0),
            self.x.last().copied().unwrap_or(1.0),
        ];
        let x_axis = Axis::exact(range[0], range[1], 6);
        let left = self.left_axis();
        let high = self.finite(Which::Right).fold(0.0, f64::max);
        let right_axis = Axis::round(0.0, if high > 0.0 { high } else { 1.0 }, 5);
        vertical(&mut canvas, plot, &left, Position::Left);
        canvas.upright(
            "name",
            [16.0, plot.y + plot.h / 2.0],
            &left_name(self, &left),
        );
        if right {
            vertical(&mut canvas, plot, &right_axis, Position::Right);
            canvas.upright(
                "name",
                [WIDTH - 12.0, plot.y + plot.h / 2.0],
                &self.right_name,
            );
        }
        horizontal(&mut canvas, plot, &x_axis, &self.x_name);
        for series in &self.series {
            let (axis, dash) = match series.axis {
                Which::Left => (&left, ""),
                Which::Right => (&right_axis, r#" stroke-dasharray="6 4""#),
            };
            let path = path(&self.x, &series.values, &x_axis, axis, plot);
            let colour = series.colour;
            canvas.element(format_args!(
                r#"<path class="curve" stroke="{colour}"{dash} d="{path}"/>"#
            ));
        }
        canvas.finish(
            self.alt.clone(),
            Some(self.hover(plot, [x_axis.low, x_axis.high])),
        )
    }

    fn hover(&self, plot: Plot, range: [f64; 2]) -> Hover {
        let short = |value: f64| value.is_finite().then(|| four_digits(value));
        Hover::Lines {
            plot,
            name: self.x_name.clone(),
            range,
            x: self.x.clone(),
            series: self
                .series
                .iter()
                .map(|series| {
                    (
                        series.name.clone(),
                        series.colour.to_string(),
                        series.values.iter().map(|&v| short(v)).collect(),
                    )
                })
                .collect(),
        }
    }
}

/// Fewer digits make a smaller page.
fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn left_name(chart: &LineChart, axis: &Axis) -> String {
    match axis.logarithmic {
        true => format!("{} (logarithmic)", chart.left_name),
        false => chart.left_name.clone(),
    }
}

fn entry(series: &Series) -> Entry {
    Entry {
        name: series.name.clone(),
        colour: series.colour,
        sample: match series.axis {
            Which::Left => Sample::Line,
            Which::Right => Sample::Dashes,
        },
    }
}

/// The line through all values that have a place, lifted over the others.
fn path(x: &[f64], values: &[f64], x_axis: &Axis, y_axis: &Axis, plot: Plot) -> String {
    let mut out = String::new();
    let mut down = false;
    for (&x, &y) in x.iter().zip(values) {
        let place = x_axis.share(x).zip(y_axis.share(y));
        let Some((x, y)) = place else {
            down = false;
            continue;
        };
        // What falls below a logarithmic axis runs along its foot.
        let (x, y) = (
            plot.x + plot.w * x,
            plot.y + plot.h * (1.0 - y.clamp(0.0, 1.0)),
        );
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

    fn chart(values: Vec<f64>) -> LineChart {
        LineChart {
            alt: String::new(),
            x_name: "epoch".to_owned(),
            left_name: "loss".to_owned(),
            right_name: "γ".to_owned(),
            x: (0..values.len()).map(|i| i as f64).collect(),
            series: vec![Series {
                name: "a".to_owned(),
                colour: Rgb(0, 0, 0),
                axis: Which::Left,
                values,
            }],
            whole: false,
        }
    }

    #[test]
    fn wide_spans_are_logarithmic() {
        assert!(chart(vec![0.0, 1e-3, 10.0]).left_axis().logarithmic);
        assert!(!chart(vec![0.0, 1.0, 10.0]).left_axis().logarithmic);
        assert!(!chart(vec![-1.0, 1e-3, 10.0]).left_axis().logarithmic);
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

    #[test]
    fn nothing_to_draw_is_still_a_chart() {
        for values in [vec![], vec![f64::NAN], vec![1.0]] {
            assert!(chart(values).draw().picture().ends_with("</svg>"));
        }
    }
}
