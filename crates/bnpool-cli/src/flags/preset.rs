//! Preset of a run.

use crate::flags::layers::Layers;
use crate::terminal::message::Failure;
use bnpool_task::Preset;
use clap::ValueEnum;

/// The presets as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub enum PresetName {
    /// The settings that answer best.
    Default,
    /// The text of the paper, to reproduce it.
    Paper,
    /// The authors' code, to reproduce it.
    Authors,
    /// The authors' code with the priors that the paper reports for each data set.
    PaperCode,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Paper => Self::Paper,
            PresetName::Authors => Self::Authors,
            PresetName::PaperCode => Self::PaperCode,
            PresetName::Default => Self::Default,
        }
    }
}

/// Returns the preset of the flag, of the configuration file, or the default.
pub fn choose<const TASK: u8>(
    flag: Option<PresetName>,
    layers: &Layers<'_, TASK>,
) -> Result<Preset, Failure> {
    match (flag, layers.preset()) {
        (Some(preset), _) => Ok(preset.into()),
        (None, Some(name)) => Preset::find(name).map_err(Failure::input),
        (None, None) => Ok(Preset::default()),
    }
}
