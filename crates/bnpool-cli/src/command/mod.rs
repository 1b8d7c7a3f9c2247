//! Subcommands, one per file.

mod cluster;
mod compare;
mod completions;
mod data;
mod man;
mod predict;
mod report;
mod reproduce;
mod train;

use crate::Program;
use crate::terminal::message::Failure;
use clap::Subcommand;

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Find the communities of one graph, without being told how many.
    Cluster(Box<cluster::Arguments>),
    /// Classify whole graphs or predict numbers for them.
    Train(Box<train::Arguments>),
    /// Apply a trained run to new graphs.
    Predict(predict::Arguments),
    /// Compare poolers on the same data, folds, settings and seeds.
    Compare(Box<compare::Arguments>),
    /// Reproduce the tables and figures of the paper.
    Reproduce(Box<reproduce::Arguments>),
    /// Data sets and graph files: list, info, get, verify, generate, convert.
    #[command(subcommand)]
    Data(data::Data),
    /// Write the HTML report of a run again, or its pictures.
    Report(report::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
    /// Print the manual, or write one page per subcommand.
    Man(man::Arguments),
}

impl Command {
    /// Runs a rank other than rank 0; returns its exit code.
    pub fn follow(self, program: &Program) -> Result<u8, Failure> {
        match self {
            Self::Cluster(arguments) => arguments.follow(program),
            Self::Train(arguments) => arguments.follow(program),
            _ => Err(Failure::silent(2)),
        }
    }

    /// Runs the command.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        match self {
            Self::Cluster(arguments) => arguments.run(program),
            Self::Train(arguments) => arguments.run(program),
            Self::Predict(arguments) => arguments.run(program),
            Self::Compare(arguments) => arguments.run(program),
            Self::Reproduce(arguments) => arguments.run(program),
            Self::Data(data) => data.run(program),
            Self::Report(arguments) => arguments.run(program),
            Self::Completions(arguments) => arguments.run(),
            Self::Man(arguments) => arguments.run(),
        }
    }
}
