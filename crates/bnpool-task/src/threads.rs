//! Threads.

/// Runs `f` in a pool of rayon: the one that the caller is in, else the global
/// one. Handing small pieces of work to a pool from outside takes longer than
/// the pieces, so a whole task moves in.
pub(crate) fn in_pool<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    match rayon::current_thread_index() {
        Some(_) => f(),
        None => rayon::scope(|_| f()),
    }
}
