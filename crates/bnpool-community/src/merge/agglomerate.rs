//! Greedy merging of groups under the planted partition.

use super::Dendrogram;
use super::between::{Between, Neighbours};
use crate::description_length::{
    Group, GroupGraph, Moments, Planted, PlantedCode, WeightModel, Whole,
};
use crate::leiden::compact;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// All keys are recomputed when the number of groups has decreased by this
/// factor, because global terms drift.
const REFRESH: f64 = 0.8;

/// Number of candidates that are evaluated again before the best of them is applied.
const TRIES: usize = 16;

/// Number of merges beyond half of the best number of groups.
const MARGIN: usize = 8;

/// A candidate merge.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    change: f64,
    pair: (u32, u32),
}

impl Eq for Candidate {}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_change = other.change.total_cmp(&self.change);
        by_change.then_with(|| other.pair.cmp(&self.pair))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Cross term of the square of the sum of two volumes.
pub(super) fn twice(a: &Group, b: &Group) -> f64 {
    2.0 * a.volume as f64 * b.volume as f64
}

/// Merges groups in pairs down to one group, always an adjacent pair that lowers Σ most
/// (or raises it least). Disconnected groups are merged last, smallest first.
///
/// # Complexity
///
/// About O(P log P) time for P pairs of adjacent groups, plus O(E + N) to find
/// them.
#[must_use]
pub fn agglomerate(state: &Planted<'_>) -> Dendrogram {
    let mut labels = state.labels().to_vec();
    let count = compact(&mut labels);
    let graph = GroupGraph::new(state.links(), &state.code.weights, &labels, count);
    merged(&graph, labels, &state.code)
}

/// As [`agglomerate`], for the graph of the groups of these labels.
pub(crate) fn merged(graph: &GroupGraph, labels: Vec<u32>, code: &PlantedCode) -> Dendrogram {
    let plain = code.weights.model == WeightModel::Ignored;
    if plain && u32::try_from(code.edges()).is_ok() {
        merged_by::<u32>(graph, labels, code)
    } else {
        merged_by::<Moments>(graph, labels, code)
    }
}

fn merged_by<B: Between>(graph: &GroupGraph, labels: Vec<u32>, code: &PlantedCode) -> Dendrogram {
    let groups = graph.groups.clone();
    let around = |r| graph.row(r).map(|(s, edges)| (s, B::of(edges))).collect();
    let whole = Whole::of(&groups);
    let start = Grouped {
        labels,
        around: (0..groups.len()).map(around).collect(),
        total: whole.total(code, &groups),
        groups,
    };
    merge_groups(start, code, &whole, Until::One)
}

/// Groups given by their statistics, and the edges between them.
pub(crate) struct Grouped<B> {
    /// Group of each node.
    pub(crate) labels: Vec<u32>,
    /// The groups, none of them empty.
    pub(crate) groups: Vec<Group>,
    /// Adjacent groups of each group.
    pub(crate) around: Vec<Neighbours<B>>,
    /// Σ.
    pub(crate) total: f64,
}

/// End of the merging.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// To one group.
    One,
    /// Down to half as many groups as the best partition, as long as none is
    /// better. Beyond that, nearly all groups are adjacent, and merges become slow.
    PastBest,
}

/// Like [`agglomerate`], for groups given by their statistics and edges.
pub(crate) fn merge_groups<B: Between>(
    start: Grouped<B>,
    code: &PlantedCode,
    whole: &Whole,
    until: Until,
) -> Dendrogram {
    let mut merger = Merger::new(start, code, whole);
    let mut fresh = f64::INFINITY;
    let mut heap = BinaryHeap::new();
    let mut best = (merger.total, merger.left);
    while merger.left > 1 {
        if until == Until::PastBest && merger.left + MARGIN < best.1 / 2 {
            return merger.path;
        }
        if (merger.left as f64) < REFRESH * fresh {
            fresh = merger.left as f64;
            // Reuses the memory of the old candidates.
            let mut all = std::mem::take(&mut heap).into_vec();
            merger.candidates(&mut all);
            heap = BinaryHeap::from(all);
        }
        let Some(candidate) = merger.next(&mut heap) else {
            break;
        };
        merger.merge(candidate, &mut heap);
        if merger.total <= best.0 {
            best = (merger.total, merger.left);
        }
    }
    merger.join_the_rest();
    merger.path
}

/// The groups that are left, with the candidates of merges.
struct Merger<'a, B> {
    code: &'a PlantedCode,
    groups: Vec<Group>,
    /// Terms of each group.
    lengths: Vec<f64>,
    around: Vec<Neighbours<B>>,
    /// Whether a group was dissolved.
    gone: Vec<bool>,
    left: usize,
    inside: Moments,
    squares: f64,
    /// Terms of all groups together.
    shared: f64,
    total: f64,
    path: Dendrogram,
}

impl<'a, B: Between> Merger<'a, B> {
    fn new(start: Grouped<B>, code: &'a PlantedCode, whole: &Whole) -> Self {
        let left = start.groups.len();
        Self {
            code,
            lengths: start.groups.iter().map(|g| code.local(g)).collect(),
            groups: start.groups,
            around: start.around,
            gone: vec![false; left],
            left,
            inside: whole.inside,
            squares: whole.squares,
            shared: code.global(left, whole.inside, whole.squares),
            total: start.total,
            path: Dendrogram::new(start.labels, left, start.total),
        }
    }

    /// Change of Σ if two groups are merged.
    fn change(&self, r: u32, s: u32, between: Moments) -> f64 {
        let (r, s) = (r as usize, s as usize);
        let (a, b) = (&self.groups[r], self.groups[s]);
        let squares = self.squares + twice(a, &b);
        self.code.local(&a.union(b, between)) - self.lengths[r] - self.lengths[s]
            + self
                .code
                .global(self.left - 1, self.inside.plus(between), squares)
            - self.shared
    }

    /// Edges between two adjacent groups, found at the one with fewer neighbours.
    fn between(&self, r: u32, s: u32) -> Moments {
        let (r_near, s_near) = (&self.around[r as usize], &self.around[s as usize]);
        if r_near.len() < s_near.len() {
            r_near[&s].moments()
        } else {
            s_near[&r].moments()
        }
    }

    fn candidate(&self, r: u32, s: u32, between: Moments) -> Candidate {
        let pair = (r.min(s), r.max(s));
        Candidate {
            change: self.change(pair.0, pair.1, between),
            pair,
        }
    }

    /// Replaces `all` by all pairs of adjacent groups.
    fn candidates(&self, all: &mut Vec<Candidate>) {
        all.clear();
        for (r, near) in (0_u32..).zip(&self.around) {
            let pairs = near.iter().filter(|(s, _)| **s > r);
            all.extend(pairs.map(|(&s, between)| self.candidate(r, s, between.moments())));
        }
    }

    /// Takes the best candidate of a few that are evaluated again, because groups and
    /// global terms have changed since they were put into the heap.
    fn next(&self, heap: &mut BinaryHeap<Candidate>) -> Option<Candidate> {
        let mut best: Option<Candidate> = None;
        for _ in 0..TRIES {
            let now = loop {
                let Some(found) = heap.pop() else {
                    return best;
                };
                let (r, s) = found.pair;
                if !self.gone[r as usize] && !self.gone[s as usize] {
                    break self.candidate(r, s, self.between(r, s));
                }
            };
            match best {
                // Two entries of one pair.
                Some(other) if other.pair == now.pair => {}
                Some(other) if other > now => heap.push(now),
                other => {
                    heap.extend(other);
                    best = Some(now);
                }
            }
            if heap.peek().is_none_or(|next| best >= Some(*next)) {
                break;
            }
        }
        best
    }

    /// Merges two groups, and puts the pairs of the merged group that have changed most
    /// into the heap: those with the neighbours of the smaller one. The others are
    /// evaluated again when it is their turn.
    fn merge(&mut self, candidate: Candidate, heap: &mut BinaryHeap<Candidate>) {
        let (r, s) = candidate.pair;
        let between = self.between(r, s);
        // The group with more neighbours keeps its name.
        let (r_near, s_near) = (&self.around[r as usize], &self.around[s as usize]);
        let (kept, gone) = match r_near.len().cmp(&s_near.len()) {
            Ordering::Less => (s, r),
            _ => (r, s),
        };
        let (k, g) = (kept as usize, gone as usize);
        self.squares += twice(&self.groups[k], &self.groups[g]);
        self.groups[k] = self.groups[k].union(self.groups[g], between);
        self.lengths[k] = self.code.local(&self.groups[k]);
        self.gone[g] = true;
        self.inside = self.inside.plus(between);
        self.left -= 1;
        self.shared = self.code.global(self.left, self.inside, self.squares);
        self.total += candidate.change;
        self.path.push(kept, gone, self.total, true);
        let near = std::mem::take(&mut self.around[g]);
        self.around[k].remove(&gone);
        for (t, between) in near.into_iter().filter(|(t, _)| *t != kept) {
            let cell = self.around[k].entry(t).or_default();
            *cell = cell.plus(between);
            let sum = *cell;
            self.around[t as usize].remove(&gone);
            self.around[t as usize].insert(kept, sum);
            if self.left > 1 {
                heap.push(self.candidate(kept, t, sum.moments()));
            }
        }
    }

    /// Merges groups that share no edges, smallest first.
    fn join_the_rest(&mut self) {
        let mut apart: BinaryHeap<Reverse<(u64, u32)>> = (0..self.groups.len() as u32)
            .filter(|&g| !self.gone[g as usize])
            .map(|g| Reverse((self.groups[g as usize].size, g)))
            .collect();
        while let (Some(Reverse((_, a))), Some(Reverse((_, b)))) = (apart.pop(), apart.pop()) {
            self.total += self.change(b, a, Moments::default());
            let (kept, gone) = (b as usize, a as usize);
            self.squares += twice(&self.groups[kept], &self.groups[gone]);
            self.groups[kept] = self.groups[kept].union(self.groups[gone], Moments::default());
            self.lengths[kept] = self.code.local(&self.groups[kept]);
            self.left -= 1;
            self.shared = self.code.global(self.left, self.inside, self.squares);
            self.path.push(b, a, self.total, false);
            apart.push(Reverse((self.groups[kept].size, b)));
        }
    }
}
