//! Coarsenings: golden values of the reference, and what holds for every graph.

// Dense definitions are about places: indices say it best.
#![allow(clippy::needless_range_loop)]

mod golden;
mod large;
mod properties;
mod tree;
