//! Alternating merges, moves and splits.

use super::{Dendrogram, merged, settle};
use crate::description_length::{GroupGraph, Planted};
use crate::leiden::leiden_within;
use crate::{Links, Partition};
use bnpool_math::kernel::connected_components;

/// Resolutions of successive attempts to split groups.
pub(crate) const RESOLUTIONS: [f64; 4] = [1.0, 0.6, 1.5, 2.5];

/// Bounds on the effort per partition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Visits of a node per round of moves.
    pub visits: usize,
    /// Number of rounds of moves and merges.
    pub rounds: usize,
    /// Number of attempts to split all groups and merge the pieces again.
    pub splits: usize,
    /// Smallest number of groups of the result.
    pub fewest: usize,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            visits: 10,
            rounds: 5,
            splits: 4,
            fewest: 1,
        }
    }
}

/// Lowers Σ of a partition into connected groups by moves, merges, and splits
/// followed by merges. The groups of the result are connected.
///
/// Returns the best partition, its Σ, and the dendrogram from the last start
/// that led to it.
///
/// # Complexity
///
/// Some tens of times O(E log E) time, O(N + E) memory.
#[must_use]
pub fn improve(
    state: &mut Planted<'_>,
    effort: &Effort,
    seed: u64,
) -> (Partition, f64, Dendrogram) {
    let mut best = descend(state, effort, seed);
    let links = state.links();
    for attempt in 0..effort.splits as u64 {
        let pieces = split(links, best.0.labels(), attempt, seed ^ 0x5eed);
        let mut other = Planted::with_code(links, pieces.labels(), state.code.clone());
        let found = descend(&mut other, effort, seed ^ (attempt + 1));
        if found.1 < best.1 - super::sweep::LEAST {
            best = found;
            *state = other;
        }
    }
    best
}

/// Alternates moves and merges until neither lowers Σ.
fn descend(state: &mut Planted<'_>, effort: &Effort, seed: u64) -> (Partition, f64, Dendrogram) {
    let links = state.links();
    let mut best: Option<(Partition, f64, Dendrogram)> = None;
    for round in 0..effort.rounds.max(1) as u64 {
        settle(
            state,
            effort.visits,
            effort.fewest,
            seed.wrapping_add(round),
        );
        // Moves may disconnect a group.
        let labels = in_one_piece(links, state.labels());
        let groups = labels.iter().max().map_or(0, |&g| g as usize + 1);
        let graph = GroupGraph::new(links, &state.code.weights, &labels, groups);
        let path = merged(&graph, labels, &state.code);
        let groups = path.best(effort.fewest.max(path.coarsest_adjacent()));
        let (partition, total) = (path.cut(groups), path.total(groups));
        let (Some(partition), Some(total)) = (partition, total) else {
            break;
        };
        if best
            .as_ref()
            .is_some_and(|b| total >= b.1 - super::sweep::LEAST)
        {
            break;
        }
        *state = Planted::with_code(links, partition.labels(), state.code.clone());
        best = Some((partition, total, path));
    }
    best.expect("the first round finds a partition")
}

/// Splits groups into their connected components, except that nodes without
/// edges stay in their group.
pub(crate) fn in_one_piece(links: &Links, labels: &[u32]) -> Vec<u32> {
    let mut pieces = connected_components(links.view(), |u, v, _| labels[u] == labels[v]).of_node;
    place_isolated(links, &mut pieces);
    let partition = Partition::new(&pieces);
    partition.labels().to_vec()
}

/// Puts nodes without edges into the largest group, as they belong to none.
pub(crate) fn place_isolated(links: &Links, labels: &mut [u32]) {
    if (0..links.nodes()).all(|u| links.degree(u) > 0) {
        return;
    }
    let mut sizes = vec![0_usize; labels.len()];
    for (u, &label) in labels.iter().enumerate() {
        sizes[label as usize] += usize::from(links.degree(u) > 0);
    }
    let largest = (0..sizes.len())
        .rev()
        .max_by_key(|&g| sizes[g])
        .unwrap_or(0);
    for (u, label) in labels.iter_mut().enumerate() {
        if links.degree(u) == 0 {
            *label = largest as u32;
        }
    }
}

/// Splits each group by Leiden inside it.
fn split(links: &Links, labels: &[u32], attempt: u64, seed: u64) -> Partition {
    let resolution = RESOLUTIONS[attempt as usize % RESOLUTIONS.len()];
    let mut pieces = leiden_within(links, labels, resolution, seed.wrapping_add(attempt));
    place_isolated(links, &mut pieces);
    Partition::new(&in_one_piece(links, &pieces))
}
