//! The front end of a run: the command, a notebook, or nothing at all.

use crate::Failure;
use crate::failure::Terms;
use crate::ranks::Ranks;
use bnpool_io::remedy::{Change, Remedied};
use std::any::Any;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Something that lasts until it is dropped.
pub type Guard = Box<dyn Any + Send>;

/// The front end of a run. Every method has a default that does nothing.
pub trait Front: Sync {
    /// A remark that users must not miss.
    fn note(&self, _line: &str) {}

    /// A remark about the input or the course of the work.
    fn describe(&self, _line: &str) {}

    /// A stage of the work begins, and lasts as long as the value.
    fn stage(&self, _name: &str) -> Guard {
        Box::new(())
    }

    /// A training begins: until the value is dropped, the user's wish to stop waits for
    /// the end of an epoch.
    fn training(&self) -> Guard {
        Box::new(())
    }

    /// Whether the user wants the work to stop.
    fn is_stopped(&self) -> bool {
        false
    }

    /// The run goes on in this directory from now on.
    fn enter(&self, _directory: &Path) {}

    /// The user has stopped the training, and its results are written now.
    fn results_follow(&self) {}

    /// The last words of a rank that ends all others.
    fn last_words(&self, _line: &str) {}
}

/// A front end that shows nothing and is never stopped.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Front for Silent {}

/// Whom a run talks to and works with.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The front end.
    pub front: &'a dyn Front,
    /// The front end's words for changes that users can make.
    pub terms: Terms,
    /// The ranks of the job.
    pub ranks: &'a Ranks,
}

impl Context<'_> {
    /// A failure in the words of the front end.
    #[must_use]
    pub fn words(&self, failure: &Failure) -> String {
        failure.in_terms(&self.terms)
    }

    /// Tells all ranks whether this one could do its part, and fails if one could not.
    ///
    /// # Errors
    ///
    /// The first failure of a rank.
    pub fn agree<T>(&self, own: &Result<T, Failure>, fingerprint: String) -> Result<(), Failure> {
        self.ranks.agree(match own {
            Ok(_) => Ok(fingerprint),
            Err(failure) => Err(self.words(failure)),
        })
    }

    /// Describes how many ranks there are, if there are several.
    pub(crate) fn describe_ranks(&self) {
        if self.ranks.several() {
            let threads = rayon::current_num_threads();
            let size = self.ranks.job().size();
            self.front
                .describe(&format!("{size} ranks of {threads} threads"));
        }
    }

    /// Describes how much rank 0 sent to the others, if there are some.
    pub(crate) fn describe_bytes(&self) {
        if self.ranks.several() {
            let sent = self.ranks.job().bytes_sent() as f64 / 1e6;
            let line = format!("rank 0 sent {sent:.1} MB to the others");
            self.front.describe(&line);
        }
    }

    /// Reports a failure from whichever rank this is, and ends all.
    pub fn end_all_ranks(&self, failure: &Failure) -> ! {
        let job = self.ranks.job();
        let line = format!("error: rank {}: {}", job.rank(), self.words(failure));
        self.front.last_words(&line);
        job.abort(failure.kind().code().into())
    }
}

/// Advice to give a setting a value, in the front end's words.
pub(crate) fn advice(terms: Terms, key: &'static str, value: &'static str) -> String {
    terms(Change::Setting { key, value }).unwrap_or_default()
}

/// Stages that follow one another, distinguished by their names.
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

    /// Enters a stage, unless it has begun already.
    pub(crate) fn enter(&self, name: &'static str) {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if current.0 != name {
            // The old stage ends before the new one begins.
            current.1 = None;
            *current = (name, Some(self.front.stage(name)));
        }
    }
}
