//! Which preset a run starts from.

use crate::layers::Layers;
use crate::message::Failure;
use bnpool::task::Preset;
use clap::ValueEnum;

/// The presets as a flag.
#[derive(Clone, Copy, ValueEnum)]
pub enum PresetName {
    /// What answers best; also called `fast`.
    #[value(alias = "fast")]
    Default,
    /// The text of the paper, to reproduce it.
    Paper,
    /// The authors' code, to reproduce it.
    Authors,
}

impl From<PresetName> for Preset {
    fn from(name: PresetName) -> Self {
        match name {
            PresetName::Paper => Self::Paper,
            PresetName::Authors => Self::Authors,
            PresetName::Default => Self::Default,
        }
    }
}

/// The preset of the flag, else of the configuration file, else the default.
pub fn choose(flag: Option<PresetName>, layers: &Layers<'_>) -> Result<Preset, Failure> {
    match (flag, layers.preset()) {
        (Some(preset), _) => Ok(preset.into()),
        (None, Some(name)) => match PresetName::from_str(name, true) {
            Ok(preset) => Ok(preset.into()),
            Err(_) => Err(Failure::Input(format!(
                "preset `{name}` is unknown; there are default, paper and authors"
            ))),
        },
        (None, None) => Ok(Preset::default()),
    }
}
