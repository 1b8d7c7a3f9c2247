//! The page around the charts: one file, no network, light and dark.
//!
//! A [`Page`] collects sections and what the script shows under the pointer.
//! Text becomes [`Markup`] only by being escaped or by being written by the
//! program itself.

mod figure;
mod legend;
mod markup;
mod skeleton;
mod table;

pub use figure::Figure;
pub use legend::{Legend, LegendItem};
pub use markup::Markup;
pub use skeleton::Page;
pub use table::{Cell, Column, Table};
