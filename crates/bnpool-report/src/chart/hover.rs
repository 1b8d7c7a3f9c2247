//! What a page shows under the pointer.

use serde::Serialize;

/// The rectangle of a chart that holds its data, in units of the chart.
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

/// Values behind a chart, as its page's script reads them. All texts are shown
/// as they are and never become markup.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Hover {
    /// Cells of a heat map.
    Heat {
        /// Where the cells are.
        plot: Plot,
        /// A name for each row.
        rows: Vec<String>,
        /// A name for each column.
        columns: Vec<String>,
        /// What a value is called.
        value: String,
        /// Value of level 0.
        low: f64,
        /// Value of level 255.
        high: f64,
        /// Whether levels rise with the square root of the value.
        root: bool,
        /// The levels, row after row, in base64.
        levels: String,
        /// What each cell says instead of its value; empty where values do.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        texts: Vec<String>,
    },
    /// Lines over a common horizontal axis.
    Lines {
        /// Where the lines are.
        plot: Plot,
        /// What the horizontal axis is called.
        name: String,
        /// Range of the horizontal axis.
        range: [f64; 2],
        /// Horizontal places, in rising order.
        x: Vec<f64>,
        /// Name, colour and a value for each place.
        series: Vec<(String, String, Vec<Option<f64>>)>,
    },
    /// Bars side by side, all equally wide.
    Bars {
        /// Where the bars are.
        plot: Plot,
        /// A text for each bar.
        texts: Vec<String>,
    },
    /// Points of a plane whose axes have the same range.
    Points {
        /// Where the points are.
        plot: Plot,
        /// Names of the horizontal and the vertical axis.
        names: [String; 2],
        /// Range of both axes.
        range: [f64; 2],
        /// Name of each set and its points.
        sets: Vec<(String, Vec<[f64; 2]>)>,
    },
    /// Dots with words of their own.
    Dots {
        /// Place of each dot, in tenths of a unit.
        x: Vec<i32>,
        /// Place of each dot, in tenths of a unit.
        y: Vec<i32>,
        /// Radius of each dot, in tenths of a unit.
        r: Vec<i32>,
        /// Lines of text of each dot.
        texts: Vec<Vec<String>>,
    },
    /// Nodes of a drawn graph.
    Network {
        /// Place of each node, in tenths of a unit.
        x: Vec<i32>,
        /// Place of each node, in tenths of a unit.
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
