//! Options for reading graph files.

use crate::Failure;
use bnpool_io::format::{Encoding, Format, Limits, ReadOptions, Weights};
use serde::{Deserialize, Serialize};

/// Keyword for no weights.
const NONE: &str = "none";
/// Keyword for the number of times that an edge is listed.
const COUNT: &str = "count";

/// Options for reading a graph file, as stored in `run.toml`. [`Default`] leaves all
/// decisions to the reader.
///
/// ```
/// use bnpool_task::Reading;
///
/// let reading = Reading {
///     source: Some("from".into()),
///     target: Some("to".into()),
///     directed: true,
///     ..Reading::default()
/// };
/// assert!(reading.options().directed);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Reading {
    /// Format, if not determined by the name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Column of the sources in an edge list: a name in the header, or a number from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Column of the targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Column or edge attribute of the weights; `none` for no weights, `count` for the
    /// number of times that an edge is listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// Whether the first line contains the names of the columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// Whether the columns of an edge list contain two kinds of nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bipartite: Option<bool>,
    /// Encoding of text files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// Whether to leave out lines of edge lists that cannot be read.
    #[serde(skip_serializing_if = "is_false")]
    pub skip_bad: bool,
    /// Whether to keep the directions of edges; otherwise all edges are
    /// undirected.
    #[serde(skip_serializing_if = "is_false")]
    pub directed: bool,
    /// Whether to drop self-loops.
    #[serde(skip_serializing_if = "is_false")]
    pub drop_self_loops: bool,
    /// Whether to keep nodes with features or labels but without edges.
    #[serde(skip_serializing_if = "is_false")]
    pub keep_isolated: bool,
    /// Node attributes that are used as features.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_attributes: Vec<String>,
    /// Maximum size of a file, uncompressed, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // Signature required by serde.
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Reading {
    /// Returns whether all decisions are left to the reader.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Returns an error if there are options together with the name of a data
    /// set, to which they do not apply.
    pub(crate) fn refuse_for_dataset(&self, name: &str) -> Result<(), Failure> {
        if self.is_default() {
            Ok(())
        } else {
            Err(Failure::input(format!(
                "`{name}` is a data set, and options for reading files do not apply to it; leave them out"
            )))
        }
    }

    /// Returns the options of the readers.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        let limits = Limits::default();
        ReadOptions {
            format: self.format,
            source: self.source.clone(),
            target: self.target.clone(),
            weights: match self.weight.as_deref() {
                None => Weights::Auto,
                Some(NONE) => Weights::Ignore,
                Some(COUNT) => Weights::Count,
                Some(column) => Weights::Column(column.to_owned()),
            },
            header: self.header,
            bipartite: self.bipartite,
            encoding: self.encoding,
            skip_bad: self.skip_bad,
            directed: self.directed,
            drop_self_loops: self.drop_self_loops,
            add_isolated: self.keep_isolated,
            node_attributes: self.node_attributes.clone(),
            limits: Limits {
                max_bytes: self.max_bytes.unwrap_or(limits.max_bytes),
                ..limits
            },
            ..ReadOptions::default()
        }
    }

    /// Returns these options for new graphs, completed by those of the training graphs
    /// as far as they apply to the format.
    #[must_use]
    pub fn options_like(&self, trained: &Self, format: Format) -> ReadOptions {
        let mut options = self.options();
        let before = trained.options().for_format(format);
        options.source = options.source.or(before.source);
        options.target = options.target.or(before.target);
        if self.weight.is_none() {
            options.weights = before.weights;
        }
        options.header = options.header.or(before.header);
        options.bipartite = options.bipartite.or(before.bipartite);
        options.encoding = options.encoding.or(before.encoding);
        options.skip_bad |= before.skip_bad;
        options.directed |= before.directed;
        options.drop_self_loops |= before.drop_self_loops;
        options.add_isolated |= before.add_isolated;
        if options.node_attributes.is_empty() {
            options.node_attributes = before.node_attributes;
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_graphs_are_read_like_those_of_the_training() {
        let trained = Reading {
            format: Some(Format::Folder),
            weight: Some("miles".into()),
            directed: true,
            node_attributes: vec!["age".into()],
            ..Reading::default()
        };
        let none = Reading::default();
        let gml = none.options_like(&trained, Format::Gml);
        assert_eq!((gml.format, gml.directed), (None, true));
        assert_eq!(gml.node_attributes, ["age"]);
        assert_eq!(gml.weights, Weights::Column("miles".into()));
        let list = none.options_like(&trained, Format::EdgeList);
        assert!(list.node_attributes.is_empty());
        let own = Reading {
            weight: Some("none".into()),
            ..Reading::default()
        };
        assert_eq!(
            own.options_like(&trained, Format::Gml).weights,
            Weights::Ignore
        );
    }

    #[test]
    fn options_are_kept_as_they_are_given() {
        let flags = Reading {
            format: Some(Format::EdgeList),
            source: Some("von".into()),
            weight: Some("none".into()),
            header: Some(false),
            bipartite: Some(true),
            encoding: Some(Encoding::Windows1252),
            skip_bad: true,
            directed: true,
            node_attributes: vec!["a".into(), "b".into()],
            max_bytes: Some(1000),
            ..Reading::default()
        };
        let text = toml::to_string(&flags).expect("TOML");
        assert!(!text.contains("keep_isolated"), "{text}");
        assert_eq!(toml::from_str::<Reading>(&text).expect("flags"), flags);
        assert_eq!(toml::to_string(&Reading::default()).expect("TOML"), "");
    }
}
