//! Negatives that can be listed for each node independently.
//!
//! Nodes are placed on a circle in a random order π. A shift r joins each position
//! i with i + r. The partners of node u are then π⁻¹(π(u) ± r), which is computed
//! without communication, and u is among the partners of each of them.

use crate::stream::{Draws, Stream};
use std::collections::HashSet;

/// Random pairs of distinct nodes, each in both directions, with about the same
/// number of partners for all nodes.
///
/// Each pair is uniform over all pairs. A process that holds some rows of a graph
/// lists the partners of these rows and does not need the pairs of the others.
/// Pairs may be edges: the owner of a row leaves them out, as does the owner of the
/// partner.
///
/// ```
/// use bnpool_math::kernel::RegularPairs;
/// use bnpool_math::stream::{Purpose, Stream};
///
/// let pairs = RegularPairs::new(100, 250, &Stream::new(7, Purpose::NegativeEdges, 0));
/// let mut entries = 0;
/// for u in 0..100 {
///     for v in pairs.partners(u) {
///         assert!(v != u && pairs.partners(v).any(|w| w == u));
///         entries += 1;
///     }
/// }
/// assert_eq!(entries, 2 * 250);
/// ```
#[derive(Debug, Clone)]
pub struct RegularPairs {
    order: Shuffled,
    /// Distinct shifts of at most half of the circle, applied to all positions.
    shifts: Vec<u64>,
    /// A shift that applies only to the given number of first positions.
    last: (u64, u64),
}

impl RegularPairs {
    /// Draws `count` pairs of `nodes` nodes, or all pairs except the opposite ones
    /// of an even circle.
    ///
    /// # Complexity
    ///
    /// O(count / nodes) time and memory.
    #[must_use]
    pub fn new(nodes: usize, count: usize, stream: &Stream) -> Self {
        let n = nodes as u64;
        let mut draws = stream.draws(0);
        let order = Shuffled::new(n, &mut draws);
        let most = n.saturating_sub(1) / 2;
        let count = (count as u64).min(most * n);
        let (whole, rest) = match n {
            0 => (0, 0),
            n => (count / n, count % n),
        };
        let mut seen = HashSet::new();
        let mut shifts: Vec<u64> = Vec::new();
        while (shifts.len() as u64) < whole + u64::from(rest > 0) {
            let shift = 1 + draws.below(most);
            if seen.insert(shift) {
                shifts.push(shift);
            }
        }
        let last = match rest {
            0 => (0, 0),
            rest => (shifts.pop().unwrap_or(1), rest),
        };
        Self {
            order,
            shifts,
            last,
        }
    }

    /// Partners of a node, distinct, in no particular order.
    ///
    /// # Complexity
    ///
    /// O(1) time per partner.
    pub fn partners(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let n = self.order.size;
        let at = self.order.place(u64::from(node));
        let around = move |shift: u64| [(at + shift) % n, (at + n - shift) % n];
        let (shift, first) = self.last;
        let [after, before] = around(shift);
        let some = [(after, at < first), (before, before < first)];
        let some = some.into_iter().filter(move |&(_, joined)| joined);
        self.shifts
            .iter()
            .flat_map(move |&shift| around(shift))
            .chain(some.map(|(place, _)| place))
            .map(|place| self.order.node(place) as u32)
    }
}

/// A random permutation of 0..size that is computed rather than stored: a
/// four-round Feistel network on pairs of digits, iterated until the result is in
/// range.
#[derive(Debug, Clone)]
struct Shuffled {
    size: u64,
    /// The smallest number whose square is at least the size.
    base: u64,
    keys: [u64; ROUNDS],
}

const ROUNDS: usize = 4;

impl Shuffled {
    fn new(size: u64, draws: &mut Draws) -> Self {
        let mut base = (size as f64).sqrt() as u64;
        while base * base < size {
            base += 1;
        }
        let mut key = || u64::from(draws.next_u32()) << 32 | u64::from(draws.next_u32());
        Self {
            size,
            base: base.max(1),
            keys: std::array::from_fn(|_| key()),
        }
    }

    /// A pseudorandom number below the base.
    #[inline]
    fn round(&self, key: u64, x: u64) -> u64 {
        let mixed = (x ^ key).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
        // Reduce to the base by a multiplication instead of a partition.
        ((mixed >> 32) * self.base) >> 32
    }

    /// Position of a node.
    fn place(&self, node: u64) -> u64 {
        let mut x = node;
        loop {
            let (mut left, mut right) = (x / self.base, x % self.base);
            for &key in &self.keys {
                let sum = left + self.round(key, right);
                (left, right) = (
                    right,
                    if sum >= self.base {
                        sum - self.base
                    } else {
                        sum
                    },
                );
            }
            x = left * self.base + right;
            if x < self.size {
                return x;
            }
        }
    }

    /// Node at a position.
    fn node(&self, place: u64) -> u64 {
        let mut x = place;
        loop {
            let (mut left, mut right) = (x / self.base, x % self.base);
            for &key in self.keys.iter().rev() {
                let sum = right + self.base - self.round(key, left);
                (left, right) = (
                    if sum >= self.base {
                        sum - self.base
                    } else {
                        sum
                    },
                    left,
                );
            }
            x = left * self.base + right;
            if x < self.size {
                return x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::Purpose;

    fn stream(step: u64) -> Stream {
        Stream::new(3, Purpose::NegativeEdges, step)
    }

    #[test]
    fn an_order_has_every_place_once_and_a_way_back() {
        for size in [1, 2, 3, 10, 97, 1000, 1024, 4097] {
            let order = Shuffled::new(size, &mut stream(size).draws(0));
            let mut seen = vec![false; size as usize];
            for node in 0..size {
                let place = order.place(node);
                assert!(!std::mem::replace(&mut seen[place as usize], true));
                assert_eq!(order.node(place), node);
            }
        }
    }

    #[test]
    fn pairs_are_as_many_as_asked_for_different_and_mutual() {
        for (nodes, count) in [
            (0, 5),
            (1, 5),
            (2, 5),
            (3, 3),
            (10, 7),
            (50, 333),
            (9, 1000),
        ] {
            let pairs = RegularPairs::new(nodes, count, &stream(1));
            let mut all = HashSet::new();
            let mut entries = 0;
            for u in 0..nodes as u32 {
                for v in pairs.partners(u) {
                    assert_ne!(u, v);
                    entries += 1;
                    all.insert((u, v));
                }
            }
            let most = nodes.saturating_sub(1) / 2 * nodes;
            assert_eq!(
                all.len(),
                2 * count.min(most),
                "{nodes} nodes, {count} pairs"
            );
            assert_eq!(all.len(), entries, "no pair twice");
            assert!(all.iter().all(|&(u, v)| all.contains(&(v, u))));
        }
    }

    #[test]
    fn every_pair_has_the_same_chance() {
        let (nodes, count, steps) = (11_usize, 13, 20_000);
        let mut seen = vec![0_usize; nodes * nodes];
        for step in 0..steps {
            let pairs = RegularPairs::new(nodes, count, &stream(step));
            for u in 0..nodes as u32 {
                for v in pairs.partners(u) {
                    seen[u as usize * nodes + v as usize] += 1;
                }
            }
        }
        let expected = (2 * count) as f64 / (nodes * (nodes - 1)) as f64 * steps as f64;
        for u in 0..nodes {
            for v in (0..nodes).filter(|&v| v != u) {
                let found = seen[u * nodes + v] as f64;
                // About ten standard deviations; a Feistel network with few
                // digits is not perfectly uniform.
                assert!(
                    (found / expected - 1.0).abs() < 0.1,
                    "{u} {v}: {found} of {expected}"
                );
            }
        }
    }
}
