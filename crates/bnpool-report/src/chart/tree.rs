//! Tree charts (dendrograms).

use super::axis::{Axis, horizontal};
use super::canvas::{Anchor, Canvas, Chart, Hover, Plot, tenths, text_width};
use super::colour::Rgb;
use crate::number::coordinate;

/// A leaf of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeLeaf {
    /// Its name.
    pub name: String,
    /// Text after the name, such as a size.
    pub remark: String,
    /// Colour of the dot and the branch.
    pub colour: Rgb,
}

/// A join of two branches.
#[derive(Debug, Clone, PartialEq)]
pub struct TreeJoin {
    /// The branches: leaves by index, followed by joins.
    pub branches: [usize; 2],
    /// Height of the join; at least that of the joins below.
    pub height: f64,
    /// Hover text, line by line.
    pub text: Vec<String>,
}

/// A tree that grows from its leaves on the left to its root on the right.
#[derive(Debug, Clone)]
pub struct TreeChart {
    /// Text description.
    pub alt: String,
    /// Name of the axis of heights.
    pub x_name: String,
    /// The leaves from top to bottom; branches do not cross if all joins are
    /// between neighbours.
    pub leaves: Vec<TreeLeaf>,
    /// The joins, each after those of its branches.
    pub joins: Vec<TreeJoin>,
    /// Heights marked by lines, with names.
    pub cuts: Vec<(f64, String)>,
}

const WIDTH: f64 = 860.0;
const ROW: f64 = 21.0;
const TOP: f64 = 34.0;
const RIGHT: f64 = 24.0;
/// Gap between a name, its remark and the branches.
const GAP: f64 = 9.0;
/// Gap between the dots of the leaves and height zero.
const STUB: f64 = 16.0;

/// The end of a branch that is not joined yet.
#[derive(Clone, Copy)]
struct End {
    x: f64,
    y: f64,
    colour: Option<Rgb>,
}

impl TreeChart {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let widest = |text: fn(&TreeLeaf) -> &str| {
            let widths = self.leaves.iter().map(|leaf| text_width(text(leaf)));
            widths.fold(0.0, f64::max)
        };
        let names = 12.0 + widest(|leaf| &leaf.name);
        let left = names + GAP + widest(|leaf| &leaf.remark) + 2.0 * GAP + STUB;
        let plot = Plot {
            x: left,
            y: TOP,
            w: WIDTH - left - RIGHT,
            h: ROW * self.leaves.len().max(1) as f64,
        };
        let mut canvas = Canvas::new(WIDTH, plot.y + plot.h + 56.0);
        let highest = self.joins.iter().map(|join| join.height);
        let highest = highest.filter(|h| h.is_finite()).fold(0.0, f64::max);
        let axis = Axis::round(0.0, if highest > 0.0 { highest } else { 1.0 }, 6);
        self.cuts(&mut canvas, plot, &axis);
        let mut ends = Vec::with_capacity(self.leaves.len() + self.joins.len());
        for (i, leaf) in self.leaves.iter().enumerate() {
            let y = plot.y + (i as f64 + 0.5) * ROW;
            canvas.text("", [names, y + 4.5], Anchor::End, &leaf.name);
            let remark = [names + GAP, y + 4.5];
            canvas.text("tick", remark, Anchor::Start, &leaf.remark);
            ends.push(End {
                x: plot.x - STUB,
                y,
                colour: Some(leaf.colour),
            });
        }
        let hover = self.joins(&mut canvas, plot, &axis, &mut ends);
        for (i, leaf) in self.leaves.iter().enumerate() {
            let [x, y] = [plot.x - STUB, ends[i].y].map(coordinate);
            canvas.element(format_args!(
                r#"<circle class="node" cx="{x}" cy="{y}" r="5" fill="{}"/>"#,
                leaf.colour
            ));
        }
        horizontal(&mut canvas, plot, &axis, &self.x_name);
        canvas.finish(self.alt.clone(), Some(hover))
    }

    /// Draws the branches and returns the hover data of their joins.
    fn joins(&self, canvas: &mut Canvas, plot: Plot, axis: &Axis, ends: &mut Vec<End>) -> Hover {
        let (mut xs, mut ys, mut texts) = (Vec::new(), Vec::new(), Vec::new());
        let mut dots = Vec::new();
        for join in &self.joins {
            let x = plot.x + plot.w * axis.share(join.height).unwrap_or(0.0).clamp(0.0, 1.0);
            let both = join.branches.map(|branch| ends[branch]);
            for end in both {
                branch(canvas, end, x);
            }
            canvas.line("axis", [x, both[0].y], [x, both[1].y]);
            let y = (both[0].y + both[1].y) / 2.0;
            ends.push(End { x, y, colour: None });
            dots.push([x, y]);
            xs.push(tenths(x));
            ys.push(tenths(y));
            texts.push(join.text.clone());
        }
        for [x, y] in dots.iter().map(|dot| dot.map(coordinate)) {
            canvas.element(format_args!(
                r#"<circle class="tip" cx="{x}" cy="{y}" r="2.6"/>"#
            ));
        }
        Hover::Dots {
            r: vec![60; xs.len()],
            x: xs,
            y: ys,
            texts,
        }
    }

    /// Marks heights, from right to left, as long as their names fit.
    fn cuts(&self, canvas: &mut Canvas, plot: Plot, axis: &Axis) {
        let mut cuts: Vec<(f64, &str)> = self
            .cuts
            .iter()
            .filter_map(|(height, name)| {
                let share = axis.share(*height)?;
                let inside = (0.0..=1.0).contains(&share);
                inside.then_some((plot.x + plot.w * share, name.as_str()))
            })
            .collect();
        cuts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut free = WIDTH;
        for (x, name) in cuts {
            let half = text_width(name) / 2.0;
            let middle = x.clamp(plot.x + half, (WIDTH - half).max(plot.x + half));
            if middle + half + 6.0 > free {
                continue;
            }
            free = middle - half;
            canvas.text("tick", [middle, plot.y - 14.0], Anchor::Middle, name);
            let [x, y1, y2] = [x, plot.y - 8.0, plot.y + plot.h].map(coordinate);
            canvas.element(format_args!(
                r#"<line class="split" stroke-dasharray="4 4" x1="{x}" y1="{y1}" x2="{x}" y2="{y2}"/>"#
            ));
        }
    }
}

/// The line of a branch from its end to a join.
fn branch(canvas: &mut Canvas, end: End, x: f64) {
    match end.colour {
        None => canvas.line("axis", [end.x, end.y], [x, end.y]),
        Some(colour) => {
            let [x1, x2, y] = [end.x, x, end.y].map(coordinate);
            canvas.element(format_args!(
                r#"<line class="curve" stroke="{colour}" x1="{x1}" y1="{y}" x2="{x2}" y2="{y}"/>"#
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(name: &str) -> TreeLeaf {
        TreeLeaf {
            name: name.to_owned(),
            remark: "10 nodes".to_owned(),
            colour: Rgb(1, 2, 3),
        }
    }

    fn join(branches: [usize; 2], height: f64) -> TreeJoin {
        TreeJoin {
            branches,
            height,
            text: vec!["both".to_owned()],
        }
    }

    fn chart(leaves: &[&str], joins: Vec<TreeJoin>) -> TreeChart {
        TreeChart {
            alt: "a tree".to_owned(),
            x_name: "nats".to_owned(),
            leaves: leaves.iter().map(|name| leaf(name)).collect(),
            joins,
            cuts: vec![(2.0, "two".to_owned()), (2.01, "close by".to_owned())],
        }
    }

    #[test]
    fn every_join_has_two_branches_and_words() {
        let joins = vec![join([0, 1], 1.0), join([3, 2], 4.0)];
        let drawn = chart(&["a", "b<"], Vec::new()).draw().picture();
        assert!(drawn.contains("b&lt;"));
        let drawn = chart(&["a", "b", "c"], joins).draw();
        let picture = drawn.picture();
        assert_eq!(picture.matches(r#"class="curve""#).count(), 3);
        assert_eq!(picture.matches(r#"class="tip""#).count(), 2);
        // Names of lines do not overlap.
        assert_eq!(picture.matches("stroke-dasharray").count(), 1);
        let Some(Hover::Dots { x, texts, .. }) = drawn.hover() else {
            panic!("words at the joins");
        };
        assert!(x[0] < x[1] && texts.len() == 2);
    }

    #[test]
    fn nothing_and_joins_without_height_are_drawn_too() {
        assert!(chart(&[], Vec::new()).draw().picture().ends_with("</svg>"));
        let flat = chart(&["a", "b"], vec![join([0, 1], 0.0)]).draw().picture();
        assert!(flat.ends_with("</svg>") && !flat.contains("NaN"));
    }
}
