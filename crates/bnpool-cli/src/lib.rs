//! The command `bnpool` as a library: [`run`] is the whole program.
//!
//! This crate handles flags, output and signals. The work is done by
//! `bnpool-task`.

// The standard macros panic on a closed pipe; `say!` and `tell!` ignore it.
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod terminal;

mod command;
mod flags;
mod process;

pub use terminal::remedy::flag;

use bnpool_task::Terms;
use bnpool_task::ranks::Ranks;
use clap::Parser;
use command::Command;
use process::{interrupt, job::Job};
use std::ffi::OsString;
use terminal::message;

/// Communities and pooled graphs, with the number of clusters learned.
#[derive(Parser)]
#[command(name = "bnpool", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// Environment of a subcommand.
struct Program {
    /// Wording for changes that the user can make.
    terms: Terms,
    /// Ranks of the job.
    ranks: Ranks,
}

/// Runs the command with these arguments, the first of which is the name of the program,
/// and returns its exit code. Messages use the wording of `terms` for changes, usually
/// [`flag`].
///
/// It installs signal handlers and may exit the process.
#[must_use]
pub fn run(arguments: impl IntoIterator<Item = OsString>, terms: Terms) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Requested by the user, and without foreign text.
        Err(error) if !error.use_stderr() => error.exit(),
        Err(_) if !process::job::is_first() => return 2,
        Err(error) => {
            tell!("{}", error.render().to_string().trim_end());
            return 2;
        }
    };
    let runs_on_ranks = matches!(arguments.command, Command::Train(_) | Command::Cluster(_));
    let (job, ranks) = match Job::begin(runs_on_ranks) {
        Ok(begun) => begun,
        Err(failure) => return message::report(&failure, terms),
    };
    let program = Program { terms, ranks };
    let code = if program.ranks.leads() {
        lead(arguments.command, &program)
    } else {
        follow(arguments.command, &program)
    };
    job.end(&program.ranks, code);
    code
}

/// Runs the command on rank 0; returns the exit code.
fn lead(command: Command, program: &Program) -> u8 {
    let ended = interrupt::listen()
        .and_then(|()| command.run(program))
        .and_then(|()| message::all_said());
    match ended {
        Ok(()) => 0,
        Err(failure) => message::report(&failure, program.terms),
    }
}

/// Runs a rank other than rank 0; returns the exit code.
fn follow(command: Command, program: &Program) -> u8 {
    match interrupt::listen().and_then(|()| command.follow(program)) {
        Ok(code) => code,
        Err(failure) => program
            .context(&terminal::front::Silent)
            .end_all_ranks(&failure),
    }
}
