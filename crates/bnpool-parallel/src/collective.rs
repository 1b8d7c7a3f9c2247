//! The interface of all engines.

use std::fmt::Debug;

/// Collective operations of the ranks of a job.
///
/// All ranks make the same calls in the same order, one at a time, except for
/// point-to-point messages. An engine that cannot continue, because another rank
/// is gone, aborts the job: no call returns without its result, and none waits
/// forever.
pub trait Collective: Debug + Send + Sync {
    /// Number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks.
    fn size(&self) -> usize;

    /// Gathers the bytes of all ranks, in the order of the ranks. Lengths may
    /// differ.
    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>>;

    /// Sends the part `parts[r]` to each rank r, and returns the bytes that each
    /// rank sent to this one, in the order of the ranks.
    ///
    /// # Panics
    ///
    /// Panics if the number of parts is not the number of ranks.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Returns the bytes of rank 0; the arguments of other ranks are ignored.
    fn broadcast(&self, own: &[u8]) -> Vec<u8>;

    /// Sends bytes to another rank, which [receives](Self::receive) them. Messages
    /// between two ranks arrive in order. May block until the other rank receives.
    fn send(&self, to: usize, bytes: &[u8]);

    /// Receives the next message from another rank.
    fn receive(&self, from: usize) -> Vec<u8>;

    /// Waits for all ranks.
    fn barrier(&self);

    /// Aborts all ranks with this exit code.
    fn abort(&self, code: i32) -> !;

    /// Number of bytes that this rank has sent to others so far. A byte sent to
    /// several ranks counts once for each.
    fn bytes_sent(&self) -> u64;
}
