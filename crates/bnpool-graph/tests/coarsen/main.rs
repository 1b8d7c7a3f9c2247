//! Coarsenings: golden values of the reference, and what holds for every graph.

mod golden;
mod properties;
