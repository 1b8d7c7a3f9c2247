//! A file a sub-command.

mod cluster;
mod data;

use crate::message::Failure;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Find the communities of one graph, without being told how many.
    Cluster(cluster::Arguments),
    /// Data sets and graph files: list, info, get, verify, generate, convert.
    #[command(subcommand)]
    Data(data::Data),
}

impl Command {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self {
            Self::Cluster(arguments) => arguments.run(),
            Self::Data(data) => data.run(),
        }
    }
}
