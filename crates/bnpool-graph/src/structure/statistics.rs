//! Communities one by one.

use bnpool_math::kernel;
use serde::{Deserialize, Serialize};

use super::StructureError;
use super::error::check;
use super::numbering::Numbering;
use crate::csr::Csr;

/// What one community is like. Edges are entries as stored: an undirected one
/// counts twice inside, and once on its way out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CommunityStatistics {
    /// Its label.
    pub label: u32,
    /// Nodes.
    pub size: usize,
    /// Entries from a node inside to a node inside.
    pub internal_edges: usize,
    /// Their weight.
    pub internal_weight: f64,
    /// Edges between different nodes inside, as a part of all that there could
    /// be; 0 for a single node.
    pub internal_density: f64,
    /// Entries from a node inside to a node outside.
    pub cut_edges: usize,
    /// Their weight.
    pub cut_weight: f64,
    /// Weight of the cut, as a part of the weight of all entries of the smaller
    /// side of it; 0 where that side has none.
    pub conductance: f64,
    /// Connected pieces; 1 for a community in one piece.
    pub components: usize,
}

/// The statistics of every community, by rising label.
///
/// # Errors
///
/// When the matrix is not square or there is not a label for every node.
///
/// # Complexity
///
/// O(N + E) time in practice (labels far above N need sorting), O(N) memory.
///
/// ```
/// use bnpool_graph::{Csr, structure::community_statistics};
///
/// // A path of four nodes, cut in the middle.
/// let edges = [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)];
/// let path = Csr::from_edges(4, edges)?;
/// let halves = community_statistics(&path, &[5, 5, 6, 6])?;
/// assert_eq!((halves[0].label, halves[0].size), (5, 2));
/// assert_eq!((halves[0].internal_edges, halves[0].cut_edges), (2, 1));
/// assert_eq!((halves[0].internal_density, halves[0].conductance), (1.0, 1.0 / 3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn community_statistics(
    adjacency: &Csr,
    labels: &[u32],
) -> Result<Vec<CommunityStatistics>, StructureError> {
    check(adjacency, labels)?;
    let numbering = Numbering::new(labels);
    let mut communities: Vec<CommunityStatistics> = numbering
        .labels
        .iter()
        .zip(numbering.sizes())
        .map(|(&label, size)| CommunityStatistics {
            label,
            size,
            internal_edges: 0,
            internal_weight: 0.0,
            internal_density: 0.0,
            cut_edges: 0,
            cut_weight: 0.0,
            conductance: 0.0,
            components: 0,
        })
        .collect();
    let mut loops = vec![0_usize; communities.len()];
    for (u, v, weight) in adjacency.iter() {
        let c = numbering.of_node[u as usize];
        let (own, weight) = (&mut communities[c as usize], f64::from(weight));
        if numbering.of_node[v as usize] == c {
            own.internal_edges += 1;
            own.internal_weight += weight;
            loops[c as usize] += usize::from(u == v);
        } else {
            own.cut_edges += 1;
            own.cut_weight += weight;
        }
    }
    count_components(adjacency, &numbering, &mut communities);
    let total: f64 = communities
        .iter()
        .map(|c| c.internal_weight + c.cut_weight)
        .sum();
    for (community, loops) in communities.iter_mut().zip(loops) {
        let places = community.size as f64 * (community.size as f64 - 1.0);
        if places > 0.0 {
            community.internal_density = (community.internal_edges - loops) as f64 / places;
        }
        let volume = community.internal_weight + community.cut_weight;
        let smaller = volume.min(total - volume);
        if smaller > 0.0 {
            community.conductance = community.cut_weight / smaller;
        }
    }
    Ok(communities)
}

fn count_components(
    adjacency: &Csr,
    numbering: &Numbering,
    communities: &mut [CommunityStatistics],
) {
    let of_node = &numbering.of_node;
    let pieces = kernel::connected_components(adjacency.view(), |u, v, _| of_node[u] == of_node[v]);
    let mut seen = 0;
    for (&piece, &community) in pieces.of_node.iter().zip(of_node) {
        // Pieces are numbered as they first appear.
        if piece == seen {
            seen += 1;
            communities[community as usize].components += 1;
        }
    }
}
