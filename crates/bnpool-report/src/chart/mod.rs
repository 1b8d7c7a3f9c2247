//! Charts as SVG.
//!
//! A chart is drawn once and used twice: inside a page, with the theme of the
//! reader and a script that shows values on hover, and as a standalone picture
//! in light colours with embedded style. The data for the script is passed
//! along with the drawing as a [`Hover`].

mod axis;
mod bar;
mod canvas;
mod colour;
mod heat;
mod legend;
mod line;
mod network;
mod pixels;
mod sketch;
mod spikes;
mod square;
mod tree;

pub use bar::{Band, BarChart};
#[cfg(test)]
pub use canvas::Plot;
pub(crate) use canvas::{Anchor, Canvas};
pub use canvas::{Chart, Hover, Paint, rules};
pub use colour::{Rgb, categorical, graded};
pub use heat::{CellTexts, Group, HeatMap, Side};
pub use legend::IN_LEGEND;
pub use line::{LineChart, Series, Span, Which};
pub use network::{Network, NetworkNode};
pub use pixels::Scale;
pub use sketch::{Sketch, SketchGroup, SketchNode};
pub use spikes::spikes;
pub use square::{PointSet, SquareChart};
pub use tree::{TreeChart, TreeJoin, TreeLeaf};
