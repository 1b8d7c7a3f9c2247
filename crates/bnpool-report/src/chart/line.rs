//! Line charts.

use super::axis::{Axis, Position, horizontal, path, place, vertical};
use super::canvas::{Canvas, Chart, Hover, Plot};
use super::colour::Rgb;
use super::legend::{self, Entry, Sample};
use crate::number::coordinate;

/// Vertical axis of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    /// The left axis, which all charts have.
    Left,
    /// The optional right axis, for a different unit; its lines are dashed.
    Right,
}

impl Which {
    fn of(self, [left, right]: [&Axis; 2]) -> &Axis {
        match self {
            Self::Left => left,
            Self::Right => right,
        }
    }
}

/// One line.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: Rgb,
    /// Its axis.
    pub axis: Which,
    /// One value per coordinate; non-finite values leave a gap.
    pub values: Vec<f64>,
    /// Index of a coordinate marked by a dot.
    pub mark: Option<usize>,
}

impl Series {
    /// A line of the left axis without a mark.
    #[must_use]
    pub fn new(name: &str, colour: Rgb, values: Vec<f64>) -> Self {
        Self {
            name: name.to_owned(),
            colour,
            axis: Which::Left,
            values,
            mark: None,
        }
    }
}

/// Range of the left axis of a line chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// From 0 to the largest value; logarithmic if values of one sign span
    /// powers of ten.
    FromZero,
    /// From 0, with ticks only at integers.
    Whole,
    /// From the smallest to the largest value, for values far from 0.
    Close,
}

/// Lines over a common horizontal axis, with one or two vertical axes.
#[derive(Debug, Clone)]
pub struct LineChart {
    /// Text description.
    pub alt: String,
    /// Name of the horizontal axis.
    pub x_name: String,
    /// Name of the left axis.
    pub left_name: String,
    /// Name of the right axis.
    pub right_name: String,
    /// Horizontal coordinates, in ascending order.
    pub x: Vec<f64>,
    /// The lines.
    pub series: Vec<Series>,
    /// Range of the left axis.
    pub left: Span,
}

const WIDTH: f64 = 560.0;
const PLOT_HEIGHT: f64 = 250.0;

impl LineChart {
    /// Finite values of an axis.
    fn finite(&self, which: Which) -> impl Iterator<Item = f64> + Clone + '_ {
        let of = move |series: &&Series| series.axis == which;
        let values = self.series.iter().filter(of).flat_map(|s| s.values.iter());
        values.copied().filter(|value| value.is_finite())
    }

    /// Logarithmic if values of one sign span more than two powers of ten:
    /// small losses would otherwise be indistinguishable from zero.
    fn left_axis(&self) -> Axis {
        let values = self.finite(Which::Left);
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
        if low > high {
            return Axis::round(0.0, 1.0, 5);
        }
        match self.left {
            Span::FromZero => {}
            Span::Whole => return Axis::whole(0.0, high.max(1.0) * 1.08, 6),
            Span::Close => return Axis::round(low, high, 5),
        }
        let positive = values.filter(|&v| v > 0.0).fold(f64::INFINITY, f64::min);
        if low >= 0.0 && positive.is_finite() && high / positive > 30.0 {
            // A loss that starts near zero would stretch the axis without
            // bound.
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
        let left = self.left_axis();
        let x = left.margin(66.0);
        let plot = Plot {
            x,
            y: top,
            w: WIDTH - x - if right { 58.0 } else { 22.0 },
            h: PLOT_HEIGHT,
        };
        let mut canvas = Canvas::new(WIDTH, top + PLOT_HEIGHT + 50.0);
        legend::draw(&mut canvas, &entries, [plot.x, 10.0], WIDTH - 70.0);
        let range = [
            self.x.first().copied().unwrap_or(0.0),
            self.x.last().copied().unwrap_or(1.0),
        ];
        let x_axis = Axis::exact(range[0], range[1], 6);
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
        let axes = [&left, &right_axis];
        self.draw_lines(&mut canvas, plot, &x_axis, axes);
        self.draw_marks(&mut canvas, plot, &x_axis, axes);
        canvas.finish(
            self.alt.clone(),
            Some(self.hover(plot, [x_axis.low, x_axis.high])),
        )
    }

    fn draw_lines(&self, canvas: &mut Canvas, plot: Plot, x_axis: &Axis, axes: [&Axis; 2]) {
        // Many lines are drawn thinner, so that crossings are visible.
        let class = match self.series.len() {
            0..=4 => "curve",
            _ => "curve many",
        };
        for series in &self.series {
            let dash = match series.axis {
                Which::Left => "",
                Which::Right => r#" stroke-dasharray="6 4""#,
            };
            let path = path(&self.x, &series.values, x_axis, series.axis.of(axes), plot);
            let colour = series.colour;
            canvas.element(format_args!(
                r#"<path class="{class}" stroke="{colour}"{dash} d="{path}"/>"#
            ));
        }
    }

    /// Draws the dots above all lines.
    fn draw_marks(&self, canvas: &mut Canvas, plot: Plot, x_axis: &Axis, axes: [&Axis; 2]) {
        for series in &self.series {
            let marked = series.mark.and_then(|i| {
                let (&x, &y) = (self.x.get(i)?, series.values.get(i)?);
                place(x, y, x_axis, series.axis.of(axes), plot)
            });
            if let Some([x, y]) = marked {
                let ([x, y], colour) = ([x, y].map(coordinate), series.colour);
                canvas.element(format_args!(
                    r#"<circle class="node" cx="{x}" cy="{y}" r="4.5" fill="{colour}"/>"#
                ));
            }
        }
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

/// Rounds to four digits, which reduces the size of the page.
pub(super) fn four_digits(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

fn left_name(chart: &LineChart, axis: &Axis) -> String {
    if axis.logarithmic {
        format!("{} (logarithmic)", chart.left_name)
    } else {
        chart.left_name.clone()
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
                mark: Some(0),
            }],
            left: Span::FromZero,
        }
    }

    #[test]
    fn wide_spans_are_logarithmic() {
        assert!(chart(vec![0.0, 1e-3, 10.0]).left_axis().logarithmic);
        assert!(!chart(vec![0.0, 1.0, 10.0]).left_axis().logarithmic);
        assert!(!chart(vec![-1.0, 1e-3, 10.0]).left_axis().logarithmic);
    }

    #[test]
    fn the_left_axis_spans_what_it_should() {
        let of = |left| {
            let chart = LineChart {
                left,
                ..chart(vec![0.8, 0.9])
            };
            let axis = chart.left_axis();
            (axis.low, axis.high)
        };
        assert_eq!(of(Span::FromZero).0, 0.0);
        assert!((of(Span::Close).0 - 0.8).abs() < 1e-9);
        assert!(of(Span::Whole).1 > 1.0);
    }

    #[test]
    fn a_mark_is_drawn_where_there_is_a_value() {
        let marks = |values| chart(values).draw().picture().matches("<circle").count();
        assert_eq!(marks(vec![1.0, 2.0]), 1);
        assert_eq!(marks(vec![f64::NAN, 2.0]), 0);
    }

    #[test]
    fn nothing_to_draw_is_still_a_chart() {
        for values in [vec![], vec![f64::NAN], vec![1.0]] {
            assert!(chart(values).draw().picture().ends_with("</svg>"));
        }
    }
}
