//! Community detection by description length.

mod description_length;
mod divided;
mod merge;
mod search;
mod weights;
