//! Files and data sets as a caller meets them.

mod dataset;
mod dataset_real;
mod divide;
mod files;
mod format;
mod format_real_data;
mod guide;
mod hostile;
mod pickle;
mod pickle_torch;
mod sniff;
