//! Which preset a run starts from.

use crate::layers::Layers;
use crate::message::Failure;
use bnpool::task::Preset;
use clap::ValueEnum;

/// The presets as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub enum PresetName {
    /// The paper; the default for its data sets.
    Paper,
    /// The authors' code.
    Authors,
    /// What does best on a short schedule; the default for your own graphs.
    Fast,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Paper => Self::Paper,
            PresetName::Authors => Self::Authors,
            PresetName::Fast => Self::Fast,
        }
    }
}

/// The preset of the flag, else of the configuration file, else that for graphs
/// of the user's own or of the paper.
pub fn choose(flag: Option<PresetName>, layers: &Layers<'_>, own: bool) -> Result<Preset, Failure> {
    match (flag, layers.preset()) {
        (Some(preset), _) => Ok(preset.into()),
        (None, Some(name)) => match PresetName::from_str(name, true) {
            Ok(preset) => Ok(preset.into()),
            Err(_) => Err(Failure::Input(format!(
                "preset `{name}` is unknown; there are paper, authors and fast"
            ))),
        },
        (None, None) if own => Ok(Preset::Fast),
        (None, None) => Ok(Preset::Paper),
    }
}
