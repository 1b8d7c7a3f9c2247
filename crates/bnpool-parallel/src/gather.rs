//! Waiting for other threads, unless one of them has panicked.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// State shared by threads that wait for each other.
pub(crate) trait Shared {
    /// Returns whether one of the threads has panicked, so that the others must
    /// not wait for it.
    fn is_broken(&self) -> bool;
}

/// Locks the shared state, even after a panic, which `is_broken` reports.
pub(crate) fn lock<S>(state: &Mutex<S>) -> MutexGuard<'_, S> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the state is ready.
///
/// # Panics
///
/// Panics with the message `broken` if another thread has panicked.
pub(crate) fn wait<'a, S: Shared>(
    changed: &Condvar,
    mut state: MutexGuard<'a, S>,
    ready: impl Fn(&S) -> bool,
    broken: &str,
) -> MutexGuard<'a, S> {
    while !ready(&state) {
        if state.is_broken() {
            drop(state);
            panic!("{broken}");
        }
        state = changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
    state
}
