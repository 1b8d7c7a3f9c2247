//! Learning from many graphs: settings and graphs, as `bnpool train` has them.

use super::Setting;
use super::setting::overlay;
use crate::command::train::read_set;
use crate::input::InputFlags;
use crate::message::Failure;
use crate::preset::named;
use bnpool_io::dataset::Dataset;
use bnpool_task::learn::LearnConfig;
use std::path::Path;

/// The settings for graphs of a data set, or for the user's own: those of a
/// preset, and over them what the user gave.
///
/// # Errors
///
/// When there is no such preset or setting, or a value is out of range.
pub fn learn_config(
    dataset: Option<&str>,
    preset: &str,
    settings: Vec<Setting>,
) -> Result<LearnConfig, Failure> {
    let known = dataset.map(bnpool_io::dataset::find).transpose()?;
    let known = known.map(|entry| entry.name);
    overlay(&LearnConfig::preset(named(preset)?, known), settings)
}

/// Reads a folder or file of many graphs.
///
/// # Errors
///
/// As [`bnpool_io::format::read_graphs`].
pub fn read_many(path: &Path) -> Result<Dataset, Failure> {
    Ok(read_set(path, &InputFlags::default().options())?.0)
}
