//! Whole graphs: learned from, repeatable, and the same in any batch.

mod contract;
mod files;
mod model;
mod odd_input;
mod ranks;
mod scales;
mod shapes;
mod sparse;
mod training;
