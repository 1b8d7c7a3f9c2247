//! Waiting for others, unless one of them will never come.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What several threads share while they wait for each other.
pub(crate) trait Shared {
    /// Whether one of them has panicked, so that nobody may wait for it.
    fn is_broken(&self) -> bool;
}

/// The shared state, also behind a panic: `is_broken` tells of it.
pub(crate) fn lock<S>(state: &Mutex<S>) -> MutexGuard<'_, S> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the state is ready.
///
/// # Panics
///
/// With the message `broken` when another thread has panicked.
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
