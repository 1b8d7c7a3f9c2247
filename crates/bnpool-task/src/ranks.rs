//! The ranks of a job: rank 0 leads and writes; the others follow.
//!
//! Rank 0 runs the task as one process would. Before everything that all ranks do
//! together it sends an [`Order`], for which the others wait. So a failure of rank 0
//! reaches them as the order to end, wherever it happened. A failure of another rank
//! reaches rank 0 where they [agree](Ranks::agree), or ends the job.

use crate::Failure;
use crate::cluster::ClusterConfig;
use crate::cluster::run::GraphSource;
use crate::learn::LearnConfig;
use crate::learn::run::{SetSource, Shared};
use bnpool_parallel::{Alone, Collective, Group};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;

/// An order of rank 0 to the others.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Read the data of a training.
    Train {
        /// The settings.
        config: Box<LearnConfig>,
        /// Where the graphs come from.
        source: Box<SetSource>,
    },
    /// Open a graph that is worked on in parts; the checkpoint of its training follows,
    /// empty if there is none.
    Cluster {
        /// The settings.
        config: Box<ClusterConfig>,
        /// Where the graph comes from.
        source: Box<GraphSource>,
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
    Fold {
        /// The fold.
        fold: usize,
    },
    /// Train an epoch.
    Epoch,
    /// Test the best model of the fold.
    Test,
    /// End with this exit code.
    End {
        /// The exit code.
        code: u8,
    },
}

impl Order {
    /// An order that does not fit the one before.
    pub(crate) fn unexpected(&self) -> Failure {
        Failure::running(format!(
            "rank 0 gave an order out of turn: {self:?}; all ranks must run the same bnpool"
        ))
    }
}

/// The ranks that work together: all of the job, or one group of them.
pub struct Ranks {
    job: Arc<dyn Collective>,
    /// The group of this rank, if the ranks work in groups.
    group: Option<Arc<Group>>,
}

impl Ranks {
    /// One process alone.
    #[must_use]
    pub fn alone() -> Self {
        Self::of(Arc::new(Alone))
    }

    /// All ranks of a job.
    #[must_use]
    pub fn of(job: Arc<dyn Collective>) -> Self {
        Self { job, group: None }
    }

    /// All ranks of the job.
    #[must_use]
    pub fn job(&self) -> &Arc<dyn Collective> {
        &self.job
    }

    /// The ranks that work together: those of the group, or all.
    #[must_use]
    pub fn engine(&self) -> Arc<dyn Collective> {
        match &self.group {
            Some(group) => Arc::clone(group) as Arc<dyn Collective>,
            None => Arc::clone(&self.job),
        }
    }

    /// The ranks cut into groups, and the number of the group of this rank. Orders and
    /// agreements stay within the group.
    pub(crate) fn in_groups(&self, groups: usize) -> (Self, usize) {
        let group = Arc::new(Group::of(Arc::clone(&self.job), groups));
        let number = group.number();
        let ranks = Self {
            job: Arc::clone(&self.job),
            group: Some(group),
        };
        (ranks, number)
    }

    /// Whether several ranks work together.
    #[must_use]
    pub fn several(&self) -> bool {
        self.engine().size() > 1
    }

    /// Whether this rank leads the job.
    #[must_use]
    pub fn leads(&self) -> bool {
        self.job.rank() == 0
    }

    /// Whether this rank gives the orders in its group.
    pub(crate) fn leads_group(&self) -> bool {
        self.engine().rank() == 0
    }

    /// Sends an order to the others, if there are some.
    pub fn order(&self, order: &Order) {
        if self.several() {
            // Plain data can always be serialised.
            let bytes = serde_json::to_vec(order).unwrap_or_default();
            self.engine().broadcast(&bytes);
        }
    }

    /// Waits for the next order.
    ///
    /// # Errors
    ///
    /// When rank 0 runs another version.
    pub(crate) fn next_order(&self) -> Result<Order, Failure> {
        let bytes = self.engine().broadcast(&[]);
        serde_json::from_slice(&bytes).map_err(|e| {
            Failure::running(format!(
                "an order of rank 0 cannot be read: {e}; all ranks must run the same bnpool"
            ))
        })
    }

    /// Tells all ranks how the last order went on this one, with a fingerprint that must
    /// be equal on all.
    ///
    /// # Errors
    ///
    /// The first problem of a rank, or a fingerprint that differs from that of rank 0.
    /// All ranks get the same error.
    pub(crate) fn agree(&self, own: Result<String, String>) -> Result<(), Failure> {
        if !self.several() {
            return Ok(());
        }
        let bytes = serde_json::to_vec(&own).unwrap_or_default();
        let all = self.engine().all_gather(&bytes);
        let mut first = None;
        for (rank, bytes) in all.iter().enumerate() {
            let theirs: Result<String, String> = serde_json::from_slice(bytes)
                .unwrap_or_else(|e| Err(format!("its answer cannot be read: {e}")));
            match (theirs, &first) {
                (Err(problem), _) => return Err(Failure::input(format!("rank {rank}: {problem}"))),
                (Ok(fingerprint), None) => first = Some(fingerprint),
                (Ok(fingerprint), Some(first)) if fingerprint != *first => {
                    return Err(Failure::input(format!(
                        "rank {rank} reads other data than rank 0; all machines must have the same files"
                    )));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Default for Ranks {
    fn default() -> Self {
        Self::alone()
    }
}
