//! The command `bnpool`.

use bnpool_cli::Launcher;
use std::process::ExitCode;

/// Training frees and takes the same large arrays in every epoch. The system's
/// allocator returns them to the kernel each time, and the page faults of
/// getting them back cost a third of an epoch; this one keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(bnpool_cli::run(
        std::env::args_os(),
        Launcher::default(),
        bnpool_cli::flag,
    ))
}
