//! A file a sub-command.

pub mod cluster;
mod data;
mod report;

use crate::message::Failure;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Find the communities of one graph, without being told how many.
    Cluster(Box<cluster::Arguments>),
    /// Data sets and graph files: list, info, get, verify, generate, convert.
    #[command(subcommand)]
    Data(data::Data),
    /// Make the HTML report of a run again, or its pictures.
    Report(report::Arguments),
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Self::Cluster(arguments) => arguments.run(),
            Self::Data(data) => data.run(),
            Self::Report(arguments) => arguments.run(),
        }
    }
}
