//! Legends: names and their colours.

use super::canvas::{Anchor, Canvas, text_element, text_width};
use super::colour::Rgb;
use crate::escape::squeeze;
use crate::number::coordinate;

/// Shape of the sample before a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sample {
    Line,
    Dashes,
    Dot,
}

/// One name and its colour.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) colour: Rgb,
    pub(crate) sample: Sample,
}

/// Largest number of groups in the legend of a drawing.
pub const IN_LEGEND: usize = 60;
const ROW: f64 = 21.0;
const GAP: f64 = 18.0;

/// Width of a sample and the gap after it.
const SAMPLE: f64 = 24.0;

/// Name of an entry, cut to the width of a row.
fn name_of(entry: &Entry, width: f64) -> String {
    let room = (width - SAMPLE) / text_width("x");
    squeeze(&entry.name, room.max(4.0) as usize)
}

/// Positions of the entries in rows of width `width`.
fn places(entries: &[Entry], width: f64) -> Vec<[f64; 2]> {
    let (mut x, mut y) = (0.0, 0.0);
    let mut out = Vec::with_capacity(entries.len());
    for entry in entries {
        let wide = SAMPLE + text_width(&name_of(entry, width));
        if x > 0.0 && x + wide > width {
            (x, y) = (0.0, y + ROW);
        }
        out.push([x, y]);
        x += wide + GAP;
    }
    out
}

/// Height of the entries.
pub(crate) fn height(entries: &[Entry], width: f64) -> f64 {
    places(entries, width)
        .last()
        .map_or(0.0, |place| place[1] + ROW)
}

/// The entries as SVG, starting at a corner.
pub(crate) fn elements(entries: &[Entry], corner: [f64; 2], width: f64) -> String {
    let mut out = String::new();
    for (entry, place) in entries.iter().zip(places(entries, width)) {
        let (x, y) = (corner[0] + place[0], corner[1] + place[1] + ROW / 2.0);
        let colour = entry.colour;
        let [left, middle, right, level] = [x, x + 8.0, x + 16.0, y].map(coordinate);
        out.push_str(&match entry.sample {
            Sample::Dot => format!(r#"<circle cx="{middle}" cy="{level}" r="6" fill="{colour}"/>"#),
            Sample::Line => format!(
                r#"<line x1="{left}" y1="{level}" x2="{right}" y2="{level}" stroke="{colour}" stroke-width="3"/>"#
            ),
            Sample::Dashes => format!(
                r#"<line x1="{left}" y1="{level}" x2="{right}" y2="{level}" stroke="{colour}" stroke-width="3" stroke-dasharray="4 2"/>"#
            ),
        });
        out.push_str(&text_element(
            "key",
            [x + 22.0, y + 4.5],
            Anchor::Start,
            &name_of(entry, width),
        ));
    }
    out
}

/// Draws the entries.
pub(crate) fn draw(canvas: &mut Canvas, entries: &[Entry], corner: [f64; 2], width: f64) {
    let elements = elements(entries, corner, width);
    canvas.element(format_args!("{elements}"));
}

/// Draws dots with names below a picture of this size; a page has them beside it.
pub(crate) fn below<'n>(
    canvas: &mut Canvas,
    [width, height]: [f64; 2],
    dots: impl Iterator<Item = (&'n String, Rgb)>,
) {
    let entry = |(name, colour): (&String, Rgb)| Entry {
        name: name.clone(),
        colour,
        sample: Sample::Dot,
    };
    let entries: Vec<Entry> = dots.take(IN_LEGEND).map(entry).collect();
    let room = width - 40.0;
    let elements = elements(&entries, [20.0, height], room);
    canvas.on_picture(format_args!("{elements}"));
    canvas.grow_picture(self::height(&entries, room) + 14.0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_longer_than_a_row_are_cut() {
        let entries = [Entry {
            name: "a very long name of a curve, number 12".to_owned(),
            colour: Rgb(0, 0, 0),
            sample: Sample::Line,
        }];
        let drawn = elements(&entries, [0.0, 0.0], 120.0);
        assert!(drawn.contains("a very…ber 12<"), "{drawn}");
    }

    #[test]
    fn long_legends_wrap() {
        let entries = vec![
            Entry {
                name: "community".to_owned(),
                colour: Rgb(0, 0, 0),
                sample: Sample::Dot,
            };
            5
        ];
        assert_eq!(height(&entries, 1000.0), ROW);
        assert_eq!(height(&entries, 10.0), 5.0 * ROW);
        assert!(places(&entries, 250.0).iter().all(|place| place[0] < 250.0));
    }
}
