//! The command `bnpool`.

// They panic on a closed pipe; `say!` and `tell!` ignore it.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod message;

mod command;
mod destination;
mod directory;
mod input;
mod interrupt;
mod layers;
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

use clap::Parser;
use command::Command;
use ranks::Job;
use std::process::ExitCode;

/// Training frees and takes the same large arrays in every epoch. The system's
/// allocator returns them to the kernel each time, and the page faults of
/// getting them back cost a third of an epoch; this one keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Communities and pooled graphs, with the number of clusters learned.
#[derive(Parser)]
#[command(name = "bnpool", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        // Only what the user asked for; nothing of it is foreign.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(_) if !ranks::is_first() => return ExitCode::from(2),
        Err(error) => {
            tell!("{}", error.render().to_string().trim_end());
            return ExitCode::from(2);
        }
    };
    let job = match Job::begin(matches!(arguments.command, Command::Train(_))) {
        Ok(job) => job,
        Err(failure) => return ExitCode::from(failure.report()),
    };
    let code = match ranks::leads() {
        true => lead(arguments.command),
        false => follow(arguments.command),
    };
    job.end(code);
    ExitCode::from(code)
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
