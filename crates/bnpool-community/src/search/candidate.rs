//! Candidate partitions.

use crate::description_length::{Blocks, Density, WeightModel};
use crate::merge::Dendrogram;
use crate::{Links, Partition};
use serde::{Deserialize, Serialize};

/// Model that a partition was found by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Judge {
    /// The planted partition.
    Planted(Density),
    /// The block model.
    Blocks,
    /// The block model with directions.
    DirectedBlocks,
}

impl Judge {
    /// Returns the input graph of this model, without directions unless it models
    /// them.
    #[must_use]
    pub fn sees(self, links: &Links) -> Links {
        match self {
            Self::DirectedBlocks => links.clone(),
            _ => links.undirected(),
        }
    }
}

/// Start of the search for a partition.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Origin {
    /// Leiden at a resolution.
    Leiden(f64),
    /// k-means of eigenvectors.
    Eigenvectors,
    /// k-means of singular vectors of a directed graph.
    SingularVectors,
    /// Nodes of more edges than the mean, and the others.
    Degrees,
    /// The best partition under another model.
    OtherModel,
    /// A partition given by the caller.
    Given,
}

/// A partition with its evidence.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Candidate {
    /// The partition.
    pub partition: Partition,
    /// Σ under the model that found it, in nats. For weights and directions, only the
    /// difference to the cost without groups is included.
    pub total: f64,
    /// Model that found it.
    pub judge: Judge,
    /// Model of the weights.
    pub weights: WeightModel,
    /// Start of the search.
    pub origin: Origin,
    /// Fraction of the volume in groups that prefer themselves to all others.
    pub preference: f64,
    /// Number of edges inside groups in excess of that expected from degrees,
    /// as a fraction of all edges.
    pub assortativity: f64,
    /// Dendrogram that leads to the partition, and from there to one group.
    pub path: Dendrogram,
}

/// Returns two fractions: that of the volume in groups that prefer themselves,
/// i.e. have more internal edges, relative to the degrees of their nodes, than
/// edges to any other group; and that of the edges inside groups in excess of
/// the number expected from degrees. With `weighted`, weights are used instead
/// of edge counts.
///
/// # Complexity
///
/// O(E) time, plus a sort of the pairs of groups.
pub(super) fn preference(links: &Links, partition: &Partition, weighted: bool) -> (f64, f64) {
    let labels = partition.labels();
    let groups = partition.groups();
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
    // A stable sort, so that sums are computed in the order of the edges.
    across.sort_by_key(|entry| entry.0);
    let pairs = across.chunk_by(|a, b| a.0 == b.0);
    let sums = pairs.map(|pair| {
        let sum = pair.iter().map(|entry| f64::from(entry.1)).sum();
        (pair[0].0, sum)
    });
    preference_of(&volumes, &inside, sums)
}

/// Like [`preference`], from counts: edge ends per group, internal edge ends per
/// group, and edges between pairs of groups.
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

/// Moves the smaller components of disconnected groups to the best adjacent
/// groups under the block model. Returns `None` if disconnected groups remain.
pub(super) fn connected(
    links: &Links,
    partition: &Partition,
    model: WeightModel,
) -> Option<(Partition, f64)> {
    let mut state = Blocks::new(links, partition, model).ok()?;
    for _ in 0..5 {
        let whole = crate::merge::in_one_piece(links, state.labels());
        let pieces = Partition::new(&whole);
        if pieces.groups() == state.count() {
            return Some((pieces, state.total()));
        }
        // The largest component of a group stays in it.
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
