//! Front end of a run: the command, a notebook, or none.

use crate::Failure;
use crate::failure::Terms;
use crate::ranks::Ranks;
use bnpool_io::remedy::{Change, Remedied};
use std::any::Any;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A value that marks a period until it is dropped.
pub type Guard = Box<dyn Any + Send>;

/// Front end of a run. The default of each method does nothing.
pub trait Front: Sync {
    /// Prints a note that users must not miss.
    fn note(&self, _line: &str) {}

    /// Prints a remark about the input or the progress of the work.
    fn describe(&self, _line: &str) {}

    /// Starts a stage of the work, which lasts until the value is dropped.
    fn stage(&self, _name: &str) -> Guard {
        Box::new(())
    }

    /// Starts a training: until the value is dropped, a request to stop takes effect at
    /// the end of an epoch.
    fn training(&self) -> Guard {
        Box::new(())
    }

    /// Returns whether the user requested a stop.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Called when the run enters its directory.
    fn enter(&self, _directory: &Path) {}

    /// Called before results are written after the user stopped the training.
    fn results_follow(&self) {}

    /// Prints the last message of a rank that ends all others.
    fn last_words(&self, _line: &str) {}
}

/// A front end without output, which never stops.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Front for Silent {}

/// Environment of a run.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Front end.
    pub front: &'a dyn Front,
    /// Wording of the front end for changes that users can make.
    pub terms: Terms,
    /// Ranks of the job.
    pub ranks: &'a Ranks,
}

impl Context<'_> {
    /// Returns a failure in the wording of the front end.
    #[must_use]
    pub fn words(&self, failure: &Failure) -> String {
        failure.in_terms(&self.terms)
    }

    /// Exchanges with all ranks whether they succeeded, and fails if one did not.
    ///
    /// # Errors
    ///
    /// Returns the first failure of any rank.
    pub fn agree<T>(&self, own: &Result<T, Failure>, fingerprint: String) -> Result<(), Failure> {
        self.ranks.agree(match own {
            Ok(_) => Ok(fingerprint),
            Err(failure) => Err(self.words(failure)),
        })
    }

    /// Prints the number of ranks, if there are several.
    pub(crate) fn describe_ranks(&self) {
        if self.ranks.several() {
            let threads = rayon::current_num_threads();
            let size = self.ranks.job().size();
            self.front
                .describe(&format!("{size} ranks of {threads} threads"));
        }
    }

    /// Prints the amount of data that rank 0 sent to others, if any.
    pub(crate) fn describe_bytes(&self) {
        if self.ranks.several() {
            let sent = self.ranks.job().bytes_sent() as f64 / 1e6;
            let line = format!("rank 0 sent {sent:.1} MB to the others");
            self.front.describe(&line);
        }
    }

    /// Reports a failure of this rank, and ends all ranks.
    pub fn end_all_ranks(&self, failure: &Failure) -> ! {
        let job = self.ranks.job();
        let line = format!("error: rank {}: {}", job.rank(), self.words(failure));
        self.front.last_words(&line);
        job.abort(failure.kind().code().into())
    }
}

/// Returns the advice to set a value, in the wording of the front end.
pub(crate) fn advice(terms: Terms, key: &'static str, value: &'static str) -> String {
    terms(Change::Setting { key, value }).unwrap_or_default()
}

/// Consecutive stages, distinguished by their names.
pub(crate) struct Stages<'a> {
    front: &'a dyn Front,
    current: Mutex<(&'static str, Option<Guard>)>,
}

impl<'a> Stages<'a> {
    pub(crate) fn begin(front: &'a dyn Front, name: &'static str) -> Self {
        Self {
            front,
            current: Mutex::new((name, Some(front.stage(name)))),
        }
    }

    /// Enters a stage, unless it is the current one.
    pub(crate) fn enter(&self, name: &'static str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0 != name {
            // The old stage ends before the new one begins.
            current.1 = None;
            *current = (name, Some(self.front.stage(name)));
        }
    }
}
