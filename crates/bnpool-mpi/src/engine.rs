//! Collectives based on MPI.

use bnpool_parallel::Collective;
use mpi::Threading;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives, Destination, Root, Source};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Largest number of bytes that all ranks together exchange in one call: MPI has
/// 32-bit counts.
const MOST: usize = 1 << 30;

/// An initialised MPI session. Dropping it finalises MPI, which waits for the
/// other ranks.
pub struct Session {
    _universe: Universe,
    engine: Arc<Mpi>,
}

/// Error of the initialisation of MPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MpiError {
    /// MPI is already initialised.
    Begun,
    /// The library only supports calls from one thread.
    Threads,
}

impl fmt::Display for MpiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Begun => "MPI has begun already",
            Self::Threads => {
                "this MPI library allows calls from one thread only; use one with MPI_THREAD_SERIALIZED"
            }
        })
    }
}

impl std::error::Error for MpiError {}

impl Session {
    /// Initialises MPI. Every rank must call this once.
    ///
    /// # Errors
    ///
    /// Returns an error if MPI is already initialised, or the library does not
    /// support serialised calls from several threads.
    pub fn begin() -> Result<Self, MpiError> {
        let (universe, threading) =
            mpi::initialize_with_threading(Threading::Serialized).ok_or(MpiError::Begun)?;
        if threading < Threading::Serialized {
            return Err(MpiError::Threads);
        }
        let world = universe.world();
        let engine = Arc::new(Mpi {
            rank: world.rank() as usize,
            size: world.size() as usize,
            sent: AtomicU64::new(0),
        });
        Ok(Self {
            _universe: universe,
            engine,
        })
    }

    /// The ranks of the job.
    #[must_use]
    pub fn engine(&self) -> Arc<Mpi> {
        Arc::clone(&self.engine)
    }
}

/// The ranks started by `mpirun` or `srun`. An error of MPI, such as a lost rank,
/// aborts the job.
#[derive(Debug)]
pub struct Mpi {
    rank: usize,
    size: usize,
    sent: AtomicU64,
}

impl Mpi {
    /// Not stored: it is only a handle, and cannot be sent to other threads.
    fn world() -> SimpleCommunicator {
        SimpleCommunicator::world()
    }

    fn count(&self, bytes: usize) {
        self.sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }
}

/// Buffer of a rank that has nothing to send. An empty Rust array may have the
/// address 1, which MPI interprets as "in place".
static NOTHING: [u8; 1] = [0];

/// Zeros at a valid address, even if there are none.
fn zeros(length: usize) -> Vec<u8> {
    let mut zeros = Vec::with_capacity(length.max(1));
    zeros.resize(length, 0);
    zeros
}

/// Start of each count.
fn begins(counts: &[i32]) -> Vec<i32> {
    let mut sum = 0;
    counts
        .iter()
        .map(|count| {
            let begin = sum;
            sum += count;
            begin
        })
        .collect()
}

/// Range of an array that is exchanged in a round, with `step` bytes per round.
fn piece(length: usize, round: usize, step: usize) -> std::ops::Range<usize> {
    (round * step).min(length)..((round + 1) * step).min(length)
}

/// Number of rounds for the longest array.
fn rounds(lengths: &[u64], step: usize) -> usize {
    let longest = lengths.iter().max().map_or(0, |&longest| longest as usize);
    longest.div_ceil(step)
}

impl Collective for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        self.count(own.len() * (self.size - 1));
        let world = Self::world();
        let mut lengths = vec![0_u64; self.size];
        world.all_gather_into(&(own.len() as u64), &mut lengths[..]);
        let step = MOST / self.size;
        let mut all: Vec<Vec<u8>> = lengths
            .iter()
            .map(|&length| Vec::with_capacity(length as usize))
            .collect();
        for round in 0..rounds(&lengths, step) {
            let counts: Vec<i32> = lengths
                .iter()
                .map(|&length| piece(length as usize, round, step).len() as i32)
                .collect();
            let begins = begins(&counts);
            let bytes: i32 = counts.iter().sum();
            let mut got = zeros(bytes as usize);
            let mut parts = PartitionMut::new(&mut got[..], &counts[..], &begins[..]);
            let sent = match &own[piece(own.len(), round, step)] {
                [] => &NOTHING[..0],
                sent => sent,
            };
            world.all_gather_varcount_into(sent, &mut parts);
            for (i, all) in all.iter_mut().enumerate() {
                all.extend_from_slice(&got[begins[i] as usize..][..counts[i] as usize]);
            }
        }
        all
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        assert_eq!(parts.len(), self.size, "one part for every rank");
        let others = parts.iter().enumerate().filter(|(to, _)| *to != self.rank);
        self.count(others.map(|(_, part)| part.len()).sum());
        let world = Self::world();
        let sends: Vec<u64> = parts.iter().map(|part| part.len() as u64).collect();
        let mut gets = vec![0_u64; self.size];
        world.all_to_all_into(&sends[..], &mut gets[..]);
        // All ranks make as many rounds as the longest part of any rank
        // requires.
        let longest = [*sends.iter().max().unwrap_or(&0)];
        let mut all_longest = vec![0_u64; self.size];
        world.all_gather_into(&longest[..], &mut all_longest[..]);
        let step = MOST / self.size;
        let mut all: Vec<Vec<u8>> = gets
            .iter()
            .map(|&length| Vec::with_capacity(length as usize))
            .collect();
        for round in 0..rounds(&all_longest, step) {
            let counts = |lengths: &[u64]| -> Vec<i32> {
                let own = lengths.iter().map(|&length| length as usize);
                own.map(|length| piece(length, round, step).len() as i32)
                    .collect()
            };
            let (out, into) = (counts(&sends), counts(&gets));
            let mut sent = zeros(0);
            for part in &parts {
                sent.extend_from_slice(&part[piece(part.len(), round, step)]);
            }
            let mut got = zeros(into.iter().sum::<i32>() as usize);
            let begins_in = begins(&into);
            let from = Partition::new(&sent[..], &out[..], begins(&out));
            let mut to = PartitionMut::new(&mut got[..], &into[..], &begins_in[..]);
            world.all_to_all_varcount_into(&from, &mut to);
            for (i, all) in all.iter_mut().enumerate() {
                all.extend_from_slice(&got[begins_in[i] as usize..][..into[i] as usize]);
            }
        }
        all
    }

    fn broadcast(&self, own: &[u8]) -> Vec<u8> {
        let world = Self::world();
        let root = world.process_at_rank(0);
        let mut length = own.len() as u64;
        root.broadcast_into(&mut length);
        let mut all = match self.rank {
            0 => own.to_vec(),
            _ => vec![0; length as usize],
        };
        for piece in all.chunks_mut(MOST) {
            root.broadcast_into(piece);
        }
        if self.rank == 0 {
            self.count(own.len() * (self.size - 1));
        }
        all
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.count(bytes.len());
        let world = Self::world();
        let other = world.process_at_rank(to as i32);
        other.send(&(bytes.len() as u64));
        for piece in bytes.chunks(MOST) {
            other.send(piece);
        }
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let world = Self::world();
        let other = world.process_at_rank(from as i32);
        let mut length = 0_u64;
        other.receive_into(&mut length);
        let mut bytes = vec![0; length as usize];
        for piece in bytes.chunks_mut(MOST) {
            other.receive_into(piece);
        }
        bytes
    }

    fn barrier(&self) {
        Self::world().barrier();
    }

    fn abort(&self, code: i32) -> ! {
        Self::world().abort(code)
    }

    fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_arrays_go_in_rounds() {
        assert_eq!(begins(&[3, 0, 2]), [0, 3, 3]);
        assert_eq!((piece(10, 0, 4), piece(10, 2, 4)), (0..4, 8..10));
        assert!(piece(10, 3, 4).is_empty());
        assert_eq!(rounds(&[10, 0, 4], 4), 3);
        assert_eq!(rounds(&[0, 0], 4), 0);
    }
}
