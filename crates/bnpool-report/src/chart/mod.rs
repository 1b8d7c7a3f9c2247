//! Charts as SVG.
//!
//! A chart is drawn once and used twice: inside a page, with the theme of the
//! reader and a script that shows values on hover, and as a standalone picture
//! in light colours with embedded style. The data for the script is passed
//! along with the drawing as a [`Hover`].

mod axis;
mod bar;
mod canvas;
mod heat;
mod heat_text;
mod hover;
mod legend;
mod line;
mod network;
mod number_places;
mod palette;
mod pixels;
mod ramp;
mod sketch;
mod spikes;
mod square;
mod stroke;
mod style;
mod tree;

pub use bar::{Band, BarChart};
pub use canvas::Chart;
pub(crate) use canvas::{Anchor, Canvas};
pub use heat::{CellTexts, Group, HeatMap, Side};
pub use hover::Hover;
#[cfg(test)]
pub use hover::Plot;
pub use line::{LineChart, Series, Span, Which};
pub use network::{IN_LEGEND, Network, NetworkNode};
pub use palette::{categorical, graded};
pub use pixels::Scale;
pub use ramp::{Ramp, Rgb};
pub use sketch::{Sketch, SketchGroup, SketchNode};
pub use spikes::spikes;
pub use square::{PointSet, SquareChart};
pub use style::{Paint, rules};
pub use tree::{TreeChart, TreeJoin, TreeLeaf};
