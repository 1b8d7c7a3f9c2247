//! Work of a rank on its parts, one after another.

use crate::{Collective, numbers, tree};
use bytemuck::Pod;
use std::fmt;
use std::ops::{AddAssign, Range};

/// Parts owned by a rank: a contiguous range, possibly empty if there are more
/// ranks than parts.
#[must_use]
pub fn share(parts: usize, rank: usize, ranks: usize) -> Range<usize> {
    rank * parts / ranks..(rank + 1) * parts / ranks
}

/// Sums one array per part along the tree over the parts, with the same bits on any
/// number of ranks. `own` contains the arrays of the parts that this rank owns.
///
/// ```
/// use bnpool_parallel::{Collective, Threads, share, sum_of_parts};
///
/// let sums = Threads::run(2, |rank| {
///     let own = share(5, rank.rank(), 2).map(|p| vec![1.0, p as f64]);
///     sum_of_parts(&rank, 5, own.collect(), 2)
/// });
/// assert_eq!(sums, [[5.0, 10.0], [5.0, 10.0]]);
/// ```
///
/// # Panics
///
/// Panics if an array has a different length, or the number of arrays is not
/// the number of own parts.
#[must_use]
pub fn sum_of_parts<T: Pod + AddAssign>(
    engine: &dyn Collective,
    parts: usize,
    own: Vec<Vec<T>>,
    length: usize,
) -> Vec<T> {
    let mine = share(parts, engine.rank(), engine.size());
    assert_eq!(own.len(), mine.len(), "an array for every own part");
    if parts == 0 {
        return vec![T::zeroed(); length];
    }
    let below = mine.clone().map(|part| part..part + 1).zip(own).collect();
    let sent = covered(parts, &mine, below, length);
    let got = match engine.size() {
        1 => vec![sent],
        _ => engine.all_gather(&sent),
    };
    total(parts, engine.size(), &got, length)
}

/// Computes the sums of the tree nodes that cover a share, concatenated.
pub(crate) fn covered<T: Pod + AddAssign>(
    parts: usize,
    share: &Range<usize>,
    mut below: Vec<(Range<usize>, Vec<T>)>,
    length: usize,
) -> Vec<u8> {
    let mut sent = Vec::new();
    for node in tree::cover(0..parts, share) {
        let sum = tree::sum(node, &mut below);
        assert_eq!(sum.len(), length, "arrays of one length");
        sent.extend_from_slice(bytemuck::cast_slice(&sum));
    }
    sent
}

/// Computes the sum of all parts from the results of [`covered`] on all ranks.
pub(crate) fn total<T: Pod + AddAssign>(
    parts: usize,
    ranks: usize,
    got: &[Vec<u8>],
    length: usize,
) -> Vec<T> {
    let size = length * size_of::<T>();
    let mut known = Vec::new();
    for (rank, sent) in got.iter().enumerate() {
        let nodes = tree::cover(0..parts, &share(parts, rank, ranks));
        assert_eq!(sent.len(), nodes.len() * size, "arrays of one length");
        for (i, node) in nodes.into_iter().enumerate() {
            known.push((node, numbers::<T>(&sent[i * size..(i + 1) * size])));
        }
    }
    tree::sum(0..parts, &mut known)
}

/// A problem of one rank, as reported to all ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankProblem {
    /// The rank.
    pub rank: usize,
    /// Message of the rank.
    pub problem: String,
}

impl fmt::Display for RankProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}: {}", self.rank, self.problem)
    }
}

impl std::error::Error for RankProblem {}

/// Reports a problem of this rank, if any, to all ranks. Called after a round of
/// collectives, so that either all ranks stop or all continue.
///
/// # Errors
///
/// Returns the problem of the first rank that has one, on all ranks.
pub fn agree(engine: &dyn Collective, own: Option<String>) -> Result<(), RankProblem> {
    let bytes = own.unwrap_or_default().into_bytes();
    let all = match engine.size() {
        1 => vec![bytes],
        _ => engine.all_gather(&bytes),
    };
    match all.iter().position(|problem| !problem.is_empty()) {
        None => Ok(()),
        Some(rank) => Err(RankProblem {
            rank,
            problem: String::from_utf8_lossy(&all[rank]).into_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alone, Threads};

    #[test]
    fn ranks_change_no_bit_of_a_sum() {
        let value = |part: usize| vec![1.0 / (part as f32 + 1.3), 1e7 / (part as f32 + 0.7)];
        for parts in [0, 1, 2, 5, 16, 23] {
            let all = (0..parts).map(value).collect();
            let want = sum_of_parts(&Alone, parts, all, 2);
            for ranks in 1..8 {
                let got = Threads::run(ranks, |rank| {
                    let own = share(parts, rank.rank(), ranks).map(value).collect();
                    sum_of_parts(&rank, parts, own, 2)
                });
                assert!(got.iter().all(|sum| *sum == want), "{parts} on {ranks}");
            }
        }
    }

    #[test]
    fn all_ranks_learn_of_the_first_problem() {
        let got = Threads::run(4, |rank| {
            let own = (rank.rank() % 2 == 1).then(|| format!("disk {}", rank.rank()));
            agree(&rank, own).expect_err("a problem").to_string()
        });
        assert_eq!(got, ["rank 1: disk 1"; 4]);
        assert_eq!(agree(&Alone, None), Ok(()));
    }
}
