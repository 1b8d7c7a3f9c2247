//! Square charts of two quantities with a common range, with the diagonal.

use std::fmt::Write as _;

use super::axis::{Axis, Position, horizontal, path, place, vertical};
use super::canvas::{Canvas, Chart, Hover, Plot, tenth};
use super::colour::Rgb;
use super::legend::{self, Entry, Sample};
use super::line::four_digits;
use crate::number::{coordinate, decimal};

/// Points of one kind.
#[derive(Debug, Clone)]
pub struct PointSet {
    /// Name in the legend; sets without a name are omitted from it.
    pub name: String,
    /// Their colour.
    pub colour: Rgb,
    /// The points; non-finite ones are not drawn.
    pub points: Vec<[f64; 2]>,
    /// Whether the points are joined by a line instead of drawn as dots.
    pub joined: bool,
}

/// Points in a square whose axes have the same range, with the diagonal.
#[derive(Debug, Clone)]
pub struct SquareChart {
    /// Text description.
    pub alt: String,
    /// Name of the horizontal axis.
    pub x_name: String,
    /// Name of the vertical axis.
    pub y_name: String,
    /// Range of both axes; `None` fits it to the points.
    pub range: Option<[f64; 2]>,
    /// The points.
    pub sets: Vec<PointSet>,
}

const WIDTH: f64 = 400.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;

impl SquareChart {
    fn axis(&self) -> Axis {
        if let Some([low, high]) = self.range {
            return Axis::exact(low, high, 5);
        }
        let values = self.sets.iter().flat_map(|set| &set.points);
        let values = values.filter(|p| is_finite(p)).flatten().copied();
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        let rim = 0.03 * (high - low);
        if low <= high {
            Axis::exact(low - rim, high + rim, 5)
        } else {
            Axis::exact(0.0, 1.0, 5)
        }
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let named = self.sets.iter().filter(|set| !set.name.is_empty());
        let entries: Vec<Entry> = named.map(entry).collect();
        let axis = self.axis();
        let left = axis.margin(LEFT);
        let room = WIDTH - left;
        let top = 12.0 + legend::height(&entries, room);
        let plot = Plot {
            x: left,
            y: top + 4.0,
            w: room - RIGHT,
            h: room - RIGHT,
        };
        let mut canvas = Canvas::new(WIDTH, plot.y + plot.h + 50.0);
        legend::draw(&mut canvas, &entries, [left, 4.0], room);
        vertical(&mut canvas, plot, &axis, Position::Left);
        horizontal(&mut canvas, plot, &axis, &self.x_name);
        canvas.upright("name", [14.0, plot.y + plot.h / 2.0], &self.y_name);
        let [left, right, foot, head] =
            [plot.x, plot.x + plot.w, plot.y + plot.h, plot.y].map(coordinate);
        canvas.element(format_args!(
            r#"<path class="axis" stroke-dasharray="5 4" d="M{left} {foot}L{right} {head}"/>"#
        ));
        let many = if self.sets.len() > 4 { " many" } else { "" };
        for set in self.sets.iter().filter(|set| !set.points.is_empty()) {
            let element = if set.joined {
                let [x, y]: [Vec<f64>; 2] =
                    [0, 1].map(|axis| set.points.iter().map(|p| p[axis]).collect());
                let path = path(&x, &y, &axis, &axis, plot);
                let colour = set.colour;
                format!(r#"<path class="curve{many}" stroke="{colour}" d="{path}"/>"#)
            } else {
                dots(set, &axis, plot)
            };
            canvas.element(format_args!("{element}"));
        }
        let hover = self.hover(plot, [axis.low, axis.high]);
        canvas.finish(self.alt.clone(), Some(hover))
    }

    fn hover(&self, plot: Plot, range: [f64; 2]) -> Hover {
        let set = |set: &PointSet| {
            let points = set.points.iter().filter(|p| is_finite(p));
            let points = points.map(|p| p.map(four_digits)).collect();
            (set.name.clone(), points)
        };
        Hover::Points {
            plot,
            names: [self.x_name.clone(), self.y_name.clone()],
            range,
            sets: self.sets.iter().map(set).collect(),
        }
    }
}

fn is_finite(point: &[f64; 2]) -> bool {
    point.iter().all(|x| x.is_finite())
}

fn entry(set: &PointSet) -> Entry {
    Entry {
        name: set.name.clone(),
        colour: set.colour,
        sample: if set.joined {
            Sample::Line
        } else {
            Sample::Dot
        },
    }
}

/// Draws dots, smaller and more transparent if there are many, so that density
/// is visible.
fn dots(set: &PointSet, axis: &Axis, plot: Plot) -> String {
    let places = set.points.iter();
    let places: Vec<[f64; 2]> = places
        .filter_map(|&[x, y]| place(x, y, axis, axis, plot))
        .collect();
    let colour = set.colour;
    let crowd = (places.len().max(1) as f64).sqrt();
    let radius = decimal((60.0 / crowd).clamp(1.8, 4.0), 1);
    let opacity = decimal((14.0 / crowd).clamp(0.25, 0.75), 2);
    let mut out = format!(r#"<g fill="{colour}" fill-opacity="{opacity}">"#);
    for place in places {
        let [x, y] = place.map(tenth);
        let _ = write!(out, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#);
    }
    out + "</g>"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<[f64; 2]>, joined: bool) -> SquareChart {
        SquareChart {
            alt: String::new(),
            x_name: "true".to_owned(),
            y_name: "predicted".to_owned(),
            range: None,
            sets: vec![PointSet {
                name: "<b>".to_owned(),
                colour: Rgb(0, 0, 0),
                points,
                joined,
            }],
        }
    }

    #[test]
    fn both_axes_have_the_same_range() {
        let axis = chart(vec![[-1.0, 4.0], [2.0, 9.5]], false).axis();
        assert!(axis.low <= -1.0 && axis.high >= 9.5);
    }

    #[test]
    fn odd_points_are_left_out() {
        let points = vec![[0.0, 1.0], [f64::NAN, 1.0], [1.0, f64::INFINITY]];
        let drawn = chart(points, false).draw().picture();
        // One in the legend and one in the plot.
        assert_eq!(drawn.matches("<circle").count(), 2);
        assert!(!drawn.contains("<b>"));
    }

    #[test]
    fn nothing_is_drawn_too() {
        for joined in [true, false] {
            let drawn = chart(Vec::new(), joined).draw().picture();
            assert!(drawn.ends_with("</svg>"));
        }
    }
}
