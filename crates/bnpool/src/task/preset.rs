//! The names of the sets of values that a task can start from.

use serde::{Deserialize, Serialize};

/// Named sets of values to start from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// What answers best on graphs of any kind, on a short schedule. Communities
    /// start from eigenvectors and take a tenth of the epochs; whole graphs are
    /// learned by the network of the code from the data of the text.
    #[default]
    #[serde(alias = "fast")]
    Default,
    /// The text of the paper.
    Paper,
    /// The authors' code.
    Authors,
}

impl Preset {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Authors => "authors",
            Self::Default => "default",
        }
    }
}
