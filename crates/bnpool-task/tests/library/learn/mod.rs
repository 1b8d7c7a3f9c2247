//! Tests of learning from whole graphs: quality, repeatability, and
//! independence of the batch.

mod contract;
mod files;
mod model;
mod odd_input;
mod ranks;
mod scales;
mod shapes;
mod sparse;
mod training;
