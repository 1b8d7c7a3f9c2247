//! Common parts of all commands that train: flags and threads.

use crate::terminal::message::Failure;
use bnpool_task::run::{Place, Resumption};
use clap::Args;
use std::path::PathBuf;

/// Largest number of threads and jobs, more than the cores of any machine.
pub const MOST_THREADS: usize = 1024;

/// Flags of every run.
#[derive(Args)]
pub struct RunFlags {
    /// Seed of everything random.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Threads to use; all cores by default. The result does not depend on it.
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// A file of settings (TOML); see `run.toml` of any run for the keys.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// One setting, e.g. pooler.alpha_dp=10; can be given several times.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub sets: Vec<String>,
    /// At most this many epochs.
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Directory of the results; by default a new one under `runs/`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with the run in the directory, or with the newest unfinished one.
    #[arg(long)]
    pub resume: bool,
    /// Replace the results that are in the directory.
    #[arg(long, conflicts_with = "resume")]
    pub overwrite: bool,
    /// The metrics as JSON, and nothing else, on standard output.
    #[arg(long)]
    pub json: bool,
    /// No progress, only the result.
    #[arg(long)]
    pub quiet: bool,
    /// The losses of the paper in the progress.
    #[arg(long, conflicts_with = "quiet")]
    pub verbose: bool,
    /// Where data sets are looked for and kept (or BNPOOL_DATA).
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

impl RunFlags {
    /// Returns the seed in the type of settings.
    pub fn seed_setting(&self) -> Result<Option<i64>, Failure> {
        self.seed
            .map(|seed| {
                i64::try_from(seed).map_err(|_| {
                    Failure::input(format!("--seed {seed}: at most {} can be kept", i64::MAX))
                })
            })
            .transpose()
    }

    /// Returns the directory of a new run.
    pub fn place(&self) -> Place {
        Place {
            out: self.out.clone(),
            overwrite: self.overwrite,
        }
    }

    /// Returns the run to continue.
    pub fn resumption(&self, pooler: Option<&str>) -> Resumption {
        Resumption {
            out: self.out.clone(),
            pooler: pooler.map(str::to_owned),
            seed: self.seed,
            epochs: self.epochs,
            with_settings: !self.sets.is_empty(),
        }
    }

    /// Runs `f` inside its own thread pool, because submitting small tasks from
    /// outside costs more than the tasks.
    pub fn on_threads<R: Send>(
        &self,
        f: impl FnOnce() -> Result<R, Failure> + Send,
    ) -> Result<R, Failure> {
        if self.threads == Some(0) {
            return Err(Failure::input("--threads 0: at least one thread is needed"));
        }
        if let Some(threads) = self.threads
            && threads > MOST_THREADS
        {
            return Err(Failure::input(format!(
                "--threads {threads}: at most {MOST_THREADS} can be used"
            )));
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.unwrap_or(0))
            .build()
            .map_err(|e| {
                Failure::input(format!(
                    "threads could not be started: {e}; use fewer with --threads N"
                ))
            })?
            .install(f)
    }
}
