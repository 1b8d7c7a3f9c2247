//! Runs on many graphs, from input files to the files of a run directory.

mod execute;
mod facts;
mod fold;
mod folds;
mod follow;
mod metrics;
mod output;
mod page;
mod predictions;
mod source;
mod work;

pub use execute::{Done, Extent, Wishes, execute};
pub use facts::Facts;
pub use fold::FinishedFold;
pub use folds::Folds;
pub use follow::follow;
pub use metrics::{Fold, Metrics};
pub use output::read_model;
pub use page::remake_report;
pub use source::{Input, SetSource, read_set};
pub use work::{Shared, Watch, WatchFold};

use super::LearnConfig;
use crate::settings::{Setting, overlay};
use crate::{Failure, Preset};

/// Plan of a training.
pub type Plan = crate::run::Plan<LearnConfig, SetSource>;

/// Returns the values of a preset for these data.
///
/// # Errors
///
/// Returns an error if there is no such data set.
pub fn base(preset: Preset, dataset: Option<&str>) -> Result<LearnConfig, Failure> {
    let known = dataset.map(bnpool_io::dataset::find).transpose()?;
    Ok(LearnConfig::preset(preset, known.map(|entry| entry.name)))
}

/// Returns the settings for a data set, or for the user's own graphs: those of a
/// preset, overridden by the given ones.
///
/// # Errors
///
/// Returns an error if there is no such data set, preset or setting, or a value
/// is out of range.
pub fn config(
    dataset: Option<&str>,
    preset: &str,
    settings: Vec<Setting>,
) -> Result<LearnConfig, Failure> {
    let preset = Preset::find(preset).map_err(Failure::input)?;
    overlay(&base(preset, dataset)?, settings)
}
