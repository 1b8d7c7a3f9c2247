//! Signs of life.

use crate::CommunityError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the search is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// Looking for divisions to start from.
    Starts,
    /// Merging and moving by the models of communities.
    Communities,
    /// Merging and moving by the block model.
    Blocks,
    /// Comparing with graphs of the same degrees without structure.
    Null,
}

impl Stage {
    /// The stage in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Starts => "looking for starts",
            Self::Communities => "merging communities",
            Self::Blocks => "merging blocks",
            Self::Null => "comparing with random graphs",
        }
    }
}

/// How far a stage is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The stage.
    pub stage: Stage,
    /// Tasks of the stage that are done.
    pub done: usize,
    /// Tasks of the stage.
    pub tasks: usize,
}

/// Calls the observer from any thread, and remembers that it said stop.
pub(super) struct Reporter<'a> {
    observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync),
    stopped: AtomicBool,
    done: AtomicUsize,
}

impl<'a> Reporter<'a> {
    pub(super) fn new(observer: &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync)) -> Self {
        Self {
            observer,
            stopped: AtomicBool::new(false),
            done: AtomicUsize::new(0),
        }
    }

    fn tell(&self, progress: Progress) {
        if (self.observer)(progress).is_break() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// A stage of so many tasks begins.
    pub(super) fn begin(&self, stage: Stage, tasks: usize) -> Result<(), CommunityError> {
        self.done.store(0, Ordering::Relaxed);
        self.tell(Progress {
            stage,
            done: 0,
            tasks,
        });
        self.check()
    }

    /// A task of the stage is done.
    pub(super) fn done(&self, stage: Stage, tasks: usize) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.tell(Progress { stage, done, tasks });
    }

    /// An error when the observer said stop.
    pub(super) fn check(&self) -> Result<(), CommunityError> {
        if self.stopped.load(Ordering::Relaxed) {
            Err(CommunityError::Stopped)
        } else {
            Ok(())
        }
    }
}
