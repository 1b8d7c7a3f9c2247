//! Greedy merging of groups under the planted partition.

use super::Dendrogram;
use super::between::{Between, Neighbours};
use crate::description_length::{Group, Moments, Planted, PlantedCode, WeightModel, Whole};
use crate::leiden::compact;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// All keys are recomputed when the number of groups has decreased by this
/// factor, because global terms drift.
const REFRESH: f64 = 0.8;

/// Number of times that the best merge is re-evaluated because global terms
/// have changed, before it is applied anyway.
const TRIES: usize = 16;

/// Number of merges beyond half of the best number of groups.
const MARGIN: usize = 8;

/// A candidate merge.
#[derive(Clone, Copy, PartialEq)]
struct Candidate {
    change: f64,
    pair: (u32, u32),
    /// Versions of the two groups when the candidate was evaluated.
    ages: (u32, u32),
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

/// Merges groups in pairs down to one group, always the adjacent pair that
/// lowers Σ most (or raises it least). Disconnected groups are merged last,
/// smallest first.
///
/// # Complexity
///
/// About O(P log P) time for P pairs of adjacent groups, plus O(E + N) to find
/// them.
#[must_use]
pub fn agglomerate(state: &Planted<'_>) -> Dendrogram {
    let plain = state.code.weights.model == WeightModel::Ignored;
    if plain && u32::try_from(state.links().edges()).is_ok() {
        agglomerate_by::<u32>(state)
    } else {
        agglomerate_by::<Moments>(state)
    }
}

fn agglomerate_by<B: Between>(state: &Planted<'_>) -> Dendrogram {
    let mut labels = state.labels().to_vec();
    let count = compact(&mut labels);
    let mut groups = vec![Group::default(); count];
    for (u, &label) in labels.iter().enumerate() {
        groups[label as usize] = state.groups[state.labels()[u] as usize];
    }
    let links = state.links();
    let mut around = vec![Neighbours::<B>::default(); count];
    for u in 0..links.nodes() {
        let start = links.offsets()[u];
        for (i, &v) in links.neighbours(u).iter().enumerate() {
            let (r, s) = (labels[u], labels[v as usize]);
            // Once for each direction, with the edges in the same order for
            // both.
            if (v as usize) < u && r != s {
                let edge = B::of(state.code.weights.moments(start + i));
                for (a, b) in [(r, s), (s, r)] {
                    let cell = around[a as usize].entry(b).or_default();
                    *cell = cell.plus(edge);
                }
            }
        }
    }
    let (code, whole) = (&state.code, &state.whole());
    let start = Grouped {
        labels,
        groups,
        around,
        total: state.total(),
    };
    merge_groups(start, code, whole, Until::One)
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
    let Grouped {
        labels,
        mut groups,
        mut around,
        mut total,
    } = start;
    let count = groups.len();
    let mut path = Dendrogram::new(labels, count, total);
    let mut left = count;
    let Whole {
        mut inside,
        mut squares,
        ..
    } = *whole;
    let mut ages = vec![0_u32; count];
    let mut fresh = f64::INFINITY;
    let mut heap = BinaryHeap::new();
    let mut lengths: Vec<f64> = groups.iter().map(|g| code.local(g)).collect();
    let mut tries = 0;
    let mut best = (total, left);
    while left > 1 {
        if until == Until::PastBest && left + MARGIN < best.1 / 2 {
            return path;
        }
        let shared = code.global(left, inside, squares);
        let change = |r: u32, s: u32, between: Moments, lengths: &[f64], groups: &[Group]| {
            let (a, b) = (&groups[r as usize], groups[s as usize]);
            code.local(&a.union(b, between)) - lengths[r as usize] - lengths[s as usize]
                + code.global(left - 1, inside.plus(between), squares + twice(a, &b))
                - shared
        };
        if (left as f64) < REFRESH * fresh {
            fresh = left as f64;
            // Reuse the memory of the old candidates.
            let mut all = std::mem::take(&mut heap).into_vec();
            all.clear();
            for (r, near) in (0_u32..).zip(&around) {
                for (&s, &between) in near.iter().filter(|(s, _)| **s > r) {
                    all.push(Candidate {
                        change: change(r, s, between.moments(), &lengths, &groups),
                        pair: (r, s),
                        ages: (ages[r as usize], ages[s as usize]),
                    });
                }
            }
            heap = BinaryHeap::from(all);
        }
        let Some(candidate) = heap.pop() else {
            break;
        };
        let (r, s) = candidate.pair;
        if candidate.ages != (ages[r as usize], ages[s as usize]) {
            continue;
        }
        let between = around[r as usize][&s].moments();
        let now = change(r, s, between, &lengths, &groups);
        let current = Candidate {
            change: now,
            ..candidate
        };
        if tries < TRIES && heap.peek().is_some_and(|next| *next > current) {
            heap.push(current);
            tries += 1;
            continue;
        }
        tries = 0;
        // The group with more neighbours keeps its name.
        let (kept, gone) = match around[r as usize].len().cmp(&around[s as usize].len()) {
            Ordering::Less => (s, r),
            _ => (r, s),
        };
        squares += twice(&groups[kept as usize], &groups[gone as usize]);
        groups[kept as usize] = groups[kept as usize].union(groups[gone as usize], between);
        lengths[kept as usize] = code.local(&groups[kept as usize]);
        ages[kept as usize] += 1;
        ages[gone as usize] = u32::MAX;
        inside = inside.plus(between);
        total += now;
        left -= 1;
        path.push(kept, gone, total, true);
        if total <= best.0 {
            best = (total, left);
        }
        let near = std::mem::take(&mut around[gone as usize]);
        around[kept as usize].remove(&gone);
        for (t, between) in near {
            if t != kept {
                let cell = around[kept as usize].entry(t).or_default();
                *cell = cell.plus(between);
                let sum = *cell;
                around[t as usize].remove(&gone);
                around[t as usize].insert(kept, sum);
            }
        }
        let shared = code.global(left, inside, squares);
        if left > 1 {
            for (&t, between) in &around[kept as usize] {
                let between = between.moments();
                let union = groups[kept as usize].union(groups[t as usize], between);
                let squares = squares + twice(&groups[kept as usize], &groups[t as usize]);
                let change = code.local(&union) - lengths[kept as usize] - lengths[t as usize]
                    + code.global(left - 1, inside.plus(between), squares)
                    - shared;
                let pair = (kept.min(t), kept.max(t));
                heap.push(Candidate {
                    change,
                    pair,
                    ages: (ages[pair.0 as usize], ages[pair.1 as usize]),
                });
            }
        }
    }
    // The remaining groups share no edges.
    let mut apart: BinaryHeap<Reverse<(u64, u32)>> = (0..count as u32)
        .filter(|&g| ages[g as usize] != u32::MAX)
        .map(|g| Reverse((groups[g as usize].size, g)))
        .collect();
    while let (Some(Reverse((_, a))), Some(Reverse((_, b)))) = (apart.pop(), apart.pop()) {
        let before = code.global(left, inside, squares);
        squares += twice(&groups[a as usize], &groups[b as usize]);
        let after = code.global(left - 1, inside, squares);
        let union = groups[a as usize].union(groups[b as usize], Moments::default());
        total += code.local(&union) - lengths[a as usize] - lengths[b as usize] + after - before;
        groups[b as usize] = union;
        lengths[b as usize] = code.local(&union);
        left -= 1;
        path.push(b, a, total, false);
        apart.push(Reverse((union.size, b)));
    }
    path
}
