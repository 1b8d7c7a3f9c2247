//! Hover data of charts on a page.

use serde::Serialize;

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
