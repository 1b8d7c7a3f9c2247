//! The names of the sets of values that a task can start from.

use serde::{Deserialize, Serialize};

/// Named sets of values to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// The text of the paper.
    Paper,
    /// The authors' code.
    Authors,
    /// What does best on graphs of any kind, on a short schedule. Communities start
    /// from eigenvectors and take a tenth of the epochs; whole graphs are learned by
    /// the network of the code from the data of the text.
    Fast,
}

impl Preset {
    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Paper => "paper",
            Self::Authors => "authors",
            Self::Fast => "fast",
        }
    }
}
