//! The command `bnpool`.

use std::process::ExitCode;

/// Training frees and allocates large arrays in each epoch. The allocator of
/// the system returns them to the kernel each time, and the resulting page
/// faults cost a third of an epoch. This allocator keeps them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(bnpool_cli::run(std::env::args_os(), bnpool_cli::flag))
}
