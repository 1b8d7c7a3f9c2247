//! `bnpool man`: manual pages, generated from the help texts.

use crate::Arguments as Program;
use crate::terminal::message::{Failure, write_table};
use bnpool_io::format::write_atomically;
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

/// Flags of `bnpool man`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool man | man -l -
  bnpool man cluster | man -l -
  bnpool man --out ~/.local/share/man/man1")]
pub struct Arguments {
    /// The subcommand; without one, the command itself.
    command: Vec<String>,
    /// Write one page per subcommand to this directory.
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

impl Arguments {
    /// Prints one page, or writes all pages.
    pub fn run(self) -> Result<(), Failure> {
        let mut program = Program::command();
        program.build();
        match self.out {
            Some(directory) => write_all(&program, &directory),
            None => {
                let page = render(find(&program, &self.command)?)?;
                write_table(String::from_utf8_lossy(&page).trim_end());
                Ok(())
            }
        }
    }
}

/// Returns the subcommand with this path.
fn find<'a>(program: &'a Command, words: &[String]) -> Result<&'a Command, Failure> {
    words.iter().try_fold(program, |command, word| {
        command.find_subcommand(word).ok_or_else(|| {
            let names: Vec<&str> = shown(command).map(Command::get_name).collect();
            let choice = if names.is_empty() {
                format!("`{}` has no subcommands", command.get_name())
            } else {
                format!("choose from {}", names.join(", "))
            };
            Failure::input(format!("there is no subcommand `{word}`; {choice}"))
        })
    })
}

/// Returns the subcommands that have a page.
fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|inner| inner.get_name() != "help" && !inner.is_hide_set())
}

fn render(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .map_err(|e| Failure::running(format!("the manual cannot be made: {e}")))?;
    Ok(page)
}

/// Writes the pages of a command and of its subcommands.
fn write_all(command: &Command, directory: &Path) -> Result<(), Failure> {
    let page = render(command)?;
    std::fs::create_dir_all(directory).map_err(|e| {
        Failure::input(format!(
            "{}: cannot make the directory: {e}; choose another one with --out",
            directory.display()
        ))
    })?;
    let name = command.get_display_name().unwrap_or(command.get_name());
    let path = directory.join(format!("{name}.1"));
    write_atomically(&path, |file| file.write_all(&page))?;
    say!("{}", path.display());
    shown(command).try_for_each(|inner| write_all(inner, directory))
}
