//! Graphs, files and data sets as a caller meets them.

mod coarsen;
mod dataset;
mod dataset_real;
mod divide;
mod format;
mod format_real_data;
mod generate;
mod hostile;
mod pickle;
mod pickle_torch;
mod properties;
mod sniff;
mod split;
mod structure;
