//! Negative edges for the sparse reconstruction loss (section A.4 of the paper).

use super::SparseRows;
use crate::stream::{Draws, Stream};
use rayon::prelude::*;
use std::collections::HashSet;

/// Pairs of nodes without an edge, in both directions, by rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Negatives {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    graphs: Vec<usize>,
}

impl Negatives {
    /// Pairs from elsewhere; each must be there in both directions.
    ///
    /// # Panics
    ///
    /// When the offsets of the graphs do not fit the matrix.
    #[must_use]
    pub fn given(pairs: SparseRows<'_>, offsets: &[usize]) -> Self {
        assert_eq!(
            offsets.last(),
            Some(&pairs.rows()),
            "offsets cover every node"
        );
        Self {
            offsets: pairs.offsets.to_vec(),
            columns: pairs.columns.to_vec(),
            graphs: offsets
                .windows(2)
                .map(|w| pairs.offsets[w[1]] - pairs.offsets[w[0]])
                .collect(),
        }
    }

    /// The pairs as a sparse matrix of ones.
    #[must_use]
    pub fn view(&self) -> SparseRows<'_> {
        SparseRows {
            offsets: &self.offsets,
            columns: &self.columns,
            weights: None,
            columns_count: self.offsets.len() - 1,
        }
    }

    /// Directed entries |E⁻| of every graph.
    #[must_use]
    pub fn counts(&self) -> &[usize] {
        &self.graphs
    }
}

/// The unordered pairs of one graph of a batch, by what its adjacency says.
struct Pairs<'a> {
    rows: SparseRows<'a>,
    first: usize,
    nodes: usize,
}

impl Pairs<'_> {
    /// True when u and v are joined in either direction.
    fn joined(&self, u: u32, v: u32) -> bool {
        let has = |u: u32, v: u32| {
            self.rows
                .row(self.first + u as usize)
                .binary_search(&(self.first as u32 + v))
                .is_ok()
        };
        has(u, v) || has(v, u)
    }

    /// Unordered pairs of different nodes.
    fn all(&self) -> usize {
        self.nodes * self.nodes.saturating_sub(1) / 2
    }

    /// (directed entries off the diagonal, unordered pairs joined by them).
    fn edges(&self) -> (usize, usize) {
        let mut entries = 0;
        let mut twice = 0;
        for u in 0..self.nodes {
            for &v in self.rows.row(self.first + u) {
                let v = v as usize - self.first;
                if u != v {
                    entries += 1;
                    let back = self.rows.row(self.first + v);
                    twice += usize::from(back.binary_search(&((self.first + u) as u32)).is_ok());
                }
            }
        }
        (entries, entries - twice / 2)
    }

    /// A pair u < v without an edge; redraws until it has one.
    fn draw(&self, draws: &mut Draws) -> u64 {
        let n = self.nodes as u64;
        loop {
            let u = draws.below(n) as u32;
            // Uniform over the others: skip over u itself.
            let v = draws.below(n - 1) as u32;
            let v = v + u32::from(v >= u);
            let (u, v) = (u.min(v), u.max(v));
            if !self.joined(u, v) {
                return u64::from(u) << 32 | u64::from(v);
            }
        }
    }

    /// `count` distinct pairs by rejection: O(count) time and memory while at
    /// least half of all pairs have no edge.
    fn reject(&self, count: usize, stream: &Stream, graph: u32) -> Vec<u64> {
        let slot = |i: usize| stream.draws(u64::from(graph) << 32 | i as u64);
        let mut pairs: Vec<u64> = (0..count)
            .into_par_iter()
            .map(|i| self.draw(&mut slot(i)))
            .collect();
        pairs.par_sort_unstable();
        pairs.dedup();
        // The few drawn twice are drawn again, one after the other.
        if pairs.len() < count {
            let mut seen: HashSet<u64> = pairs.iter().copied().collect();
            for i in count.. {
                let pair = self.draw(&mut slot(i));
                if seen.insert(pair) {
                    pairs.push(pair);
                    if pairs.len() == count {
                        break;
                    }
                }
            }
            pairs.sort_unstable();
        }
        pairs
    }

    /// `count` distinct pairs out of a list of all pairs without an edge: the
    /// list is no longer than that of the edges when these are the majority.
    fn enumerate(&self, count: usize, stream: &Stream, graph: u32) -> Vec<u64> {
        let mut free: Vec<u64> = Vec::new();
        for u in 0..self.nodes as u32 {
            for v in u + 1..self.nodes as u32 {
                if !self.joined(u, v) {
                    free.push(u64::from(u) << 32 | u64::from(v));
                }
            }
        }
        let mut draws = stream.draws(u64::from(graph) << 32);
        let count = count.min(free.len());
        for i in 0..count {
            let j = i + draws.below((free.len() - i) as u64) as usize;
            free.swap(i, j);
        }
        free.truncate(count);
        free.sort_unstable();
        free
    }
}

/// Draws for every graph as many negatives as it has edges, |E⁻| = E, or all
/// pairs without an edge where there are fewer.
///
/// Negatives are unordered pairs of different nodes joined in neither
/// direction, each given in both directions: no self-loops, no duplicates, no
/// edges. Pairs are drawn by rejection where most pairs are free, and out of a
/// list of the free pairs where most are edges, so memory is O(E) always. What
/// a graph gets depends on the stream and on the graph's key, not on the batch.
///
/// # Complexity
///
/// O(E log E) time, O(E) memory.
///
/// # Panics
///
/// When the offsets do not fit the matrix or the keys.
#[must_use]
pub fn sample_negatives(
    adjacency: SparseRows<'_>,
    offsets: &[usize],
    graph_keys: &[u32],
    stream: &Stream,
) -> Negatives {
    let nodes = adjacency.rows();
    assert!(
        offsets.last() == Some(&nodes) && offsets.len() == graph_keys.len() + 1,
        "offsets and a key of every graph"
    );
    let pairs: Vec<Vec<u64>> = offsets
        .par_windows(2)
        .zip(graph_keys)
        .map(|(w, &key)| {
            let graph = Pairs {
                rows: adjacency,
                first: w[0],
                nodes: w[1] - w[0],
            };
            let (entries, joined) = graph.edges();
            let free = graph.all() - joined;
            let count = (entries / 2).min(free);
            if 2 * joined > graph.all() {
                graph.enumerate(count, stream, key)
            } else {
                graph.reject(count, stream, key)
            }
        })
        .collect();
    // Both directions, by counting: lower neighbours first, then the higher
    // ones, each in order because the pairs are sorted.
    let mut starts = vec![0_usize; nodes + 1];
    let each = |visit: &mut dyn FnMut(usize, usize)| {
        for (b, pairs) in pairs.iter().enumerate() {
            for &pair in pairs {
                let (u, v) = ((pair >> 32) as usize, (pair & 0xFFFF_FFFF) as usize);
                visit(offsets[b] + u, offsets[b] + v);
            }
        }
    };
    each(&mut |u, v| {
        starts[u + 1] += 1;
        starts[v + 1] += 1;
    });
    for u in 0..nodes {
        starts[u + 1] += starts[u];
    }
    let mut columns = vec![0_u32; starts[nodes]];
    let mut next = starts.clone();
    each(&mut |u, v| {
        columns[next[v]] = u as u32;
        next[v] += 1;
    });
    each(&mut |u, v| {
        columns[next[u]] = v as u32;
        next[u] += 1;
    });
    Negatives {
        offsets: starts,
        columns,
        graphs: pairs.iter().map(|p| 2 * p.len()).collect(),
    }
}
