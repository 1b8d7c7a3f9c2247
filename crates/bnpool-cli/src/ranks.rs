//! The ranks of a job: rank 0 leads, prints and writes; the others follow.
//!
//! Rank 0 runs the command as one process would. Before everything that all ranks
//! do together it sends an [`Order`], for which the others wait. So a failure of rank
//! 0 reaches them as the order to end, wherever it happened, and a failure of another
//! is told to rank 0 where they [`agree`], or ends the job.

use crate::command::cluster;
use crate::command::train::{Shared, Source};
use crate::message::Failure;
use bnpool::parallel::{Alone, Collective, Group};
use bnpool_task::cluster::ClusterConfig;
use bnpool_task::learn::LearnConfig;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// All ranks of the job.
static JOB: OnceLock<Arc<dyn Collective>> = OnceLock::new();

/// The group of this rank while the ranks work in groups.
static GROUP: RwLock<Option<Arc<Group>>> = RwLock::new(None);

/// What rank 0 tells the others to do.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Read the data of a training.
    Train {
        config: Box<LearnConfig>,
        source: Box<Source>,
    },
    /// Open a graph that is worked on in parts; the checkpoint of its training follows,
    /// empty if there is none.
    Cluster {
        config: Box<ClusterConfig>,
        source: Box<cluster::Source>,
        /// Whether it is a container that is read in parts.
        parts: bool,
        /// Bytes that a rank may take.
        memory: Option<u64>,
        /// Where rows go that do not fit.
        folder: PathBuf,
    },
    /// Run folds side by side, each by a group of ranks.
    Groups(Box<Shared>),
    /// Begin a fold; its checkpoint follows, empty if there is none.
    Fold { fold: usize },
    /// Train an epoch.
    Epoch,
    /// Test the best model of the fold.
    Test,
    /// End with this exit code.
    End { code: u8 },
}

impl Order {
    /// An order that does not fit what went before.
    pub fn unexpected(&self) -> Failure {
        Failure::Running(format!(
            "rank 0 gave an order out of turn: {self:?}; all ranks must run the same bnpool"
        ))
    }
}

/// The job that this process is a part of. It ends when it is dropped.
pub struct Job {
    #[cfg(feature = "mpi")]
    _session: Option<bnpool_mpi::Session>,
}

/// How many ranks were started, and which one this is, by the launcher's variables.
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
    /// Joins the other ranks, if there are some.
    ///
    /// # Errors
    ///
    /// When this program or command cannot run on ranks. Rank 0 alone says so.
    pub fn begin(runs_on_ranks: bool) -> Result<Self, Failure> {
        let Some((size, rank)) = launched() else {
            return Ok(Self::of_one());
        };
        let refused = |problem: String| match rank {
            0 => Failure::Input(problem),
            _ => Failure::Silent(2),
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
    fn join(_: usize) -> Result<Self, String> {
        let session = bnpool_mpi::Session::begin().map_err(|e| e.to_string())?;
        if JOB.set(session.engine()).is_err() {
            return Err("MPI began too late".to_owned());
        }
        // A rank that panics must not leave the others waiting.
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            usual(panic);
            job().abort(101);
        }));
        Ok(Self {
            _session: Some(session),
        })
    }

    #[cfg(not(feature = "mpi"))]
    fn join(size: usize) -> Result<Self, String> {
        Err(format!(
            "started as one of {size} ranks, but this bnpool was built without MPI; build it with `cargo install --path crates/bnpool-cli --features mpi`, or start it without mpirun"
        ))
    }

    /// Tells the others to end with this exit code.
    pub fn end(self, code: u8) {
        if leads() {
            order(&Order::End { code });
        }
    }
}

/// Whether this is the first of the ranks that were started, also before they meet.
pub fn is_first() -> bool {
    launched().is_none_or(|(_, rank)| rank == 0)
}

/// All ranks of the job.
pub fn job() -> Arc<dyn Collective> {
    Arc::clone(JOB.get_or_init(|| Arc::new(Alone)))
}

/// The ranks that work together now: those of the group, or all.
pub fn engine() -> Arc<dyn Collective> {
    let group = GROUP.read().unwrap_or_else(PoisonError::into_inner);
    match &*group {
        Some(group) => Arc::clone(group) as Arc<dyn Collective>,
        None => job(),
    }
}

/// Cuts the ranks into groups, gives the number of the own one to `work`, and puts them together
/// again. Orders and agreements stay within the group meanwhile.
pub fn in_groups<R>(groups: usize, work: impl FnOnce(usize) -> R) -> R {
    let group = Arc::new(Group::of(job(), groups));
    let number = group.number();
    let set = |value| *GROUP.write().unwrap_or_else(PoisonError::into_inner) = value;
    set(Some(group));
    let done = work(number);
    set(None);
    done
}

/// Whether there are other ranks.
pub fn several() -> bool {
    engine().size() > 1
}

/// Whether this rank leads: it alone prints, and writes all but the files of a fold.
pub fn leads() -> bool {
    job().rank() == 0
}

/// Whether this rank leads its group: it gives the orders there.
pub fn leads_group() -> bool {
    engine().rank() == 0
}

/// Says how many ranks there are, if there are several.
pub fn tell_size() {
    if several() {
        let threads = rayon::current_num_threads();
        tell!("{} ranks of {threads} threads", job().size());
    }
}

/// Says how much rank 0 sent to the others, if there are some.
pub fn tell_bytes() {
    if several() {
        let sent = job().bytes_sent() as f64 / 1e6;
        tell!("rank 0 sent {sent:.1} MB to the others");
    }
}

/// Tells the others what to do next; nothing if there are none.
pub fn order(order: &Order) {
    if several() {
        // Plain data: it can always be written down.
        let bytes = serde_json::to_vec(order).unwrap_or_default();
        engine().broadcast(&bytes);
    }
}

/// What rank 0 tells to do next.
pub fn next_order() -> Result<Order, Failure> {
    let bytes = engine().broadcast(&[]);
    serde_json::from_slice(&bytes).map_err(|e| {
        Failure::Running(format!(
            "rank 0 gave an order that is not understood: {e}; all ranks must run the same bnpool"
        ))
    })
}

/// Tells all ranks how the last order went on this one, with a fingerprint that must
/// be the same on all.
///
/// # Errors
///
/// The first problem of a rank, or that a fingerprint is another than that of rank 0.
/// All ranks get the same.
pub fn agree(own: Result<String, String>) -> Result<(), Failure> {
    if !several() {
        return Ok(());
    }
    let bytes = serde_json::to_vec(&own).unwrap_or_default();
    let all = engine().all_gather(&bytes);
    let mut first = None;
    for (rank, bytes) in all.iter().enumerate() {
        let theirs: Result<String, String> = serde_json::from_slice(bytes)
            .unwrap_or_else(|e| Err(format!("its answer is not understood: {e}")));
        match (theirs, &first) {
            (Err(problem), _) => return Err(Failure::Input(format!("rank {rank}: {problem}"))),
            (Ok(fingerprint), None) => first = Some(fingerprint),
            (Ok(fingerprint), Some(first)) if fingerprint != *first => {
                return Err(Failure::Input(format!(
                    "rank {rank} reads other data than rank 0; all machines must have the same files"
                )));
            }
            _ => {}
        }
    }
    Ok(())
}
