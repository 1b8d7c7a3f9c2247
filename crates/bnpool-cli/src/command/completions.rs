//! `bnpool completions`: completion scripts for shells.

use crate::Arguments as Program;
use crate::terminal::message::{Failure, write_table};
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Flags of `bnpool completions`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool completions bash > ~/.local/share/bash-completion/completions/bnpool
  bnpool completions zsh > ~/.zfunc/_bnpool
  bnpool completions fish > ~/.config/fish/completions/bnpool.fish")]
pub struct Arguments {
    /// The shell.
    shell: Shell,
}

impl Arguments {
    /// Prints the script.
    pub fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Program::command(), "bnpool", &mut script);
        write_table(String::from_utf8_lossy(&script).trim_end());
        Ok(())
    }
}
