//! Thread pools.

/// Runs `f` in a pool of rayon: that of the caller, or the global one.
/// Submitting small tasks to a pool from outside takes longer than the tasks,
/// so the whole work is moved into the pool.
pub(crate) fn in_pool<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    match rayon::current_thread_index() {
        Some(_) => f(),
        None => rayon::scope(|_| f()),
    }
}
