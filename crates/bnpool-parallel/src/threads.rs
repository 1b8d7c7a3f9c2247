//! Ranks that are threads of one process.

use crate::Collective;
use crate::gather::{self, Shared};
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A rank that is a thread: provides the interface of MPI without MPI, so that
/// jobs with any number of ranks can be tested on every machine.
///
/// ```
/// use bnpool_parallel::{Collective, Threads};
///
/// let sums = Threads::run(3, |rank| {
///     let all = rank.all_gather(&[rank.rank() as u8]);
///     all.iter().map(|own| own[0]).sum::<u8>()
/// });
/// assert_eq!(sums, [3, 3, 3]);
/// ```
#[derive(Debug, Clone)]
pub struct Threads {
    rank: usize,
    table: Arc<Table>,
    sent: Arc<AtomicU64>,
}

/// Shared state of the ranks.
#[derive(Debug)]
struct Table {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    /// Contribution of each rank for each rank in this round.
    given: Vec<Option<Vec<Vec<u8>>>>,
    /// Number of ranks that have taken their results.
    taken: usize,
    /// Messages in transit, by sender and receiver.
    mail: HashMap<(usize, usize), VecDeque<Vec<u8>>>,
    /// Whether a rank has panicked.
    broken: bool,
}

impl Shared for State {
    fn is_broken(&self) -> bool {
        self.broken
    }
}

/// Notifies the other ranks if a rank panics, so that none waits for it.
struct Watch<'a>(&'a Table);

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().broken = true;
            self.0.changed.notify_all();
        }
    }
}

impl Table {
    fn lock(&self) -> MutexGuard<'_, State> {
        gather::lock(&self.state)
    }

    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        ready: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        gather::wait(&self.changed, state, ready, "another rank has ended")
    }
}

impl Threads {
    /// Runs `f` on each of `size` ranks, and returns all results.
    ///
    /// # Panics
    ///
    /// Panics if a rank panics.
    pub fn run<R: Send>(size: usize, f: impl Fn(Self) -> R + Sync) -> Vec<R> {
        let table = Arc::new(Table {
            state: Mutex::new(State {
                given: vec![None; size],
                taken: 0,
                mail: HashMap::new(),
                broken: false,
            }),
            changed: Condvar::new(),
        });
        std::thread::scope(|scope| {
            let ranks: Vec<_> = (0..size)
                .map(|rank| {
                    let (table, f) = (Arc::clone(&table), &f);
                    scope.spawn(move || {
                        let _watch = Watch(&table);
                        f(Self {
                            rank,
                            table: Arc::clone(&table),
                            sent: Arc::default(),
                        })
                    })
                })
                .collect();
            let ended = ranks.into_iter().map(|rank| rank.join());
            ended
                .collect::<Result<Vec<_>, _>>()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }
}

impl Collective for Threads {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.table.lock().given.len()
    }

    fn all_gather(&self, own: &[u8]) -> Vec<Vec<u8>> {
        self.all_to_all(vec![own.to_vec(); self.size()])
    }

    fn all_to_all(&self, parts: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let table = &self.table;
        let mut state = table.lock();
        let size = state.given.len();
        assert_eq!(parts.len(), size, "one part for every rank");
        let bytes: usize = parts.iter().map(Vec::len).sum();
        let sent = (bytes - parts[self.rank].len()) as u64;
        self.sent.fetch_add(sent, Ordering::Relaxed);
        // The previous round is over when its last rank has taken its part.
        state = table.wait(state, |s| s.given[self.rank].is_none());
        state.given[self.rank] = Some(parts);
        table.changed.notify_all();
        state = table.wait(state, |s| s.given.iter().all(Option::is_some));
        let own = state
            .given
            .iter()
            .flatten()
            .map(|parts| parts[self.rank].clone())
            .collect();
        state.taken += 1;
        if state.taken == size {
            state.taken = 0;
            state.given.fill(None);
        }
        table.changed.notify_all();
        // No rank begins the next round while another still reads this one.
        drop(table.wait(state, |s| s.given[self.rank].is_none()));
        own
    }

    fn broadcast(&self, own: &[u8]) -> Vec<u8> {
        let given = if self.rank == 0 { own } else { &[] };
        self.all_gather(given).swap_remove(0)
    }

    fn send(&self, to: usize, bytes: &[u8]) {
        self.sent.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let mut state = self.table.lock();
        let mail = state.mail.entry((self.rank, to)).or_default();
        mail.push_back(bytes.to_vec());
        self.table.changed.notify_all();
    }

    fn receive(&self, from: usize) -> Vec<u8> {
        let way = (from, self.rank);
        let state = self.table.lock();
        let arrived = |s: &State| s.mail.get(&way).is_some_and(|mail| !mail.is_empty());
        let mut state = self.table.wait(state, arrived);
        let mail = state.mail.get_mut(&way);
        mail.and_then(VecDeque::pop_front).unwrap_or_default()
    }

    fn barrier(&self) {
        self.all_gather(&[]);
    }

    fn abort(&self, code: i32) -> ! {
        panic!("a rank ended the job with code {code}")
    }

    fn bytes_sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_gets_what_is_its_own_round_after_round() {
        for size in 1..5 {
            let got = Threads::run(size, |rank| {
                let mut all = Vec::new();
                for round in 0..20_u8 {
                    let own = rank.rank() as u8;
                    let parts = (0..size as u8).map(|to| vec![own, to, round]).collect();
                    all.push(rank.all_to_all(parts));
                    rank.barrier();
                    assert_eq!(rank.broadcast(&[own + 9]), [9]);
                }
                all
            });
            for (to, rounds) in got.iter().enumerate() {
                for (round, parts) in rounds.iter().enumerate() {
                    for (from, part) in parts.iter().enumerate() {
                        assert_eq!(part, &[from as u8, to as u8, round as u8]);
                    }
                }
            }
        }
    }

    #[test]
    fn nobody_waits_for_a_rank_that_is_gone() {
        let ended = std::panic::catch_unwind(|| {
            Threads::run(3, |rank| {
                if rank.rank() == 1 {
                    panic!("out of memory");
                }
                rank.barrier();
            })
        });
        assert!(ended.is_err());
    }

    #[test]
    fn bytes_are_counted_once_for_every_receiver() {
        let sent = Threads::run(3, |rank| {
            rank.all_gather(&[0; 10]);
            rank.bytes_sent()
        });
        assert_eq!(sent, [20, 20, 20]);
    }
}
