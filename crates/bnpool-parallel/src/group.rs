//! Groups: subsets of the ranks of a job that form separate jobs.

use crate::{Collective, share};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A contiguous range of the ranks of a job, which works independently of the
/// others. Its ranks are numbered from 0.
///
/// All operations are built from point-to-point messages, so groups do not wait for
/// each other. While groups are at work, collectives of the whole job must not be
/// called.
///
/// ```
/// use bnpool_parallel::{Collective, Group, Threads};
/// use std::sync::Arc;
///
/// let sums = Threads::run(5, |rank| {
///     let own = rank.rank() as u8;
///     let group = Group::of(Arc::new(rank), 2);
///     group.all_gather(&[own]).concat()
/// });
/// assert_eq!(sums, [vec![0, 1], vec![0, 1], vec![2, 3, 4], vec![2, 3, 4], vec![2, 3, 4]]);
/// ```
#[derive(Debug)]
pub struct Group {
    job: Arc<dyn Collective>,
    ranks: Range<usize>,
    number: usize,
    sent: AtomicU64,
}

impl Group {
    /// Returns the group of this rank, dividing the ranks of a job into `groups`
    /// groups of about equal size.
    ///
    /// # Panics
    ///
    /// Panics if there are no groups, or more than ranks.
    #[must_use]
    pub fn of(job: Arc<dyn Collective>, groups: usize) -> Self {
        let (rank, size) = (job.rank(), job.size());
        assert!((1..=size).contains(&groups), "a rank for every group");
        let mut all = (0..groups).map(|number| (number, share(size, number, groups)));
        let own = all.find(|(_, ranks)| ranks.contains(&rank));
        let (number, ranks) = own.unwrap_or((0, 0..size));
        Self {
            job,
            ranks,
            number,
            sent: AtomicU64::new(0),
        }
    }

    /// Number of the group, from 0.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }
}

impl Collective for Group {
    fn rank(&self) -> usize {
        self.job.rank() - self.ranks.start
    }

    fn size(&self) -> usize {
        self.ranks.len()
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        self.all_to_all(vec![own.to_vec(); self.size()])
    }

    fn all_to_all(&self, mut parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let (rank, size) = (self.rank(), self.size());
        assert_eq!(parts.len(), size, "one part for every rank");
        let mut got = vec![Vec::new(); size];
        got[rank] = std::mem::take(&mut parts[rank]);
        // In each round the ranks are paired, and the lower one sends first, which
        // avoids cyclic waiting.
        for round in 0..size {
            let other = (round + size - rank) % size;
            if rank < other {
                self.send(other, &parts[other]);
                got[other] = self.receive(other);
            } else if other < rank {
                got[other] = self.receive(other);
                self.send(other, &parts[other]);
            }
        }
        got
    }

    fn broadcast(&self, own: &[u8]) -> Vec<u8> {
        match self.rank() {
            0 => {
                for other in 1..self.size() {
                    self.send(other, own);
                }
                own.to_vec()
            }
            _ => self.receive(0),
        }
    }

    fn barrier(&self) {
        self.all_gather(&[]);
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.job.send(self.ranks.start + to, bytes);
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        self.job.receive(self.ranks.start + from)
    }

    fn abort(&self, code: i32) -> ! {
        self.job.abort(code)
    }

    fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Threads;

    #[test]
    fn groups_do_what_jobs_do_without_waiting_for_each_other() {
        for (size, groups) in [(1, 1), (2, 2), (4, 1), (5, 2), (7, 3)] {
            let got = Threads::run(size, |rank| {
                let group = Group::of(Arc::new(rank), groups);
                let (own, count) = (group.rank() as u8, group.size() as u8);
                // Groups make different numbers of rounds.
                for round in 0..5 + 10 * group.number() as u8 {
                    let parts = (0..count).map(|to| vec![own, to, round]).collect();
                    let parts = group.all_to_all(parts);
                    for (from, part) in parts.iter().enumerate() {
                        assert_eq!(part, &[from as u8, own, round]);
                    }
                    assert_eq!(group.broadcast(&[own + 9]), [9]);
                    group.barrier();
                }
                (group.number(), group.rank(), group.bytes_sent())
            });
            let numbers: Vec<usize> = got.iter().map(|own| own.0).collect();
            assert!(numbers.is_sorted() && numbers.last() == Some(&(groups - 1)));
            let firsts = got.iter().filter(|own| own.1 == 0).count();
            assert_eq!(firsts, groups, "one leader for every group");
        }
    }

    #[test]
    fn nobody_waits_for_a_rank_of_the_group_that_is_gone() {
        let ended = std::panic::catch_unwind(|| {
            Threads::run(4, |rank| {
                let gone = rank.rank() == 3;
                let group = Group::of(Arc::new(rank), 2);
                assert!(!gone, "out of memory");
                group.barrier();
            })
        });
        assert!(ended.is_err());
    }
}
