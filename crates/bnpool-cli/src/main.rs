//! The command `bnpool`.

mod command;
mod directory;
mod message;
mod report;
mod run;
mod settings;

use clap::Parser;
use command::Command;
use std::process::ExitCode;

/// Communities and pooled graphs, with the number of clusters learned.
#[derive(Parser)]
#[command(name = "bnpool", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
