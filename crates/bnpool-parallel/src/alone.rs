//! Jobs of one process.

use crate::Collective;

/// The only rank of a job with a single process.
///
/// ```
/// use bnpool_parallel::{Alone, Collective};
///
/// assert_eq!((Alone.rank(), Alone.size()), (0, 1));
/// assert_eq!(Alone.all_gather(b"own"), [b"own"]);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Collective for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        vec![own.to_vec()]
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(parts.len(), 1, "one part for every rank");
        parts
    }

    fn broadcast(&self, own: &[u8]) -> Vec<u8> {
        own.to_vec()
    }

    fn send(&self, to: usize, _: &[u8]) {
        panic!("there is no rank {to}");
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        panic!("there is no rank {from}");
    }

    fn barrier(&self) {}

    fn abort(&self, code: i32) -> ! {
        std::process::exit(code)
    }

    fn bytes_sent(&self) -> u64 {
        0
    }
}
