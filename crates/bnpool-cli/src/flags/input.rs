//! Flags for reading graph files.

use bnpool_io::format::{Encoding, Format};
use bnpool_task::{Failure, Reading};
use clap::{Args, ValueEnum};

/// Whether there is a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum YesNo {
    /// There is one.
    Yes,
    /// There is none.
    No,
}

/// Flags of every command that reads graph files.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "How files are read")]
pub struct InputFlags {
    #[arg(long, value_name = "FORMAT", help = format_help())]
    pub format: Option<Format>,
    /// Column of an edge list that holds the sources: a name of the header, or
    /// a number from 1 on.
    #[arg(long, value_name = "COLUMN")]
    pub source: Option<String>,
    /// Column that holds the targets.
    #[arg(long, value_name = "COLUMN")]
    pub target: Option<String>,
    /// Column of an edge list, or edge attribute of other formats, that holds the
    /// weights; `none` to read no weights, `count` to count how often an edge is listed
    /// (by default without weights if lines repeat).
    #[arg(long, value_name = "COLUMN|count|none")]
    pub weight: Option<String>,
    /// Whether the first line of an edge list or a matrix names its columns.
    #[arg(long, value_enum, value_name = "yes|no", hide_possible_values = true)]
    pub header: Option<YesNo>,
    /// Whether the two columns of an edge list hold two kinds of nodes, so that `7` in
    /// both is two nodes; found out by default.
    #[arg(
        long,
        value_enum,
        value_name = "yes|no",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "yes",
        hide_possible_values = true
    )]
    pub bipartite: Option<YesNo>,
    /// Encoding of text: utf-8, windows-1252 or utf-16; found out by default.
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<Encoding>,
    /// Leave out lines of an edge list that cannot be read, and count them.
    #[arg(long)]
    pub skip_bad: bool,
    /// Keep the directions of the edges; otherwise every edge goes both ways.
    #[arg(long)]
    pub directed: bool,
    /// Drop edges from a node to itself.
    #[arg(long)]
    pub drop_self_loops: bool,
    /// Keep nodes that have features or labels, but no edge.
    #[arg(long)]
    pub keep_isolated: bool,
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', help = attributes_help())]
    pub node_attributes: Vec<String>,
    /// Largest file to read, unpacked, in bytes; 8 GiB by default.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=i64::MAX as u64))]
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
    let holding = Format::with(|holds| holds.attributes && !holds.header);
    let titles: Vec<_> = holding.map(Format::title).collect();
    format!(
        "Node attributes ({}) that are features; without it none is",
        titles.join(", ")
    )
}

impl InputFlags {
    /// Returns the options of these flags.
    pub fn reading(&self) -> Reading {
        Reading {
            format: self.format,
            source: self.source.clone(),
            target: self.target.clone(),
            weight: self.weight.clone(),
            header: self.header.map(|header| header == YesNo::Yes),
            bipartite: self.bipartite.map(|two| two == YesNo::Yes),
            encoding: self.encoding,
            skip_bad: self.skip_bad,
            directed: self.directed,
            drop_self_loops: self.drop_self_loops,
            keep_isolated: self.keep_isolated,
            node_attributes: self.node_attributes.clone(),
            max_bytes: self.max_bytes,
        }
    }

    /// Returns an error if flags for files are used with the name of a data
    /// set.
    pub fn check_unused(&self, name: &str) -> Result<(), Failure> {
        let flags = [
            ("--format", self.format.is_some()),
            ("--source", self.source.is_some()),
            ("--target", self.target.is_some()),
            ("--weight", self.weight.is_some()),
            ("--header", self.header.is_some()),
            ("--bipartite", self.bipartite.is_some()),
            ("--encoding", self.encoding.is_some()),
            ("--skip-bad", self.skip_bad),
            ("--directed", self.directed),
            ("--drop-self-loops", self.drop_self_loops),
            ("--keep-isolated", self.keep_isolated),
            ("--node-attributes", !self.node_attributes.is_empty()),
            ("--max-bytes", self.max_bytes.is_some()),
        ];
        refuse_flags(&flags, name)
    }
}

/// Returns an error that names the first flag that is used with the name of a
/// data set.
pub fn refuse_flags(flags: &[(&str, bool)], name: &str) -> Result<(), Failure> {
    match flags.iter().find(|(_, given)| *given) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::input(format!(
            "{flag} is for graph files, and `{name}` is a data set; leave it out"
        ))),
    }
}
