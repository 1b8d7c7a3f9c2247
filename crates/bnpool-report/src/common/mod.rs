//! What all reports share: plain input, the frame of their pages, pictures.

mod closing;
mod edges;
mod figures;
mod header;
mod input;
mod pictures;

pub use input::{Metric, Picture};

pub(crate) use closing::close;
pub(crate) use edges::{edges_among, node_name, thinned};
pub(crate) use figures::{figure, grid};
pub(crate) use header::{KeyFigure, key_figures, notes};
pub(crate) use pictures::pictures;
