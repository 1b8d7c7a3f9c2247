//! One-way edges in the block model.
//!
//! One-way edges are treated as a separate graph next to two-way and undirected
//! edges, with separate counts for r → s and s → r and with out- and in-degrees
//! (Peixoto, 2017, the directed form). An edge together with its reverse is thus
//! one observation rather than two.

use super::weights::WeightCode;
use super::{Moments, ln_binomial, ln_factorial};
use crate::{Direction, Links};

/// Counts of one-way edges given groups.
#[derive(Debug, Clone)]
pub(crate) struct Flow {
    /// Edges from group to group, [groups, groups].
    matrix: Vec<Moments>,
    /// Number of edges that leave each group, and that enter it.
    ends: Vec<[u64; 2]>,
    edges: u64,
    /// Edges of the current node to each group, and from each group.
    out: Vec<Moments>,
    into: Vec<Moments>,
    /// Groups adjacent to that node by edges of any kind.
    pub(crate) near: Vec<u32>,
}

impl Flow {
    /// Creates the counts, and the terms that do not depend on the partition;
    /// `None` if no edge has a direction.
    pub(crate) fn new(
        links: &Links,
        labels: &[u32],
        groups: usize,
        weights: &WeightCode,
    ) -> Option<(Self, f64)> {
        let directions = links.directions()?;
        let mut flow = Self {
            matrix: vec![Moments::default(); groups * groups],
            ends: vec![[0; 2]; groups],
            edges: 0,
            out: vec![Moments::default(); groups],
            into: vec![Moments::default(); groups],
            near: Vec::new(),
        };
        let mut constant = 0.0;
        for u in 0..links.nodes() {
            let own = labels[u] as usize;
            let mut degrees = [0_u64; 2];
            for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
                match directions[entry] {
                    Direction::Both => {}
                    Direction::Out => {
                        let cell = &mut flow.matrix[own * groups + labels[v as usize] as usize];
                        *cell = cell.plus(weights.moments(entry));
                        degrees[0] += 1;
                    }
                    Direction::In => degrees[1] += 1,
                }
            }
            for (sum, degree) in flow.ends[own].iter_mut().zip(degrees) {
                *sum += degree;
                constant -= ln_factorial(degree);
            }
            flow.edges += degrees[0];
        }
        Some((flow, constant))
    }

    fn groups(&self) -> usize {
        self.ends.len()
    }

    fn cell(&self, r: usize, s: usize) -> Moments {
        self.matrix[r * self.groups() + s]
    }

    fn length(weights: &WeightCode, cell: Moments) -> f64 {
        weights.length(cell) - ln_factorial(cell.count)
    }

    /// Terms of the degrees of the nodes of a group.
    fn local(size: u64, ends: [u64; 2]) -> f64 {
        if size == 0 {
            return 0.0;
        }
        let part = |sum: u64| ln_factorial(sum + size - 1) - ln_factorial(size - 1);
        part(ends[0]) + part(ends[1])
    }

    /// Terms of the number of edges between each pair of groups.
    pub(crate) fn global(&self, groups: u64) -> f64 {
        ln_binomial(groups * groups + self.edges - 1, self.edges)
    }

    /// All terms except those of [`global`](Self::global).
    pub(crate) fn total(&self, weights: &WeightCode, sizes: impl Iterator<Item = u64>) -> f64 {
        let cells = self.matrix.iter().map(|&cell| Self::length(weights, cell));
        let groups = sizes.zip(&self.ends).map(|(n, &ends)| Self::local(n, ends));
        cells.sum::<f64>() + groups.sum::<f64>()
    }

    /// Makes `u` the current node and counts its one-way edges.
    pub(crate) fn gather(&mut self, links: &Links, labels: &[u32], weights: &WeightCode, u: usize) {
        for g in self.near.drain(..) {
            self.out[g as usize] = Moments::default();
            self.into[g as usize] = Moments::default();
        }
        let Some(directions) = links.directions() else {
            return;
        };
        for (&v, entry) in links.neighbours(u).iter().zip(links.offsets()[u]..) {
            let group = labels[v as usize];
            self.near.push(group);
            let side = match directions[entry] {
                Direction::Both => continue,
                Direction::Out => &mut self.out[group as usize],
                Direction::In => &mut self.into[group as usize],
            };
            *side = side.plus(weights.moments(entry));
        }
        self.near.sort_unstable();
        self.near.dedup();
    }

    /// Number of edges that leave the current node, and that enter it.
    fn degrees(&self) -> [u64; 2] {
        let sum = |side: &[Moments]| self.near.iter().map(|&g| side[g as usize].count).sum();
        [sum(&self.out), sum(&self.into)]
    }

    /// Change of the terms if the current node moves from group `r` to group
    /// `s`; `sizes` are the sizes of both before the move.
    pub(crate) fn change(
        &self,
        weights: &WeightCode,
        (r, s): (usize, usize),
        sizes: [u64; 2],
    ) -> f64 {
        let degrees = self.degrees();
        let (old, new) = (self.ends[r], self.ends[s]);
        let mut sum = Self::local(sizes[0] - 1, less(old, degrees))
            + Self::local(sizes[1] + 1, more(new, degrees))
            - Self::local(sizes[0], old)
            - Self::local(sizes[1], new);
        let replace = |before: Moments, after: Moments| {
            if before.count == 0 && after.count == 0 {
                0.0
            } else {
                Self::length(weights, after) - Self::length(weights, before)
            }
        };
        for &t in &self.near {
            let t = t as usize;
            if t != r && t != s {
                let (out, into) = (self.out[t], self.into[t]);
                let (rt, st) = (self.cell(r, t), self.cell(s, t));
                let (tr, ts) = (self.cell(t, r), self.cell(t, s));
                sum += replace(rt, rt.minus(out)) + replace(st, st.plus(out));
                sum += replace(tr, tr.minus(into)) + replace(ts, ts.plus(into));
            }
        }
        for ((x, y), after) in self.corners(r, s) {
            sum += replace(self.cell(x, y), after);
        }
        sum
    }

    /// Cells of the two groups of a move, after the move.
    fn corners(&self, r: usize, s: usize) -> [((usize, usize), Moments); 4] {
        let (out, into) = (&self.out, &self.into);
        [
            ((r, r), self.cell(r, r).minus(out[r].plus(into[r]))),
            ((s, s), self.cell(s, s).plus(out[s]).plus(into[s])),
            ((r, s), self.cell(r, s).plus(into[r]).minus(out[s])),
            ((s, r), self.cell(s, r).plus(out[r]).minus(into[s])),
        ]
    }

    /// Moves the current node.
    pub(crate) fn apply(&mut self, r: usize, s: usize) {
        let b = self.groups();
        for ((x, y), after) in self.corners(r, s) {
            self.matrix[x * b + y] = after;
        }
        for i in 0..self.near.len() {
            let t = self.near[i] as usize;
            if t != r && t != s {
                let (out, into) = (self.out[t], self.into[t]);
                self.matrix[r * b + t] = self.cell(r, t).minus(out);
                self.matrix[s * b + t] = self.cell(s, t).plus(out);
                self.matrix[t * b + r] = self.cell(t, r).minus(into);
                self.matrix[t * b + s] = self.cell(t, s).plus(into);
            }
        }
        let degrees = self.degrees();
        self.ends[r] = less(self.ends[r], degrees);
        self.ends[s] = more(self.ends[s], degrees);
    }

    /// Change of the terms if group `s` is merged into group `r`.
    pub(crate) fn merge_change(
        &self,
        weights: &WeightCode,
        (r, s): (usize, usize),
        sizes: [u64; 2],
    ) -> f64 {
        let length = |cell| Self::length(weights, cell);
        let mut sum = Self::local(sizes[0] + sizes[1], more(self.ends[r], self.ends[s]))
            - Self::local(sizes[0], self.ends[r])
            - Self::local(sizes[1], self.ends[s]);
        let mut join = |x: Moments, y: Moments| {
            if x.count > 0 && y.count > 0 {
                sum += length(x.plus(y)) - length(x) - length(y);
            }
        };
        for t in (0..self.groups()).filter(|&t| t != r && t != s) {
            join(self.cell(r, t), self.cell(s, t));
            join(self.cell(t, r), self.cell(t, s));
        }
        let corners = [(r, r), (s, s), (r, s), (s, r)].map(|(x, y)| self.cell(x, y));
        let inside = corners.into_iter().fold(Moments::default(), Moments::plus);
        sum + length(inside) - corners.map(length).iter().sum::<f64>()
    }

    /// Merges group `s` into group `r`.
    pub(crate) fn merge(&mut self, r: usize, s: usize) {
        let b = self.groups();
        let mut take = |from: usize, to: usize| {
            let moved = std::mem::take(&mut self.matrix[from]);
            self.matrix[to] = self.matrix[to].plus(moved);
        };
        for t in 0..b {
            take(s * b + t, r * b + t);
        }
        for t in 0..b {
            take(t * b + s, t * b + r);
        }
        self.ends[r] = more(self.ends[r], self.ends[s]);
        self.ends[s] = [0; 2];
    }
}

fn more(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

fn less(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}
