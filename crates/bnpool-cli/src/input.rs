//! How a graph file is read: flags, and what `run.toml` keeps of them.

use crate::message::Failure;
use bnpool_io::format::{Format, Limits, ReadOptions, Weights};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};

/// The word that stands for no weights.
const NONE: &str = "none";

/// Whether there is a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    /// There is one.
    Yes,
    /// There is none.
    No,
}

/// Flags of every command that reads graph files.
#[derive(Args, Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[command(next_help_heading = "How files are read")]
#[serde(default)]
pub struct InputFlags {
    #[arg(long, value_name = "FORMAT", help = format_help())]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Column of an edge list that holds the sources: a name of the header, or
    /// a number from 1 on.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Column that holds the targets.
    #[arg(long, value_name = "COLUMN")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Column of an edge list, or edge attribute of other formats, that holds the
    /// weights; `none` to read no weights.
    #[arg(long, value_name = "COLUMN|none")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// Whether the first line of an edge list or a matrix names its columns.
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub header: Option<YesNo>,
    /// Keep the directions of the edges; otherwise every edge goes both ways.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub directed: bool,
    /// Drop edges from a node to itself.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub drop_self_loops: bool,
    /// Keep nodes that have features or labels, but no edge.
    #[arg(long)]
    #[serde(skip_serializing_if = "is_false")]
    pub keep_isolated: bool,
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help = attributes_help())]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub node_attributes: Vec<String>,
    /// Largest file to read, unpacked, in bytes; 8 GiB by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
}

fn format_help() -> String {
    let mut names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    let last = names.pop().unwrap_or_default();
    format!(
        "Format, if the name of the file does not tell: {} or {last}",
        names.join(", ")
    )
}

fn attributes_help() -> String {
    let holding = Format::with(|holds| holds.attributes && !holds.columns);
    let titles: Vec<_> = holding.map(Format::title).collect();
    format!(
        "Node attributes ({}) that are features; without it none is",
        titles.join(", ")
    )
}

#[allow(clippy::trivially_copy_pass_by_ref)] // As serde calls it.
fn is_false(flag: &bool) -> bool {
    !flag
}

impl InputFlags {
    /// Whether no flag is given.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// The options of the readers.
    pub fn options(&self) -> ReadOptions {
        let limits = Limits::default();
        ReadOptions {
            format: self.format,
            source: self.source.clone(),
            target: self.target.clone(),
            weights: match self.weight.as_deref() {
                None => Weights::Auto,
                Some(NONE) => Weights::Ignore,
                Some(column) => Weights::Column(column.to_owned()),
            },
            header: self.header.map(|header| header == YesNo::Yes),
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

    /// These flags for new graphs, and where none is given those with which the
    /// training graphs were read, as far as they mean something for the format.
    pub fn options_like(&self, trained: &Self, format: Format) -> ReadOptions {
        let mut options = self.options();
        let before = trained.options().for_format(format);
        options.source = options.source.or(before.source);
        options.target = options.target.or(before.target);
        if self.weight.is_none() {
            options.weights = before.weights;
        }
        options.header = options.header.or(before.header);
        options.directed |= before.directed;
        options.drop_self_loops |= before.drop_self_loops;
        options.add_isolated |= before.add_isolated;
        if options.node_attributes.is_empty() {
            options.node_attributes = before.node_attributes;
        }
        options
    }

    /// Refuses flags for files beside the name of a data set.
    pub fn check_unused(&self, name: &str) -> Result<(), Failure> {
        let flags = [
            ("--format", self.format.is_some()),
            ("--source", self.source.is_some()),
            ("--target", self.target.is_some()),
            ("--weight", self.weight.is_some()),
            ("--header", self.header.is_some()),
            ("--directed", self.directed),
            ("--drop-self-loops", self.drop_self_loops),
            ("--keep-isolated", self.keep_isolated),
            ("--node-attributes", !self.node_attributes.is_empty()),
            ("--max-bytes", self.max_bytes.is_some()),
        ];
        refuse_flags(&flags, name)
    }
}

/// Refuses the first flag that is given beside the name of a data set.
pub fn refuse_flags(flags: &[(&str, bool)], name: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Input(format!(
            "{flag} is for graph files, and `{name}` is a data set; leave it out"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_graphs_are_read_like_those_of_the_training() {
        let trained = InputFlags {
            format: Some(Format::Folder),
            weight: Some("miles".into()),
            directed: true,
            node_attributes: vec!["age".into()],
            ..InputFlags::default()
        };
        let none = InputFlags::default();
        let gml = none.options_like(&trained, Format::Gml);
        assert_eq!((gml.format, gml.directed), (None, true));
        assert_eq!(gml.node_attributes, ["age"]);
        assert_eq!(gml.weights, Weights::Column("miles".into()));
        let list = none.options_like(&trained, Format::EdgeList);
        assert!(list.node_attributes.is_empty());
        let own = InputFlags {
            weight: Some("none".into()),
            ..InputFlags::default()
        };
        assert_eq!(
            own.options_like(&trained, Format::Gml).weights,
            Weights::Ignore
        );
    }

    #[test]
    fn flags_are_kept_as_they_are_given() {
        let flags = InputFlags {
            format: Some(Format::EdgeList),
            source: Some("von".into()),
            weight: Some("none".into()),
            header: Some(YesNo::No),
            directed: true,
            node_attributes: vec!["a".into(), "b".into()],
            max_bytes: Some(1000),
            ..InputFlags::default()
        };
        let text = toml::to_string(&flags).expect("TOML");
        assert!(!text.contains("keep_isolated"), "{text}");
        assert_eq!(toml::from_str::<InputFlags>(&text).expect("flags"), flags);
        assert_eq!(toml::to_string(&InputFlags::default()).expect("TOML"), "");
    }
}
