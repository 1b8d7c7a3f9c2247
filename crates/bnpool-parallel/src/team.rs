//! Teams: members that work on the parts of one step, distributed over the
//! ranks.

use crate::gather::{self, Shared};
use crate::parts::{covered, share, total};
use crate::{Collective, numbers};
use std::fmt;
use std::ops::{AddAssign, Range};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A team with one member per part of a step.
///
/// A rank runs the members of its share, each on its own thread, and they
/// synchronise in collectives of the team. A rank without a share (if there are
/// more ranks than parts) runs the last member again, so that it makes the same
/// calls as the others; the results of that copy are ignored.
pub struct Team {
    engine: Arc<dyn Collective>,
    /// Number of parts of the step.
    members: usize,
    /// Share of this rank.
    owned: Range<usize>,
    /// Members that run on this rank.
    here: Range<usize>,
    /// Number of members that may compute at the same time.
    permits: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Contributions of the members on this rank in the current round.
    given: Vec<Option<Vec<u8>>>,
    arrived: usize,
    /// Number of completed rounds, and the result of the last one.
    rounds: u64,
    result: Arc<Vec<Vec<u8>>>,
    computing: usize,
    broken: bool,
}

impl Shared for State {
    fn is_broken(&self) -> bool {
        self.broken
    }
}

impl fmt::Debug for Team {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Team")
            .field("engine", &self.engine)
            .field("members", &self.members)
            .field("here", &self.here)
            .finish_non_exhaustive()
    }
}

impl Team {
    /// Creates a team of this many members; at most `permits` of those on this
    /// rank compute at the same time.
    ///
    /// # Panics
    ///
    /// Panics if there are no members or no permits.
    #[must_use]
    pub fn new(engine: Arc<dyn Collective>, members: usize, permits: usize) -> Arc<Self> {
        assert!(members > 0 && permits > 0, "somebody does the work");
        let (rank, ranks) = (engine.rank(), engine.size());
        let owned = share(members, rank, ranks);
        let here = if owned.is_empty() {
            members - 1..members
        } else {
            owned.clone()
        };
        Arc::new(Self {
            state: Mutex::new(State {
                given: vec![None; here.len()],
                ..State::default()
            }),
            engine,
            members,
            owned,
            here,
            permits,
            changed: Condvar::new(),
        })
    }

    /// Members that run on this rank.
    #[must_use]
    pub fn here(&self) -> Range<usize> {
        self.here.clone()
    }

    /// Runs the work of a member as soon as it may compute.
    ///
    /// # Panics
    ///
    /// Panics if the member does not run on this rank, or another one has
    /// panicked.
    pub fn work<R>(self: &Arc<Self>, member: usize, work: impl FnOnce(Member) -> R) -> R {
        assert!(self.here.contains(&member), "a member that runs here");
        drop(self.acquire(self.lock()));
        let _permit = Permit(self);
        work(Member {
            team: Arc::clone(self),
            member,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        gather::lock(&self.state)
    }

    fn wait<'a>(
        &self,
        state: MutexGuard<'a, State>,
        ready: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        gather::wait(
            &self.changed,
            state,
            ready,
            "another member of the team has panicked",
        )
    }

    fn acquire<'a>(&'a self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        let mut state = self.wait(state, |s| s.computing < self.permits);
        state.computing += 1;
        state
    }

    /// Runs one round: returns the common result once all members have contributed.
    /// The last member to arrive combines the contributions of this rank, exchanges
    /// them with the other ranks and computes the result.
    fn meet(
        &self,
        member: usize,
        own: Vec<u8>,
        combine: impl FnOnce(&Self, Vec<(usize, Vec<u8>)>) -> Vec<u8>,
        part: impl FnOnce(&Self, Vec<Vec<u8>>) -> Vec<Vec<u8>>,
    ) -> Arc<Vec<Vec<u8>>> {
        let mut state = self.lock();
        state.given[member - self.here.start] = Some(own);
        state.arrived += 1;
        let round = state.rounds;
        if state.arrived == self.here.len() {
            let given: Vec<(usize, Vec<u8>)> = self
                .here
                .clone()
                .zip(state.given.iter_mut())
                .filter_map(|(member, given)| Some((member, given.take()?)))
                .filter(|(member, _)| self.owned.contains(member))
                .collect();
            // All other members on this rank wait, so the lock is not needed
            // meanwhile.
            let sent = combine(self, given);
            let got = match self.engine.size() {
                1 => vec![sent],
                _ => self.engine.all_gather(&sent),
            };
            let result = Arc::new(part(self, got));
            state.result = Arc::clone(&result);
            state.arrived = 0;
            state.rounds += 1;
            self.changed.notify_all();
            return result;
        }
        // A waiting member lets others compute.
        state.computing -= 1;
        self.changed.notify_all();
        let state = self.wait(state, |s| s.rounds > round);
        let result = Arc::clone(&state.result);
        drop(self.acquire(state));
        result
    }
}

/// Permit to compute; returned when the work of a member ends, even if clones of
/// the [`Member`] still exist.
struct Permit<'a>(&'a Team);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.computing = state.computing.saturating_sub(1);
        state.broken |= std::thread::panicking();
        self.0.changed.notify_all();
    }
}

/// A working member of a team. Clones refer to the same member.
#[derive(Debug, Clone)]
pub struct Member {
    team: Arc<Team>,
    member: usize,
}

impl Member {
    /// Number of the member, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.member
    }

    /// Number of members of the team.
    #[must_use]
    pub fn members(&self) -> usize {
        self.team.members
    }

    /// Gathers the bytes of all members, in order. Lengths may differ.
    #[must_use]
    pub fn all_gather(&self, own: Vec<u8>) -> Arc<Vec<Vec<u8>>> {
        self.team.meet(
            self.member,
            own,
            |_, given| {
                let mut sent = Vec::new();
                for (_, own) in given {
                    sent.extend((own.len() as u64).to_le_bytes());
                    sent.extend(own);
                }
                sent
            },
            |team, got| {
                let all: Vec<Vec<u8>> = got.iter().flat_map(|sent| chunks(sent)).collect();
                assert_eq!(all.len(), team.members, "every member gives something");
                all
            },
        )
    }

    /// Gathers the numbers of all members, in order.
    #[must_use]
    pub fn all_gather_f64(&self, own: &[f64]) -> Vec<Vec<f64>> {
        let all = self.all_gather(bytemuck::cast_slice(own).to_vec());
        all.iter().map(|own| numbers(own)).collect()
    }

    /// Sums the arrays of all members, along the tree over the parts.
    ///
    /// # Panics
    ///
    /// Panics if the arrays differ in length.
    #[must_use]
    pub fn sum_f32(&self, own: &[f32]) -> Vec<f32> {
        self.sum(own)
    }

    /// [`sum_f32`](Self::sum_f32) in double precision.
    ///
    /// # Panics
    ///
    /// Panics if the arrays differ in length.
    #[must_use]
    pub fn sum_f64(&self, own: &[f64]) -> Vec<f64> {
        self.sum(own)
    }

    fn sum<T: bytemuck::Pod + AddAssign>(&self, own: &[T]) -> Vec<T> {
        let length = own.len();
        let result = self.team.meet(
            self.member,
            bytemuck::cast_slice(own).to_vec(),
            |team, given| {
                let below = given
                    .into_iter()
                    .map(|(member, own)| (member..member + 1, numbers(&own)))
                    .collect();
                covered::<T>(team.members, &team.owned, below, length)
            },
            |team, got| {
                let sum = total::<T>(team.members, team.engine.size(), &got, length);
                vec![bytemuck::cast_slice(&sum).to_vec()]
            },
        );
        numbers(&result[0])
    }
}

/// Splits concatenated arrays that are prefixed by their lengths.
fn chunks(mut sent: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some((length, rest)) = sent.split_first_chunk::<8>() {
        let (own, rest) = rest.split_at(u64::from_le_bytes(*length) as usize);
        all.push(own.to_vec());
        sent = rest;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alone, Threads};

    /// Runs a team on one rank.
    fn on_rank<R: Send>(
        engine: Arc<dyn Collective>,
        members: usize,
        permits: usize,
        work: impl Fn(Member) -> R + Sync,
    ) -> Vec<R> {
        let team = Team::new(engine, members, permits);
        std::thread::scope(|scope| {
            let all: Vec<_> = team
                .here()
                .map(|i| {
                    let (team, work) = (Arc::clone(&team), &work);
                    scope.spawn(move || team.work(i, work))
                })
                .collect();
            all.into_iter()
                .map(|own| own.join().expect("no panic"))
                .collect()
        })
    }

    fn work(member: Member) -> (Vec<Vec<f64>>, Vec<f32>) {
        let own = member.index() as f64;
        let mut sum = Vec::new();
        for round in 0..30 {
            sum = member.sum_f32(&[1.0 / (own as f32 + 0.3), round as f32 * 1e7 + own as f32]);
        }
        (member.all_gather_f64(&vec![own; member.index()]), sum)
    }

    #[test]
    fn ranks_and_permits_change_no_bit() {
        for members in 1..7 {
            let want = on_rank(Arc::new(Alone), members, members, work);
            for own in &want {
                assert_eq!(own, &want[0], "all members get the same");
                assert_eq!(own.0.len(), members);
                assert_eq!(own.0[members - 1].len(), members - 1);
            }
            for ranks in 1..6 {
                for permits in 1..3 {
                    let got = Threads::run(ranks, |rank| {
                        on_rank(Arc::new(rank), members, permits, work)
                    });
                    for own in got.iter().flatten() {
                        assert_eq!(own, &want[0], "{members} members on {ranks} ranks");
                    }
                }
            }
        }
    }

    #[test]
    fn no_more_members_compute_than_may() {
        let computing = Mutex::new((0_i32, 0_i32));
        on_rank(Arc::new(Alone), 5, 2, |member| {
            for _ in 0..20 {
                {
                    let mut now = computing.lock().expect("no panic");
                    now.0 += 1;
                    now.1 = now.1.max(now.0);
                }
                std::thread::yield_now();
                computing.lock().expect("no panic").0 -= 1;
                let _ = member.sum_f64(&[1.0]);
            }
        });
        let most = computing.lock().expect("no panic").1;
        assert!(most <= 2, "{most} at a time");
    }

    #[test]
    fn a_member_that_is_kept_lets_others_compute() {
        let kept = on_rank(Arc::new(Alone), 4, 1, |member| {
            let _ = member.sum_f64(&[1.0]);
            member
        });
        assert_eq!(kept.len(), 4);
    }

    #[test]
    fn nobody_waits_for_a_member_that_panicked() {
        let team = Team::new(Arc::new(Alone), 3, 3);
        std::thread::scope(|scope| {
            let all: Vec<_> = team
                .here()
                .map(|i| {
                    let team = Arc::clone(&team);
                    scope.spawn(move || {
                        team.work(i, |member| {
                            assert_ne!(i, 1, "a member that fails");
                            let _ = member.sum_f64(&[1.0]);
                        });
                    })
                })
                .collect();
            assert!(all.into_iter().all(|own| own.join().is_err()));
        });
    }
}
