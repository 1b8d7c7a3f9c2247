//! What a reader did with a file, in words for the user.

use std::fmt;

use super::Format;
use super::ledger::{FileRead, sha256_of_list};
use super::text::Delimiter;
use super::tu::TuCoding;

/// What was read, and everything that was decided or repaired on the way.
///
/// A command prints the notes, a line each.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadReport {
    /// The format the file was read as.
    pub format: Option<Format>,
    /// Names of the classes behind the class numbers: of the nodes of one
    /// graph, or of the graphs of a set.
    pub classes: Option<Vec<String>>,
    /// Names of the graphs of a set, where it names them.
    pub graph_names: Option<Vec<String>>,
    /// Names of the node features, where the file names them.
    pub feature_names: Option<Vec<String>>,
    /// How the labels and attributes of a TU data set became features.
    pub coding: Option<TuCoding>,
    /// What was decided and repaired, in order.
    pub notes: Vec<Note>,
    /// The files that were read, sorted by name; none where the content was in
    /// memory already.
    pub files: Vec<FileRead>,
}

impl ReadReport {
    /// An empty report on a file of this format.
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format: Some(format),
            ..Self::default()
        }
    }

    /// One checksum for all files that were read: that of the only one, or that
    /// of the list of their checksums and names. It does not depend on where the
    /// files are. `None` where nothing was read from a file.
    #[must_use]
    pub fn sha256(&self) -> Option<String> {
        let files = self.files.iter();
        let list: Vec<_> = files.map(|file| (&*file.sha256, &*file.name)).collect();
        (!list.is_empty()).then(|| sha256_of_list(&list))
    }
}

/// One thing that a reader decided or repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// What separates the fields of an edge list.
    Delimiter(Delimiter),
    /// The first line was taken for column names.
    Header,
    /// A column of edge weights was found; its name where it has one.
    Weights(Option<String>),
    /// Columns that mean nothing to the reader.
    IgnoredColumns(Vec<String>),
    /// Node names that are not the numbers from 0 on were numbered.
    NumberedNodes {
        /// Whether the names are whole numbers, taken in rising order, and not
        /// text, taken as it appears.
        rising: bool,
    },
    /// The same edge was listed several times.
    DuplicatesMerged {
        /// How many of them were dropped.
        dropped: usize,
        /// Whether their weights were added up.
        summed: bool,
    },
    /// Edges from a node to itself.
    SelfLoops {
        /// How many.
        count: usize,
        /// Whether they were dropped.
        dropped: bool,
    },
    /// Edges back were added.
    Symmetrised {
        /// How many.
        added: usize,
    },
    /// The edges went both ways already.
    AlreadySymmetric,
    /// The edges go one way and were left so.
    DirectionsKept,
    /// Nodes that only features or labels name.
    IsolatedNodes {
        /// How many were added.
        added: usize,
    },
    /// Rows were matched to nodes by their order, because they bear no names.
    RowsInOrder {
        /// Of what, such as `features`.
        of: &'static str,
    },
    /// A column or attribute that did not become a feature.
    FeatureLeftOut {
        /// Its name.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// Something worth saying that needs no handling.
    Remark(String),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Delimiter(delimiter) => write!(f, "fields are separated by {delimiter}"),
            Self::Header => f.write_str("the first line is a header"),
            Self::Weights(Some(name)) => write!(f, "column `{name}` holds the edge weights"),
            Self::Weights(None) => f.write_str("the third column holds the edge weights"),
            Self::IgnoredColumns(names) => {
                write!(f, "columns that were not used: {}", names.join(", "))
            }
            Self::NumberedNodes { rising: true } => {
                f.write_str("nodes are numbered in the rising order of their ids")
            }
            Self::NumberedNodes { rising: false } => {
                f.write_str("nodes are numbered in the order in which they appear")
            }
            Self::DuplicatesMerged { dropped, summed } => {
                let how = if *summed {
                    ", their weights added up"
                } else {
                    ""
                };
                write!(f, "{dropped} repeated edges were merged{how}")
            }
            Self::SelfLoops { count, dropped } => {
                let how = if *dropped { "dropped" } else { "kept" };
                write!(f, "{count} self-loops were {how}")
            }
            Self::Symmetrised { added } => write!(
                f,
                "the edges went one way: {added} edges back were added (keep directions to prevent it)"
            ),
            Self::AlreadySymmetric => f.write_str("every edge goes both ways"),
            Self::DirectionsKept => f.write_str("the edges go one way and were left so"),
            Self::IsolatedNodes { added } => {
                write!(f, "{added} nodes without any edge were added")
            }
            Self::RowsInOrder { of } => {
                write!(
                    f,
                    "{of} bear no node ids: rows were taken in the order of the nodes"
                )
            }
            Self::FeatureLeftOut { name, why } => {
                write!(f, "`{name}` is not used as a feature: {why}")
            }
            Self::Remark(remark) => f.write_str(remark),
        }
    }
}
