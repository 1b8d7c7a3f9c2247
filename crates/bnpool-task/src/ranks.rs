//! Ranks of a job: rank 0 leads and writes, the others follow.
//!
//! Rank 0 runs the task like a single process. Before each joint step it sends an
//! [`Order`], for which the others wait. So any failure of rank 0 reaches them as
//! the order to end. A failure of another rank reaches rank 0 when they
//! `agree`, or ends the job.

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
        /// Settings.
        config: Box<LearnConfig>,
        /// Source of the graphs.
        source: Box<SetSource>,
    },
    /// Open a graph that is processed in parts; the checkpoint of its training follows,
    /// which may be empty.
    Cluster {
        /// Settings.
        config: Box<ClusterConfig>,
        /// Source of the graph.
        source: Box<GraphSource>,
        /// Whether the graph is a container that is read in parts.
        parts: bool,
        /// Memory limit of a rank, in bytes.
        memory: Option<u64>,
        /// Folder for rows that do not fit into memory.
        folder: PathBuf,
    },
    /// Run folds in parallel, each on a group of ranks.
    Groups(Box<Shared>),
    /// Begin a fold; its checkpoint follows, which may be empty.
    Fold {
        /// Number of the fold.
        fold: usize,
    },
    /// Train an epoch.
    Epoch,
    /// Test the best model of the fold.
    Test,
    /// End with this exit code.
    End {
        /// Exit code.
        code: u8,
    },
}

impl Order {
    /// Creates the failure for an order that does not match the previous one.
    pub(crate) fn unexpected(&self) -> Failure {
        Failure::running(format!(
            "rank 0 gave an order out of turn: {self:?}; all ranks must run the same bnpool"
        ))
    }
}

/// Ranks that work together: all ranks of the job, or one group.
pub struct Ranks {
    job: Arc<dyn Collective>,
    /// Group of this rank, if the ranks work in groups.
    group: Option<Arc<Group>>,
}

impl Ranks {
    /// Creates the ranks of a single process.
    #[must_use]
    pub fn alone() -> Self {
        Self::of(Arc::new(Alone))
    }

    /// Creates all ranks of a job.
    #[must_use]
    pub fn of(job: Arc<dyn Collective>) -> Self {
        Self { job, group: None }
    }

    /// Returns all ranks of the job.
    #[must_use]
    pub fn job(&self) -> &Arc<dyn Collective> {
        &self.job
    }

    /// Returns the ranks that work together: those of the group, or all.
    #[must_use]
    pub fn engine(&self) -> Arc<dyn Collective> {
        match &self.group {
            Some(group) => Arc::clone(group) as Arc<dyn Collective>,
            None => Arc::clone(&self.job),
        }
    }

    /// Splits the ranks into groups, and returns the group of this rank with its
    /// number. Orders and agreements stay within the group.
    pub(crate) fn in_groups(&self, groups: usize) -> (Self, usize) {
        let group = Arc::new(Group::of(Arc::clone(&self.job), groups));
        let number = group.number();
        let ranks = Self {
            job: Arc::clone(&self.job),
            group: Some(group),
        };
        (ranks, number)
    }

    /// Returns whether several ranks work together.
    #[must_use]
    pub fn several(&self) -> bool {
        self.engine().size() > 1
    }

    /// Returns whether this rank leads the job.
    #[must_use]
    pub fn leads(&self) -> bool {
        self.job.rank() == 0
    }

    /// Returns whether this rank leads its group.
    pub(crate) fn leads_group(&self) -> bool {
        self.engine().rank() == 0
    }

    /// Sends an order to the others, if any.
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
    /// Returns an error if rank 0 runs another version.
    pub(crate) fn next_order(&self) -> Result<Order, Failure> {
        let bytes = self.engine().broadcast(&[]);
        serde_json::from_slice(&bytes).map_err(|e| {
            Failure::running(format!(
                "an order of rank 0 cannot be read: {e}; all ranks must run the same bnpool"
            ))
        })
    }

    /// Exchanges the results of the last order with all ranks, with a fingerprint that
    /// must be equal on all of them.
    ///
    /// # Errors
    ///
    /// Returns the first error of a rank, or an error if a fingerprint differs from
    /// that of rank 0. All ranks get the same error.
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
