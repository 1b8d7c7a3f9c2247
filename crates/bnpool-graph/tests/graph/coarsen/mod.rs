//! Coarsenings: golden values of the reference, and properties of random
//! graphs.

// Dense definitions are clearest with indices.
#![allow(clippy::needless_range_loop)]

mod golden;
mod large;
mod properties;
mod tree;
