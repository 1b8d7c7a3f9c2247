//! `bnpool report`: report of an existing run.

use crate::Program;
use crate::terminal::front::Terminal;
use crate::terminal::message::Failure;
use bnpool_task::run::RunDirectory;
use bnpool_task::run::task_of;
use bnpool_task::{cluster, learn};
use clap::Args;
use std::path::PathBuf;

/// Flags of `bnpool report`.
#[derive(Args)]
#[command(after_help = "Examples:
  bnpool report runs/cluster-community-bn-0
  bnpool report runs/cluster-community-bn-0 --plots pictures")]
pub struct Arguments {
    /// The directory of the run.
    run: PathBuf,
    /// Also write every picture to this directory: as SVG, and as PNG if bnpool was
    /// built with the feature `png`.
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,
    /// Where data sets are looked for (or BNPOOL_DATA).
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Arguments {
    /// Reads the run and writes its report.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut directory = RunDirectory::at(&self.run);
        directory.enter()?;
        let (data_dir, plots) = (self.data_dir.as_deref(), self.plots.as_deref());
        let task = task_of(&directory)?;
        if task.starts_with("compare") {
            return Err(Failure::input(format!(
                "{} holds a comparison; `bnpool compare --resume --out {0}` makes its page again",
                self.run.display()
            )));
        }
        if task == "train" {
            let plan = learn::run::Plan::read(directory.clone())?;
            learn::run::remake_report(&plan, data_dir, plots, program.terms)?;
        } else {
            let front = Terminal {
                command: "report",
                quiet: false,
            };
            let plan = cluster::run::Plan::read(directory.clone())?;
            cluster::run::remake_report(&plan, data_dir, plots, program.context(&front))?;
        }
        say!("{}", directory.file("report.html").display());
        Ok(())
    }
}
