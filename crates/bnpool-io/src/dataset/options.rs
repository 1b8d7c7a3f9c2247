//! Options of data sets.

use std::path::PathBuf;

use crate::format::Limits;

/// The cache of parsed data sets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Cache {
    /// In the folder `BNPOOL_CACHE` names, else the user's cache directory.
    #[default]
    User,
    /// In this folder.
    Folder(PathBuf),
    /// Nowhere.
    Off,
}

/// Options for loading a data set.
///
/// The presets differ in what they take of the TU sets: see
/// [`paper`](Self::paper) and [`authors`](Self::authors).
#[derive(Debug, Clone, PartialEq)]
pub struct LoadOptions {
    /// The folder to look in first.
    pub data_dir: Option<PathBuf>,
    /// Take the versions of TU sets without isomorphic graphs. Has no effect on
    /// COLORS-3 and on sets that are not TU sets.
    pub cleaned: bool,
    /// Take the node attributes of TU sets, not only their node labels. Those of
    /// COLORS-3, which has nothing else, are always taken.
    pub node_attributes: bool,
    /// Keep the first attribute of COLORS-3, which marks the green nodes
    /// are.
    pub attention_column: bool,
    /// Make a synthetic set again, with this seed, where its files are not there.
    pub generate: Option<u64>,
    /// The cache of parsed data sets.
    pub cache: Cache,
    /// Limits of the files.
    pub limits: Limits,
}

impl LoadOptions {
    /// As in the paper's tables: all graphs, with node attributes, and the four
    /// colours of COLORS-3.
    #[must_use]
    pub fn paper() -> Self {
        Self {
            data_dir: None,
            cleaned: false,
            node_attributes: true,
            attention_column: false,
            generate: Some(0),
            cache: Cache::User,
            limits: Limits::default(),
        }
    }

    /// As the authors' code loads them: without isomorphic graphs and node
    /// attributes, but with all columns of COLORS-3.
    #[must_use]
    pub fn authors() -> Self {
        Self {
            cleaned: true,
            node_attributes: false,
            attention_column: true,
            ..Self::paper()
        }
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self::paper()
    }
}
