//! Divisions that were found.

use crate::description_length::{Blocks, Density, WeightModel};
use crate::merge::Dendrogram;
use crate::{Links, Partition};

/// The model that a division was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// The planted partition.
    Planted(Density),
    /// The block model.
    Blocks,
    /// The block model that explains directions, too.
    DirectedBlocks,
}

impl Judge {
    /// The graph as this model sees it: with directions only if it explains them.
    #[must_use]
    pub fn sees(self, links: &Links) -> Links {
        match self {
            Self::DirectedBlocks => links.clone(),
            _ => links.undirected(),
        }
    }
}

/// Where the search for a division started.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Origin {
    /// Leiden at a resolution.
    Leiden(f64),
    /// k-means of eigenvectors.
    Eigenvectors,
    /// k-means of singular vectors of a directed graph.
    SingularVectors,
    /// The best division by another model.
    OtherModel,
    /// A division of the caller's.
    Given,
}

/// A division, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The division.
    pub division: Partition,
    /// Σ by the model that found it, in nats; weights included. Directions count
    /// beyond what they cost without groups.
    pub total: f64,
    /// The model that found it.
    pub judge: Judge,
    /// How the model explains weights.
    pub weights: WeightModel,
    /// Where the search started.
    pub origin: Origin,
    /// The part of the volume in groups that prefer themselves to every other.
    pub preference: f64,
    /// Edges inside groups beyond what degrees put there, as a part of all.
    pub assortativity: f64,
    /// The merges that led to the division, and on from there to one group.
    pub path: Dendrogram,
}

/// The part of the volume in groups that prefer themselves: that have more edges
/// inside, for the degrees of their nodes, than to any other group; and the
/// edges inside groups beyond what degrees put there, as a part of all. With
/// `weighted`, weights are counted instead of edges.
///
/// # Complexity
///
/// O(E) time but for a sort of the pairs of groups.
pub(super) fn preference(links: &Links, division: &Partition, weighted: bool) -> (f64, f64) {
    let labels = division.labels();
    let groups = division.groups();
    let mut volumes = vec![0.0_f64; groups];
    let mut inside = vec![0.0_f64; groups];
    let mut across: Vec<((u32, u32), f32)> = Vec::new();
    let weights = links.weights().filter(|_| weighted);
    for u in 0..links.nodes() {
        let start = links.offsets()[u];
        for (i, &v) in links.neighbours(u).iter().enumerate() {
            let weight = weights.map_or(1.0, |w| w[start + i]);
            let (r, s) = (labels[u], labels[v as usize]);
            volumes[r as usize] += f64::from(weight);
            if r == s {
                inside[r as usize] += f64::from(weight);
            } else if r < s {
                across.push(((r, s), weight));
            }
        }
    }
    // Stable, so that sums are taken in the order of the edges.
    across.sort_by_key(|entry| entry.0);
    let pairs = across.chunk_by(|a, b| a.0 == b.0);
    let sums = pairs.map(|pair| {
        let sum = pair.iter().map(|entry| f64::from(entry.1)).sum();
        (pair[0].0, sum)
    });
    preference_of(&volumes, &inside, sums)
}

/// The same for groups of which only the edges are counted: the ends of edges in
/// every group, those of edges inside, and the edges between pairs of groups.
pub(crate) fn preference_of(
    volumes: &[f64],
    inside: &[f64],
    between: impl Iterator<Item = ((u32, u32), f64)>,
) -> (f64, f64) {
    let groups = volumes.len();
    let mut strongest = vec![0.0_f64; groups];
    for ((r, s), sum) in between {
        let (r, s) = (r as usize, s as usize);
        let affinity = sum / volumes[r] / volumes[s];
        strongest[r] = strongest[r].max(affinity);
        strongest[s] = strongest[s].max(affinity);
    }
    let all: f64 = volumes.iter().sum();
    let (mut selfish, mut surplus) = (0.0, 0.0);
    for g in 0..groups {
        let own = inside[g] / volumes[g].max(f64::MIN_POSITIVE).powi(2);
        if own >= strongest[g] {
            selfish += volumes[g];
        }
        surplus += inside[g] / all - (volumes[g] / all).powi(2);
    }
    (selfish / all, surplus)
}

/// Moves the pieces of groups that are not in one piece to the neighbouring
/// groups that the block model likes best. `None` if pieces are left.
pub(super) fn connected(
    links: &Links,
    division: &Partition,
    model: WeightModel,
) -> Option<(Partition, f64)> {
    let mut state = Blocks::new(links, division, model).ok()?;
    for _ in 0..5 {
        let whole = crate::merge::in_one_piece(links, state.labels());
        let pieces = Partition::new(&whole);
        if pieces.groups() == state.count() {
            return Some((pieces, state.total()));
        }
        // The largest piece of a group stays where it is.
        let mut largest = vec![u32::MAX; state.groups.len()];
        for (&label, &piece) in state.labels().iter().zip(pieces.labels()) {
            let best = &mut largest[label as usize];
            *best = (*best).min(piece);
        }
        for u in 0..links.nodes() {
            let own = state.labels()[u];
            if pieces.labels()[u] == largest[own as usize] || links.degree(u) == 0 {
                continue;
            }
            let around = state.look_around(u).to_vec();
            let change = |g: &u32| (*g, state.change(u, *g));
            let best = around
                .iter()
                .filter(|&&g| g != own)
                .map(change)
                .min_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((target, _)) = best {
                state.apply(u, target);
            }
        }
    }
    None
}
