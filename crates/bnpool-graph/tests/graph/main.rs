//! Graphs as a caller meets them.

mod coarsen;
mod generate;
mod properties;
mod split;
mod structure;
