//! Text cut into lines, fields and numbers.

mod blocks;
mod encoding;
mod fields;
mod lines;
mod number;
pub(crate) mod sample;

pub(crate) use blocks::TextBlocks;
pub use encoding::Encoding;
pub(crate) use encoding::looks_like_windows;
pub use fields::Delimiter;
pub(crate) use fields::{split_cells, split_fields};
pub(crate) use lines::{DataLines, count_line_ends, lines, split_line};
pub use number::NumberStyle;
pub(crate) use number::{is_whole_number, parse_any, parse_f32, parse_number, parse_u32};
