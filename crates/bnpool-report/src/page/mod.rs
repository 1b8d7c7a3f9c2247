//! The page around the charts: one file, no network, light and dark.
//!
//! A [`Page`] collects sections and hover data for the script. [`Markup`] is
//! either escaped text or written by the program itself.
//!
//! Names and numbers in the script pass through `textContent`, never through markup, and a
//! content security policy forbids loading anything. Heat maps are indexed PNGs of a bounded
//! number of cells, never of N².

mod figure;
mod figure_grid;
mod key_figures;
mod legend;
mod markup;
mod metrics_and_settings;
mod skeleton;
mod table;

pub use figure::Figure;
pub(crate) use figure_grid::{figure, grid};
pub(crate) use key_figures::{KeyFigure, capitalised, key_figures, notes, warnings};
pub use legend::{Legend, LegendItem};
pub use markup::Markup;
pub(crate) use metrics_and_settings::add_metrics_and_settings;
pub use skeleton::Page;
pub use table::{Cell, Column, Table};
