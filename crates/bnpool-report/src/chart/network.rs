//! Node–link diagrams.

use std::fmt::Write as _;

use super::canvas::{Anchor, Canvas, Chart, Hover, tenth, tenths, text_element};
use super::colour::categorical;
use super::legend;
use crate::number::decimal;

/// A drawn node.
#[derive(Debug, Clone)]
pub struct NetworkNode {
    /// Position on the canvas.
    pub place: [f64; 2],
    /// Group, which determines its colour.
    pub group: usize,
    /// Confidence of its group, in [0, 1]: nodes with low confidence are pale.
    pub confidence: f64,
    /// Its name.
    pub name: String,
    /// Index of its class, if there are classes.
    pub class: Option<usize>,
}

/// A node–link diagram in the colours of the groups.
#[derive(Debug, Clone)]
pub struct Network {
    /// Text description.
    pub alt: String,
    /// Width and height of the drawing.
    pub size: [f64; 2],
    /// The nodes.
    pub nodes: Vec<NetworkNode>,
    /// Pairs of nodes, each once.
    pub edges: Vec<(u32, u32)>,
    /// Legend text of each group; only the first [`IN_LEGEND`](super::IN_LEGEND) are shown.
    pub groups: Vec<String>,
    /// Names of the classes.
    pub classes: Vec<String>,
}

impl Network {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Chart {
        let [width, height] = self.size;
        let mut canvas = Canvas::new(width, height);
        self.draw_edges(&mut canvas);
        self.draw_nodes(&mut canvas);
        self.draw_numbers(&mut canvas);
        let groups = self.groups.iter().enumerate();
        let groups = groups.map(|(group, name)| (name, categorical(group)));
        legend::below(&mut canvas, self.size, groups);
        canvas.finish(self.alt.clone(), Some(self.hover()))
    }

    /// Draws edges inside groups in the colour of the group and the others in
    /// grey, with one path per colour, which takes a tenth of the size of
    /// single lines.
    fn draw_edges(&self, canvas: &mut Canvas) {
        let mut across = String::new();
        let mut within = vec![String::new(); self.groups.len()];
        for &(u, v) in &self.edges {
            let ends = (self.nodes.get(u as usize), self.nodes.get(v as usize));
            let (Some(u), Some(v)) = ends else { continue };
            let path = if u.group == v.group {
                within.get_mut(u.group)
            } else {
                Some(&mut across)
            };
            if let Some(path) = path {
                let [a, b, c, d] = [u.place[0], u.place[1], v.place[0], v.place[1]].map(tenth);
                let _ = write!(path, "M{a} {b}L{c} {d}");
            }
        }
        // Reduce the opacity if there are many overlapping lines.
        let crowd = self.edges.len() as f64;
        let opacity = (900.0 / crowd.max(1.0)).sqrt().clamp(0.1, 0.55);
        let thick = if crowd > 4000.0 { "0.5" } else { "0.8" };
        if !across.is_empty() {
            let faint = decimal(opacity * 0.7, 2);
            canvas.element(format_args!(
                r#"<path class="edge" stroke-width="{thick}" stroke-opacity="{faint}" d="{across}"/>"#
            ));
        }
        let opacity = decimal((opacity * 1.3).min(0.6), 2);
        for (group, path) in within
            .iter()
            .enumerate()
            .filter(|(_, path)| !path.is_empty())
        {
            let colour = categorical(group);
            canvas.element(format_args!(
                r#"<path class="within" data-group="{group}" fill="none" stroke="{colour}" stroke-width="{thick}" stroke-opacity="{opacity}" d="{path}"/>"#
            ));
        }
    }

    fn radius(&self) -> f64 {
        let room = self.size[0] * self.size[1] / self.nodes.len().max(1) as f64;
        (room.sqrt() * 0.14).clamp(1.8, 6.0)
    }

    fn draw_nodes(&self, canvas: &mut Canvas) {
        let radius = decimal(self.radius(), 1);
        let mut groups = vec![String::new(); self.groups.len()];
        for node in &self.nodes {
            let Some(group) = groups.get_mut(node.group) else {
                continue;
            };
            let [x, y] = node.place.map(tenth);
            // The eye cannot distinguish more than four steps.
            let step = (node.confidence.clamp(0.0, 1.0) * 4.0).floor().min(3.0);
            let opacity = match step as usize {
                3 => "",
                2 => r#" opacity=".8""#,
                1 => r#" opacity=".6""#,
                _ => r#" opacity=".4""#,
            };
            let _ = write!(
                group,
                r#"<circle cx="{x}" cy="{y}" r="{radius}"{opacity}/>"#
            );
        }
        for (group, circles) in groups.iter().enumerate().filter(|(_, c)| !c.is_empty()) {
            let colour = categorical(group);
            canvas.element(format_args!(
                r#"<g class="nodes" data-group="{group}" fill="{colour}">{circles}</g>"#
            ));
        }
    }

    /// Draws the number of each group near the median of its nodes, which is
    /// robust against a few distant nodes.
    fn draw_numbers(&self, canvas: &mut Canvas) {
        let mut places: Vec<[Vec<f64>; 2]> = vec![[Vec::new(), Vec::new()]; self.groups.len()];
        for node in &self.nodes {
            if let Some(place) = places.get_mut(node.group) {
                place[0].push(node.place[0]);
                place[1].push(node.place[1]);
            }
        }
        let middles: Vec<_> = places.iter_mut().map(medians).collect();
        let placed = number_places(&middles, self.size);
        for (group, place) in placed.into_iter().enumerate() {
            let Some(Place { at: [x, y], minor }) = place else {
                continue;
            };
            let number = group.to_string();
            let class = if minor { "number minor" } else { "number" };
            let text = text_element(class, [x, y + 6.0], Anchor::Middle, &number);
            canvas.element(format_args!(r#"<g data-group="{group}">{text}</g>"#));
        }
    }

    fn hover(&self) -> Hover {
        // The script expects −1 for no class.
        let class = |n: &NetworkNode| n.class.map_or(-1, |class| class as i64);
        Hover::Network {
            x: self.nodes.iter().map(|n| tenths(n.place[0])).collect(),
            y: self.nodes.iter().map(|n| tenths(n.place[1])).collect(),
            names: self.nodes.iter().map(|n| n.name.clone()).collect(),
            group: self.nodes.iter().map(|n| n.group).collect(),
            confidence: self
                .nodes
                .iter()
                .map(|n| (n.confidence.clamp(0.0, 1.0) * 100.0).round() as u8)
                .collect(),
            class: if self.classes.is_empty() {
                Vec::new()
            } else {
                self.nodes.iter().map(class).collect()
            },
            classes: self.classes.clone(),
        }
    }
}

fn medians(place: &mut [Vec<f64>; 2]) -> Option<[f64; 2]> {
    if place[0].is_empty() {
        return None;
    }
    Some([0, 1].map(|axis| {
        let values = &mut place[axis];
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }))
}

/// Height of a number, and width of one digit.
const HEIGHT: f64 = 18.0;
const DIGIT: f64 = 10.5;
/// Distances from the middle of a group to try.
const RINGS: [f64; 6] = [0.0, 12.0, 20.0, 28.0, 38.0, 50.0];
/// Enlargement of numbers on small screens.
const ENLARGED: f64 = 2.0;

/// Position of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    /// Its centre.
    at: [f64; 2],
    /// Whether it would hide the number of a larger group on a small screen.
    minor: bool,
}

struct Label {
    at: [f64; 2],
    half: [f64; 2],
}

impl Label {
    fn overlaps(&self, other: &Self, scale: f64) -> bool {
        (0..2).all(|axis| {
            (self.at[axis] - other.at[axis]).abs() < scale * (self.half[axis] + other.half[axis])
        })
    }
}

/// Finds a position near each wanted one, earlier groups first. A number that
/// does not fit near its group is omitted.
fn number_places(wanted: &[Option<[f64; 2]>], size: [f64; 2]) -> Vec<Option<Place>> {
    let mut placed: Vec<Label> = Vec::new();
    let mut major: Vec<usize> = Vec::new();
    let mut out = Vec::with_capacity(wanted.len());
    for (group, middle) in wanted.iter().enumerate() {
        let half = [DIGIT * digits(group) / 2.0 + 2.0, HEIGHT / 2.0];
        let found = middle.and_then(|middle| {
            candidates(middle)
                .map(|at| Label {
                    at: [0, 1].map(|axis| inside(at[axis], half[axis], size[axis])),
                    half,
                })
                .find(|label| placed.iter().all(|other| !label.overlaps(other, 1.0)))
        });
        out.push(found.map(|label| {
            let hides = |&other: &usize| label.overlaps(&placed[other], ENLARGED);
            let minor = major.iter().any(hides);
            if !minor {
                major.push(placed.len());
            }
            let at = label.at;
            placed.push(label);
            Place { at, minor }
        }));
    }
    out
}

fn digits(group: usize) -> f64 {
    f64::from(group.checked_ilog10().unwrap_or(0) + 1)
}

/// Clamps a coordinate so that the number is inside the drawing, if it is large
/// enough.
fn inside(x: f64, half: f64, side: f64) -> f64 {
    x.min(side - half).max(half)
}

/// Candidate positions: the middle, then eight directions at increasing
/// distances.
fn candidates(middle: [f64; 2]) -> impl Iterator<Item = [f64; 2]> {
    const S: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const DIRECTIONS: [[f64; 2]; 8] = [
        [0.0, -1.0],
        [0.0, 1.0],
        [1.0, 0.0],
        [-1.0, 0.0],
        [S, -S],
        [-S, -S],
        [S, S],
        [-S, S],
    ];
    RINGS.into_iter().flat_map(move |ring| {
        let tried = if ring == 0.0 { 1 } else { DIRECTIONS.len() };
        DIRECTIONS[..tried]
            .iter()
            .map(move |d| [middle[0] + ring * d[0], middle[1] + ring * d[1]])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(x: f64, group: usize) -> NetworkNode {
        NetworkNode {
            place: [x, 5.0],
            group,
            confidence: 1.0,
            name: "a".to_owned(),
            class: None,
        }
    }

    #[test]
    fn all_nodes_and_numbers_are_drawn_and_strays_are_not() {
        let network = Network {
            alt: String::new(),
            size: [100.0, 100.0],
            nodes: vec![node(1.0, 0), node(2.0, 1), node(3.0, 1)],
            edges: vec![(0, 1), (1, 2), (1, 99)],
            groups: vec!["1".to_owned(), "2".to_owned()],
            classes: vec![],
        };
        let page = network.draw().inline("graph");
        assert_eq!(page.matches("<circle").count(), 3);
        assert_eq!(page.matches(r#"class="number"#).count(), 2);
        assert_eq!(page.matches("L").count(), 2);
        // The legend of the picture adds one dot per group.
        assert_eq!(network.draw().picture().matches("<circle").count(), 5);
    }

    #[test]
    fn numbers_keep_apart_and_inside() {
        let wanted: Vec<_> = (0..40)
            .map(|i| Some([f64::from(i % 7) * 9.0, f64::from(i / 7) * 9.0]))
            .collect();
        let found = number_places(&wanted, [300.0, 200.0]);
        assert_eq!(found[0].map(|place| place.minor), Some(false));
        let kept: Vec<(usize, Place)> = found
            .iter()
            .enumerate()
            .filter_map(|(group, place)| Some((group, (*place)?)))
            .collect();
        assert!(kept.len() > 15, "{}", kept.len());
        for (i, (group, a)) in kept.iter().enumerate() {
            let wide = DIGIT * digits(*group) / 2.0;
            assert!(a.at[0] >= wide && a.at[1] >= HEIGHT / 2.0, "{a:?}");
            for (other, b) in &kept[..i] {
                let room = DIGIT * (digits(*group) + digits(*other)) / 2.0;
                let apart =
                    (a.at[0] - b.at[0]).abs() >= room || (a.at[1] - b.at[1]).abs() >= HEIGHT - 1e-9;
                assert!(apart, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn numbers_with_room_stay_where_they_belong() {
        let wanted = [Some([100.0, 100.0]), None, Some([200.0, 100.0])];
        let found = number_places(&wanted, [300.0, 200.0]);
        assert_eq!(found[0].map(|p| p.at), wanted[0]);
        assert_eq!(found[1], None);
        assert_eq!(
            found[2].map(|p| (p.at, p.minor)),
            Some(([200.0, 100.0], false))
        );
    }

    #[test]
    fn places_that_are_no_numbers_do_no_harm() {
        assert_eq!(number_places(&[Some([f64::NAN; 2])], [30.0, 20.0]).len(), 1);
    }
}
