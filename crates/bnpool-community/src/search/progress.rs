//! Progress reports.

use crate::CommunityError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Stage of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Comparing weights with permuted weights.
    Weights,
    /// Computing starting partitions.
    Starts,
    /// Merging and moving under the models of communities.
    Communities,
    /// Merging and moving under the block model.
    Blocks,
    /// Comparing with random graphs of the same degrees.
    Null,
    /// Searching the smaller connected components.
    Pieces,
}

impl Stage {
    /// Human-readable name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Weights => "comparing weights with permuted ones",
            Self::Starts => "looking for starts",
            Self::Communities => "merging communities",
            Self::Blocks => "merging blocks",
            Self::Null => "comparing with random graphs",
            Self::Pieces => "searching smaller pieces",
        }
    }
}

/// Progress of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// Number of completed tasks.
    pub done: usize,
    /// Number of tasks.
    pub tasks: usize,
}

/// Calls the observer from any thread, and records that it requested a stop.
pub(super) struct Reporter<'a> {
    observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    stopped: AtomicBool,
    done: AtomicUsize,
    /// Reported instead of any other progress.
    fixed: Option<Progress>,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> Self {
        Self {
            observer,
            stopped: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            fixed: None,
        }
    }

    /// A reporter for a task of a stage.
    pub(super) fn within(&self, fixed: Progress) -> Self {
        Self {
            fixed: Some(fixed),
            ..Self::new(self.observer)
        }
    }

    fn tell(&self, progress: Progress) {
        if (self.observer)(self.fixed.unwrap_or(progress)).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Begins a stage with this many tasks.
    pub(super) fn begin(&self, stage: Stage, tasks: usize) -> Result<(), CommunityError> {
        self.done.store(0, Ordering::Relaxed);
        self.tell(Progress {
            stage,
            done: 0,
            tasks,
        });
        self.check()
    }

    /// Reports that a task of the stage is done.
    pub(super) fn done(&self, stage: Stage, tasks: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.tell(Progress { stage, done, tasks });
    }

    /// Returns an error if the observer requested a stop.
    pub(super) fn check(&self) -> Result<(), CommunityError> {
        if self.stopped.load(Ordering::Relaxed) {
            Err(CommunityError::Stopped)
        } else {
            Ok(())
        }
    }
}
