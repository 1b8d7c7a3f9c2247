//! `bnpool data`: data sets and graph files.

mod convert;
mod generate;
#[cfg(feature = "download")]
mod get;
mod info;
mod list;
mod output;
mod verify;

use crate::Program;
use crate::terminal::message::Failure;
use bnpool_io::dataset::LoadOptions;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// What to do with the data sets.
#[derive(Subcommand)]
pub enum Data {
    /// Table of all data sets: task, counts, and whether they are here.
    List(list::Arguments),
    /// Counts, densities and degrees of one data set.
    Info(info::Arguments),
    /// Download a data set over HTTPS.
    #[cfg(feature = "download")]
    Get(get::Arguments),
    /// Compare the files of a data set with their checksums.
    Verify(verify::Arguments),
    /// Make a synthetic graph or data set from a seed.
    Generate(generate::Arguments),
    /// Convert a graph file into another format.
    Convert(convert::Arguments),
}

impl Data {
    /// Runs the subcommand.
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        match self {
            Self::List(a) => a.run(),
            Self::Info(a) => a.run(program.terms),
            #[cfg(feature = "download")]
            Self::Get(a) => a.run(),
            Self::Verify(a) => a.run(),
            Self::Generate(a) => a.run(),
            Self::Convert(a) => a.run(program.terms),
        }
    }
}

/// Where data sets are looked for.
#[derive(Args)]
pub struct Place {
    /// Folder of the data sets; else BNPOOL_DATA, else the user's data directory.
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// The isomorphism-free version of a TU set.
    #[arg(long)]
    cleaned: bool,
}

impl Place {
    /// Returns the options for loading data sets, as in the paper.
    fn load_options(&self) -> LoadOptions {
        LoadOptions {
            data_dir: self.data_dir.clone(),
            cleaned: self.cleaned,
            ..LoadOptions::paper()
        }
    }
}
