//! Tests of the public API.

mod coarsen;
mod generate;
mod properties;
mod split;
mod structure;
