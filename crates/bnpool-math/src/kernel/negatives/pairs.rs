//! The unordered pairs of one graph, and sampling of those without an edge.
//!
//! A pair u < v is encoded as one number with u in the upper half, so sorting
//! the numbers sorts pairs by u and then by v.

use super::rows::sort_by_first;
use crate::kernel::SparseRows;
use crate::stream::{Draws, Stream};
use rayon::prelude::*;
use std::collections::HashSet;

/// Smallest number of rows or pairs per task.
const PER_TASK: usize = 512;

/// The pairs of one graph of a batch, backed by its adjacency.
pub(super) struct Pairs<'a> {
    rows: SparseRows<'a>,
    first: usize,
    nodes: usize,
    /// Number of directed entries off the diagonal.
    entries: usize,
    /// Number of unordered pairs joined by them.
    joined: usize,
}

impl<'a> Pairs<'a> {
    /// Counts the edges of the graph with the given nodes.
    pub(super) fn new(rows: SparseRows<'a>, first: usize, nodes: usize) -> Self {
        let mut pairs = Self {
            rows,
            first,
            nodes,
            entries: 0,
            joined: 0,
        };
        (pairs.entries, pairs.joined) = (0..nodes)
            .into_par_iter()
            .with_min_len(PER_TASK)
            .map(|u| pairs.edges_of(u))
            .reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        pairs
    }

    /// Counts the off-diagonal entries of a row, and the pairs they join that
    /// are not already joined by an entry from the smaller node to the larger
    /// one.
    fn edges_of(&self, u: usize) -> (usize, usize) {
        let (mut entries, mut joined) = (0, 0);
        for &v in self.rows.row(self.first + u) {
            let v = v as usize - self.first;
            entries += usize::from(u != v);
            joined += usize::from(u < v || u > v && !self.has(v, u));
        }
        (entries, joined)
    }

    /// Returns whether there is an entry from u to v.
    fn has(&self, u: usize, v: usize) -> bool {
        let v = (self.first + v) as u32;
        self.rows.row(self.first + u).binary_search(&v).is_ok()
    }

    /// Returns whether u and v are joined in either direction.
    fn are_joined(&self, u: usize, v: usize) -> bool {
        // If every pair has two entries, one lookup suffices.
        self.has(u, v) || self.entries != 2 * self.joined && self.has(v, u)
    }

    /// Number of unordered pairs of distinct nodes.
    fn all(&self) -> usize {
        self.nodes * self.nodes.saturating_sub(1) / 2
    }

    /// Samples as many pairs without an edge as there are edges, or all of them
    /// if there are fewer. Sorted.
    pub(super) fn sample(&self, stream: &Stream, graph: u32) -> Vec<u64> {
        let free = self.all() - self.joined;
        let count = (self.entries / 2).min(free);
        if 2 * self.joined > self.all() {
            self.enumerate(count, stream, graph)
        } else {
            self.reject(count, stream, graph)
        }
    }

    /// Draws a pair without an edge by rejection.
    fn draw(&self, draws: &mut Draws) -> u64 {
        let n = self.nodes as u64;
        loop {
            let u = draws.below(n);
            // Uniform over the other nodes: skip u itself.
            let v = draws.below(n - 1);
            let v = v + u64::from(v >= u);
            let (u, v) = (u.min(v), u.max(v));
            if !self.are_joined(u as usize, v as usize) {
                return u << 32 | v;
            }
        }
    }

    /// Draws `count` distinct pairs by rejection: O(count) draws while at least
    /// half of all pairs have no edge.
    fn reject(&self, count: usize, stream: &Stream, graph: u32) -> Vec<u64> {
        let slot = |i: usize| stream.draws(u64::from(graph) << 32 | i as u64);
        let drawn: Vec<u64> = (0..count)
            .into_par_iter()
            .with_min_len(PER_TASK)
            .map(|i| self.draw(&mut slot(i)))
            .collect();
        let mut pairs = sort_by_first(drawn, self.nodes);
        pairs.dedup();
        if pairs.len() < count {
            // Redraw the few duplicates, one after the other.
            let mut more = HashSet::new();
            let mut next = count;
            while pairs.len() + more.len() < count {
                let pair = self.draw(&mut slot(next));
                if pairs.binary_search(&pair).is_err() {
                    more.insert(pair);
                }
                next += 1;
            }
            pairs.extend(more);
            // All but the last few are in order, which a stable sort exploits.
            pairs.sort();
        }
        pairs
    }

    /// Draws `count` distinct pairs from a list of all pairs without an edge.
    /// The list is not longer than that of the edges if most pairs are edges.
    fn enumerate(&self, count: usize, stream: &Stream, graph: u32) -> Vec<u64> {
        let mut free: Vec<u64> = Vec::new();
        for u in 0..self.nodes {
            for v in u + 1..self.nodes {
                if !self.are_joined(u, v) {
                    free.push((u as u64) << 32 | v as u64);
                }
            }
        }
        let mut draws = stream.draws(u64::from(graph) << 32);
        for i in 0..count {
            let j = i + draws.below((free.len() - i) as u64) as usize;
            free.swap(i, j);
        }
        free.truncate(count);
        free.sort_unstable();
        free
    }
}
