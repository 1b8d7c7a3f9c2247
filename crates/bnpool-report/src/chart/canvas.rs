//! A canvas for drawing, and the resulting chart.

use std::fmt::{self, Write as _};

use serde::Serialize;

use crate::escape::markup;
use crate::number::{coordinate, decimal};

/// Media in which a part of a drawing is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Medium {
    Both,
    Page,
    Picture,
}

/// SVG elements on an area with a size in units. All text is escaped.
#[derive(Debug, Clone)]
pub struct Canvas {
    width: f64,
    height: f64,
    /// Additional height of a picture compared with the drawing on a page.
    below: f64,
    parts: Vec<(Medium, String)>,
}

/// Anchor of a text relative to its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

impl Canvas {
    /// An empty area.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            below: 0.0,
            parts: Vec::new(),
        }
    }

    /// Adds space below pictures, for content that a page shows outside of the
    /// drawing.
    pub(crate) fn grow_picture(&mut self, by: f64) {
        self.below += by;
    }

    fn push(&mut self, medium: Medium, element: &str) {
        match self.parts.last_mut() {
            Some((last, text)) if *last == medium => text.push_str(element),
            _ => self.parts.push((medium, element.to_owned())),
        }
    }

    /// Adds an element whose text is already escaped.
    pub(crate) fn element(&mut self, element: fmt::Arguments<'_>) {
        self.push(Medium::Both, &element.to_string());
    }

    /// Adds an element for pages only.
    pub(crate) fn on_page(&mut self, element: fmt::Arguments<'_>) {
        self.push(Medium::Page, &element.to_string());
    }

    /// Adds an element for pictures only.
    pub(crate) fn on_picture(&mut self, element: fmt::Arguments<'_>) {
        self.push(Medium::Picture, &element.to_string());
    }

    pub(crate) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let [x1, y1, x2, y2] = [from[0], from[1], to[0], to[1]].map(coordinate);
        self.element(format_args!(
            r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
        ));
    }

    /// Adds a rectangle; `attributes` are a class or other attributes.
    pub(crate) fn rectangle(&mut self, attributes: &str, [x, y, w, h]: [f64; 4]) {
        let [x, y, w, h] = [x, y, w.max(0.0), h.max(0.0)].map(coordinate);
        self.element(format_args!(
            r#"<rect {attributes} x="{x}" y="{y}" width="{w}" height="{h}"/>"#
        ));
    }

    pub(crate) fn text(&mut self, class: &str, at: [f64; 2], anchor: Anchor, text: &str) {
        let element = text_element(class, at, anchor, text);
        self.element(format_args!("{element}"));
    }

    /// Adds a text that reads upwards, for the names of vertical axes.
    pub(crate) fn upright(&mut self, class: &str, at: [f64; 2], text: &str) {
        let [x, y] = at.map(coordinate);
        self.element(format_args!(
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-90)" text-anchor="middle">{}</text>"#,
            markup(text)
        ));
    }

    /// Adds a text that begins at a point and reads upwards.
    pub(crate) fn upwards(&mut self, class: &str, at: [f64; 2], text: &str) {
        let [x, y] = at.map(coordinate);
        self.element(format_args!(
            r#"<text class="{class}" transform="translate({x} {y}) rotate(-90)">{}</text>"#,
            markup(text)
        ));
    }

    /// Finishes the drawing. `alt` is its text description.
    #[must_use]
    pub fn finish(self, alt: impl Into<String>, hover: Option<Hover>) -> Chart {
        Chart {
            canvas: self,
            alt: alt.into(),
            hover,
        }
    }
}

pub(crate) fn text_element(class: &str, at: [f64; 2], anchor: Anchor, text: &str) -> String {
    let [x, y] = at.map(coordinate);
    format!(
        r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{}">{}</text>"#,
        anchor.name(),
        markup(text)
    )
}

/// A length with one decimal, for drawings with many nodes.
pub(super) fn tenth(x: f64) -> String {
    decimal(x, 1)
}

/// A length in tenths of a unit, for the script.
pub(super) fn tenths(x: f64) -> i32 {
    (x * 10.0).round() as i32
}

/// Approximate width of a text, accurate enough to separate labels.
pub(crate) fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 7.1
}

/// A finished chart.
#[derive(Debug, Clone)]
pub struct Chart {
    canvas: Canvas,
    alt: String,
    hover: Option<Hover>,
}

impl Chart {
    /// Text description.
    #[must_use]
    pub fn alt(&self) -> &str {
        &self.alt
    }

    /// Data for the script to show on hover.
    #[must_use]
    pub fn hover(&self) -> Option<&Hover> {
        self.hover.as_ref()
    }

    fn size(&self, medium: Medium) -> [f64; 2] {
        let Canvas {
            width,
            height,
            below,
            ..
        } = self.canvas;
        match medium {
            Medium::Picture => [width, height + below],
            _ => [width, height],
        }
    }

    fn render(&self, medium: Medium, attributes: &str, head: &str) -> String {
        let [width, height] = self.size(medium).map(coordinate);
        let mut out = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width} {height}" {attributes} role="img" aria-label="{}">{head}"#,
            markup(&self.alt)
        );
        for (of, text) in &self.canvas.parts {
            if *of == Medium::Both || *of == medium {
                out.push_str(text);
            }
        }
        out.push_str("</svg>");
        out
    }

    /// The SVG element for a page, which provides the style (see
    /// [`rules`](super::rules)).
    #[must_use]
    pub fn inline(&self, id: &str) -> String {
        let attributes = format!(r#"id="{}""#, markup(id));
        self.render(Medium::Page, &attributes, "")
    }

    /// A standalone SVG file in light colours on white.
    #[must_use]
    pub fn picture(&self) -> String {
        let [width, height] = self.size(Medium::Picture).map(coordinate);
        let attributes = format!(r#"width="{width}" height="{height}""#);
        let mut head = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            head,
            r##"<style>{}</style><rect width="{width}" height="{height}" fill="#ffffff"/>"##,
            rules(&Paint::PICTURE)
        );
        self.render(Medium::Picture, &attributes, &head)
    }
}

/// The data area of a chart, in units of the chart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Plot {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// Values of a chart, as input of the script of the page. All texts are shown
/// literally and never become markup.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Hover {
    /// Cells of a heat map.
    Heat {
        /// Area of the cells.
        plot: Plot,
        /// Name of each row.
        rows: Vec<String>,
        /// Name of each column.
        columns: Vec<String>,
        /// Name of the values.
        value: String,
        /// Value of level 0.
        low: f64,
        /// Value of level 255.
        high: f64,
        /// Whether levels are proportional to the square root of the value.
        root: bool,
        /// The levels, row by row, in base64.
        levels: String,
        /// Text of each cell instead of its value; empty if values are shown.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        texts: Vec<String>,
    },
    /// Lines over a common horizontal axis.
    Lines {
        /// Area of the lines.
        plot: Plot,
        /// Name of the horizontal axis.
        name: String,
        /// Range of the horizontal axis.
        range: [f64; 2],
        /// Horizontal coordinates, in ascending order.
        x: Vec<f64>,
        /// Name, colour and one value per coordinate.
        series: Vec<(String, String, Vec<Option<f64>>)>,
    },
    /// Bars of equal width.
    Bars {
        /// Area of the bars.
        plot: Plot,
        /// Text of each bar.
        texts: Vec<String>,
    },
    /// Points in a plane whose axes have the same range.
    Points {
        /// Area of the points.
        plot: Plot,
        /// Names of the horizontal and the vertical axis.
        names: [String; 2],
        /// Range of both axes.
        range: [f64; 2],
        /// Name of each set and its points.
        sets: Vec<(String, Vec<[f64; 2]>)>,
    },
    /// Dots with separate texts.
    Dots {
        /// Coordinate of each dot, in tenths of a unit.
        x: Vec<i32>,
        /// Coordinate of each dot, in tenths of a unit.
        y: Vec<i32>,
        /// Radius of each dot, in tenths of a unit.
        r: Vec<i32>,
        /// Lines of text of each dot.
        texts: Vec<Vec<String>>,
    },
    /// Nodes of a drawn graph.
    Network {
        /// Coordinate of each node, in tenths of a unit.
        x: Vec<i32>,
        /// Coordinate of each node, in tenths of a unit.
        y: Vec<i32>,
        /// Name of each node.
        names: Vec<String>,
        /// Community of each node.
        group: Vec<usize>,
        /// Confidence of each node in percent.
        confidence: Vec<u8>,
        /// Index of the class of each node (−1: none); empty without classes.
        class: Vec<i64>,
        /// Names of the classes.
        classes: Vec<String>,
    },
}

/// Paints of a chart: CSS colours or variables.
#[derive(Debug, Clone, Copy)]
pub struct Paint {
    /// Text and data.
    pub ink: &'static str,
    /// Ticks and explanations.
    pub muted: &'static str,
    /// Grid lines.
    pub rule: &'static str,
    /// Background.
    pub ground: &'static str,
    /// Marked ranges.
    pub band: &'static str,
}

impl Paint {
    /// Paints of a standalone picture on white.
    pub const PICTURE: Self = Self {
        ink: "#1c2733",
        muted: "#566270",
        rule: "#e3e8ee",
        ground: "#ffffff",
        band: "#dfeaf5",
    };
    /// Paints of a page, which sets the variables for each theme.
    pub const PAGE: Self = Self {
        ink: "var(--ink)",
        muted: "var(--muted)",
        rule: "var(--rule)",
        ground: "var(--ground)",
        band: "var(--band)",
    };
}

/// Style sheet for the content of elements of class `chart`.
///
/// Uses only simple selectors and properties that plain SVG renderers support.
#[must_use]
pub fn rules(paint: &Paint) -> String {
    let Paint {
        ink,
        muted,
        rule,
        ground,
        band,
    } = paint;
    format!(
        ".chart text{{font-family:'Helvetica Neue',Helvetica,Arial,sans-serif;font-size:13px;fill:{ink}}}\
.chart .tick{{fill:{muted}}}\
.chart .name{{fill:{muted};font-size:13px}}\
.chart .axis{{stroke:{muted};stroke-width:1;fill:none}}\
.chart .grid{{stroke:{rule};stroke-width:1;fill:none}}\
.chart .split{{stroke:{muted};stroke-width:0.8;stroke-opacity:0.55;fill:none}}\
.chart .thin{{stroke-width:0.4;stroke-opacity:0.35}}\
.chart .curve{{fill:none;stroke-width:1.8;stroke-linejoin:round}}\
.chart .many{{stroke-width:1.3;stroke-opacity:0.85}}\
.chart .band{{fill:{band}}}\
.chart .edge{{fill:none;stroke:{muted}}}\
.chart .node{{stroke:{ground};stroke-width:1}}\
.chart .tip{{fill:{muted}}}\
.chart .number{{font-size:17px;font-weight:700;stroke:{ground};stroke-width:4px;stroke-linejoin:round;paint-order:stroke}}\
.chart .cell{{font-size:12px}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_medium_gets_its_own() {
        let mut canvas = Canvas::new(10.0, 10.0);
        canvas.on_page(format_args!("<g id='page'/>"));
        canvas.on_picture(format_args!("<g id='picture'/>"));
        canvas.text("tick", [1.0, 2.0], Anchor::Middle, "a<b");
        let chart = canvas.finish("what & why", None);
        let (page, picture) = (chart.inline("x"), chart.picture());
        assert!(page.contains("'page'") && !page.contains("'picture'"));
        assert!(picture.contains("'picture'") && !picture.contains("'page'"));
        assert!(page.contains("a&lt;b") && page.contains("what &amp; why"));
        assert!(picture.contains("<style>") && !page.contains("<style>"));
    }
}
