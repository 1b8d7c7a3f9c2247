//! Groups of one graph by description length.

mod description_length;
mod merge;
mod search;
