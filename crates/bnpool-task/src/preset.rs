//! The names of the sets of values that a task can start from.

use serde::{Deserialize, Serialize};

/// Named sets of values to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// What answers best on graphs of any kind, on a short schedule. Communities
    /// start from eigenvectors and take a tenth of the epochs; whole graphs are
    /// learned by the network of the code from the data of the text.
    #[default]
    Default,
    /// The text of the paper.
    Paper,
    /// The authors' code.
    Authors,
    /// The authors' code with the priors of `tab:optimal-hyperparams` for each data
    /// set and one patience for all: the protocol behind the paper's tables of whole
    /// graphs. The same as [`Authors`](Self::Authors) for one graph.
    PaperCode,
}

impl Preset {
    /// All presets; the first is the default.
    pub const ALL: [Self; 4] = [Self::Default, Self::Paper, Self::Authors, Self::PaperCode];

    /// The preset of a name.
    ///
    /// # Errors
    ///
    /// A sentence that names the presets that exist.
    pub fn find(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|preset| preset.name() == name);
        found.ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("preset `{name}` is unknown; the presets are {names}")
        })
    }

    /// Whether data, network and schedule are those of the authors' code.
    #[must_use]
    pub fn follows_code(self) -> bool {
        matches!(self, Self::Authors | Self::PaperCode)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Authors => "authors",
            Self::Default => "default",
            Self::PaperCode => "paper-code",
        }
    }
}
