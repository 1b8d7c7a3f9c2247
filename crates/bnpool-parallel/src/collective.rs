//! The contract of all engines.

use std::fmt::Debug;

/// What the ranks of a job do together.
///
/// All ranks make the same calls in the same order, one at a time, except messages
/// from one rank to another. An engine that
/// cannot go on, because another rank is gone, ends the job: no call returns
/// without its result, and none waits for ever.
pub trait Collective: Debug + Send + Sync {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// What every rank gave, in the order of the ranks. Lengths may differ.
    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>>;

    /// Sends the part `parts[r]` to rank r, and gives what every rank sent to this
    /// one, in the order of the ranks.
    ///
    /// # Panics
    ///
    /// When there is not one part for every rank.
    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// What rank 0 gave; the other ranks give nothing.
    fn broadcast(&self, own: &[u8]) -> Vec<u8>;

    /// Sends bytes to another rank, which [receives](Self::receive) them. Messages between two
    /// ranks arrive in their order. It may wait until the other rank receives.
    fn send(&self, to: usize, bytes: &[u8]);

    /// The next message from another rank.
    fn receive(&self, from: usize) -> Vec<u8>;

    /// Waits until all ranks are here.
    fn barrier(&self);

    /// Ends all ranks with this exit code, whatever they are doing.
    fn abort(&self, code: i32) -> !;

    /// Bytes that this rank has sent to others so far. A byte that goes to several
    /// ranks counts once for each.
    fn bytes_sent(&self) -> u64;
}
