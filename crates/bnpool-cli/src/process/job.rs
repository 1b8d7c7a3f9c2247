//! The `mpirun` job of this process.

use crate::terminal::message::Failure;
#[cfg(feature = "mpi")]
use bnpool::parallel::Collective;
use bnpool_task::ranks::{Order, Ranks};
#[cfg(feature = "mpi")]
use std::sync::Arc;

/// The job of this process, which ends when the value is dropped.
pub struct Job {
    #[cfg(feature = "mpi")]
    _session: Option<bnpool_mpi::Session>,
}

/// Returns the number of ranks and the own rank from the environment variables of
/// the launcher.
fn launched() -> Option<(usize, usize)> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<usize>().ok();
    let pairs = [
        ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
        ("PMI_SIZE", "PMI_RANK"),
        ("SLURM_STEP_NUM_TASKS", "PMIX_RANK"),
    ];
    pairs
        .iter()
        .find_map(|(size, rank)| Some((number(size)?, number(rank)?)))
        .filter(|(size, _)| *size > 1)
}

impl Job {
    /// Joins the other ranks, if any.
    ///
    /// # Errors
    ///
    /// Returns an error if this program or command cannot run on several ranks.
    /// Only rank 0 reports it.
    pub fn begin(runs_on_ranks: bool) -> Result<(Self, Ranks), Failure> {
        let Some((size, rank)) = launched() else {
            return Ok((Self::of_one(), Ranks::alone()));
        };
        let refused = |problem: String| match rank {
            0 => Failure::input(problem),
            _ => Failure::silent(2),
        };
        if !runs_on_ranks {
            return Err(refused(format!(
                "started as one of {size} ranks, but only `bnpool train` and `bnpool cluster` run on several; start this command without mpirun"
            )));
        }
        Self::join(size).map_err(refused)
    }

    #[cfg(feature = "mpi")]
    fn of_one() -> Self {
        Self { _session: None }
    }

    #[cfg(not(feature = "mpi"))]
    fn of_one() -> Self {
        Self {}
    }

    #[cfg(feature = "mpi")]
    fn join(_: usize) -> Result<(Self, Ranks), String> {
        let session = bnpool_mpi::Session::begin().map_err(|e| e.to_string())?;
        let engine = session.engine();
        let dying = Arc::clone(&engine);
        // If a rank panics, the others must not wait for it.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            usual(panic);
            dying.abort(101);
        }));
        let job = Self {
            _session: Some(session),
        };
        Ok((job, Ranks::of(engine)))
    }

    #[cfg(not(feature = "mpi"))]
    fn join(size: usize) -> Result<(Self, Ranks), String> {
        Err(format!(
            "started as one of {size} ranks, but this bnpool was built without MPI; build it with `cargo install --path crates/bnpool-cli --features mpi`, or start it without mpirun"
        ))
    }

    /// Orders the other ranks to end with this exit code.
    pub fn end(self, ranks: &Ranks, code: u8) {
        if ranks.leads() {
            ranks.order(&Order::End { code });
        }
    }
}

/// Returns whether this is rank 0, even before the ranks are connected.
pub fn is_first() -> bool {
    launched().is_none_or(|(_, rank)| rank == 0)
}
