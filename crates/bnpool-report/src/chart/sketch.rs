//! Drawings of small graphs with individual colours, sizes and texts of nodes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::canvas::{Canvas, Chart, Hover, tenth, tenths};
use super::colour::Rgb;
use super::legend;
use crate::escape::markup;
use crate::number::decimal;

/// Nodes of one colour.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SketchGroup {
    /// Name in the legend.
    pub name: String,
    /// Their colour.
    pub colour: Rgb,
}

/// A drawn node.
#[derive(Debug, Clone)]
pub struct SketchNode {
    /// Position on the canvas.
    pub place: [f64; 2],
    /// Its radius.
    pub radius: f64,
    /// Group, which determines its colour.
    pub group: usize,
    /// A few characters inside the node, if it is large enough.
    pub label: String,
    /// Hover text, line by line.
    pub texts: Vec<String>,
}

/// A drawing of a small graph: nodes have individual colours, sizes and texts,
/// and edges have widths.
#[derive(Debug, Clone)]
pub struct Sketch {
    /// Text description.
    pub alt: String,
    /// Width and height of the drawing.
    pub size: [f64; 2],
    /// The nodes.
    pub nodes: Vec<SketchNode>,
    /// Pairs of nodes, each once, with the widths of their lines.
    pub edges: Vec<(u32, u32, f64)>,
    /// The groups. A picture lists them below the drawing, a page beside it.
    pub groups: Vec<SketchGroup>,
}

/// Smallest radius of a node with room for a label.
const ROOM: f64 = 8.0;

impl Sketch {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let [width, height] = self.size;
        let mut canvas = Canvas::new(width, height);
        self.draw_edges(&mut canvas);
        self.draw_nodes(&mut canvas);
        let groups = self.groups.iter();
        let groups = groups.map(|group| (&group.name, group.colour));
        legend::below(&mut canvas, self.size, groups);
        canvas.finish(self.alt.clone(), Some(self.hover()))
    }

    /// Draws lines of equal width as one path, which takes a tenth of the size
    /// of single lines.
    fn draw_edges(&self, canvas: &mut Canvas) {
        let mut paths = BTreeMap::<u32, String>::new();
        for &(u, v, width) in &self.edges {
            let ends = (self.nodes.get(u as usize), self.nodes.get(v as usize));
            let (Some(u), Some(v)) = ends else { continue };
            // NaN casts to 0.
            let class = (width * 5.0).round().clamp(0.0, 1000.0) as u32;
            let [a, b, c, d] = [u.place[0], u.place[1], v.place[0], v.place[1]].map(tenth);
            let path = paths.entry(class).or_default();
            // Writing to a string cannot fail.
            let _ = write!(path, "M{a} {b}L{c} {d}");
        }
        // Reduce the opacity if there are many overlapping lines.
        let opacity = (300.0 / self.edges.len().max(1) as f64).sqrt();
        let opacity = decimal(opacity.clamp(0.12, 0.6), 2);
        for (class, path) in &paths {
            let width = decimal(f64::from(*class) / 5.0, 1);
            canvas.element(format_args!(
                r#"<path class="edge" stroke-width="{width}" stroke-opacity="{opacity}" d="{path}"/>"#
            ));
        }
    }

    fn draw_nodes(&self, canvas: &mut Canvas) {
        let mut groups = vec![String::new(); self.groups.len()];
        for node in &self.nodes {
            let Some(group) = groups.get_mut(node.group) else {
                continue;
            };
            let ([x, y], radius) = (node.place.map(tenth), tenth(node.radius.max(0.0)));
            let _ = write!(group, r#"<circle cx="{x}" cy="{y}" r="{radius}"/>"#);
            if !node.label.is_empty() && node.radius >= ROOM {
                let y = tenth(node.place[1] + 4.3);
                let fill = readable_on(self.groups[node.group].colour);
                let _ = write!(
                    group,
                    r#"<text class="cell" x="{x}" y="{y}" text-anchor="middle" style="fill:{fill};stroke:none">{}</text>"#,
                    markup(&node.label)
                );
            }
        }
        // A rim separates large dots, but would cover small ones.
        let large = self.nodes.iter().any(|node| node.radius >= 4.0);
        let class = if large { "node" } else { "nodes" };
        for (group, circles) in groups.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            let colour = self.groups[group].colour;
            canvas.element(format_args!(
                r#"<g class="{class}" data-group="{group}" fill="{colour}">{circles}</g>"#
            ));
        }
    }

    fn hover(&self) -> Hover {
        let nodes = self.nodes.iter();
        Hover::Dots {
            x: nodes.clone().map(|n| tenths(n.place[0])).collect(),
            y: nodes.clone().map(|n| tenths(n.place[1])).collect(),
            r: nodes.clone().map(|n| tenths(n.radius)).collect(),
            texts: nodes.map(|n| n.texts.clone()).collect(),
        }
    }
}

fn readable_on(ground: Rgb) -> Rgb {
    let [dark, light] = [Rgb(0x10, 0x15, 0x1b), Rgb(0xff, 0xff, 0xff)];
    // White is more readable on a saturated colour than its contrast suggests.
    if ground.contrast(dark) > 2.0 * ground.contrast(light) {
        dark
    } else {
        light
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: f64, group: usize, radius: f64) -> SketchNode {
        SketchNode {
            place: [x, 5.0],
            radius,
            group,
            label: "<7>".to_owned(),
            texts: vec!["node".to_owned()],
        }
    }

    #[test]
    fn nodes_edges_and_labels_are_drawn_and_strays_are_not() {
        let sketch = Sketch {
            alt: String::new(),
            size: [100.0, 100.0],
            nodes: vec![node(1.0, 0, 3.0), node(2.0, 0, 9.0), node(3.0, 7, 9.0)],
            edges: vec![(0, 1, 1.0), (1, 2, f64::NAN), (1, 99, 1.0)],
            groups: vec![SketchGroup {
                name: "a".to_owned(),
                colour: Rgb(9, 9, 9),
            }],
        };
        let page = sketch.draw().inline("sketch");
        assert_eq!(page.matches("<circle").count(), 2);
        assert_eq!(page.matches("&lt;7&gt;").count(), 1);
        assert_eq!(page.matches("<path").count(), 2);
        // The legend of the picture adds one dot.
        assert_eq!(sketch.draw().picture().matches("<circle").count(), 3);
    }
}
