//! Names of presets.

use serde::{Deserialize, Serialize};

/// Named set of initial values.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// Best results on graphs of any kind, with a short schedule. Communities
    /// start from eigenvectors and need a tenth of the epochs. Whole graphs use
    /// the network of the code and the data of the text.
    #[default]
    Default,
    /// Settings of the text of the paper.
    Paper,
    /// Settings of the authors' code.
    Authors,
    /// Settings of the authors' code with the priors of `tab:optimal-hyperparams`
    /// for each data set and a common patience, which is the protocol of the paper's
    /// tables of whole graphs. Equal to [`Authors`](Self::Authors) for one graph.
    PaperCode,
}

impl Preset {
    /// All presets; the first is the default.
    pub const ALL: [Self; 4] = [Self::Default, Self::Paper, Self::Authors, Self::PaperCode];

    /// Returns the preset with this name.
    ///
    /// # Errors
    ///
    /// Returns a sentence that lists the presets if there is no such preset.
    pub fn find(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("preset `{name}` is unknown; the presets are {names}")
        })
    }

    /// Returns whether data, network and schedule are those of the authors'
    /// code.
    #[must_use]
    pub fn follows_code(self) -> bool {
        matches!(self, Self::Authors | Self::PaperCode)
    }

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Authors => "authors",
            Self::Default => "default",
            Self::PaperCode => "paper-code",
        }
    }

    /// Returns the meaning in a few words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Default => "The settings that answer best",
            Self::Paper => "The text of the paper, to reproduce it",
            Self::Authors => "The authors' code, to reproduce it",
            Self::PaperCode => {
                "The authors' code with the priors that the paper reports for each data set"
            }
        }
    }
}
