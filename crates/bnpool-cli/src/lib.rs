//! The command `bnpool` as a library: [`run`] is the command, and [`library`] has
//! what a front end in another language shares with it, such as run directories
//! and reports.

// They panic on a closed pipe; `say!` and `tell!` ignore it.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod message;

mod child;
mod command;
mod destination;
mod directory;
mod input;
mod interrupt;
mod launcher;
mod layers;
pub mod library;
mod metrics;
mod plan;
mod pooler;
mod preset;
mod ranks;
mod remedy;
mod report;
mod run;
mod seal;
mod session;
mod settings;
mod stage;

pub use launcher::Launcher;
pub use message::Failure;
pub use remedy::{Terms, speak_in};

use clap::Parser;
use command::Command;
use ranks::Job;
use std::ffi::OsString;

/// Communities and pooled graphs, with the number of clusters learned.
#[derive(Parser)]
#[command(name = "bnpool", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Runs the command with these arguments, the first of which is the name of the
/// program, and gives its exit code. Processes of its own are started by the
/// launcher.
///
/// It listens for signals and may end the process: this is the whole program, and
/// no function of one.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>, launcher: Launcher) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Only what the user asked for; nothing of it is foreign.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(_) if !ranks::is_first() => return 2,
        Err(error) => {
            tell!("{}", error.render().to_string().trim_end());
            return 2;
        }
    };
    launcher.install();
    let job = match Job::begin(matches!(
        arguments.command,
        Command::Train(_) | Command::Cluster(_)
    )) {
        Ok(job) => job,
        Err(failure) => return failure.report(),
    };
    let code = if ranks::leads() {
        lead(arguments.command)
    } else {
        follow(arguments.command)
    };
    job.end(code);
    code
}

/// Runs the command; gives the exit code.
fn lead(command: Command) -> u8 {
    let ended = interrupt::listen()
        .and_then(|()| command.run())
        .and_then(|()| message::all_said());
    match ended {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

/// Does the part of a rank other than the first; gives the exit code.
fn follow(command: Command) -> u8 {
    match interrupt::listen().and_then(|()| command.follow()) {
        Ok(code) => code,
        Err(failure) => failure.end_all_ranks(),
    }
}
