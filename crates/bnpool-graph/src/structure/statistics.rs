//! Statistics of single communities.

use bnpool_math::kernel;
use serde::{Deserialize, Serialize};

use super::numbering::{Numbering, check};
use crate::csr::Csr;
use crate::error::GraphError;

/// Statistics of one community. Edges are stored entries: an undirected edge
/// counts twice inside and once in the cut.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CommunityStatistics {
    /// Label.
    pub label: u32,
    /// Number of nodes.
    pub size: usize,
    /// Number of entries between two nodes inside.
    pub internal_edges: usize,
    /// Total weight of these entries.
    pub internal_weight: f64,
    /// Number of edges between distinct nodes inside, as a fraction of all
    /// possible ones; 0 for a single node.
    pub internal_density: f64,
    /// Number of entries from a node inside to a node outside.
    pub cut_edges: usize,
    /// Total weight of these entries.
    pub cut_weight: f64,
    /// Weight of the cut, as a fraction of the weight of all entries of the
    /// smaller side; 0 if that side has none.
    pub conductance: f64,
    /// Number of connected components inside the community.
    pub components: usize,
}

/// Computes the statistics of each community, by ascending label.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of labels is not
/// the number of nodes.
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
) -> Result<Vec<CommunityStatistics>, GraphError> {
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
        // Components are numbered in the order of first appearance.
        if piece == seen {
            seen += 1;
            communities[community as usize].components += 1;
        }
    }
}

/// The modularity of communities (Newman and Girvan, 2004; for directed graphs
/// Leicht and Newman, 2008): the edge weight inside communities in excess of
/// that expected from the degrees,
///
/// Q = Σ_c \[w_c / W − d_c d'_c / W²\],
///
/// with W the weight of all entries, w_c of those inside c, and d_c, d'_c the
/// sums of the rows and columns of c. Between −½ and 1; 0 for a single
/// community or without edges.
///
/// # Errors
///
/// Returns an error if the matrix is not square or the number of labels is not
/// the number of nodes.
///
/// # Complexity
///
/// O(N + E) time (labels far above N need sorting), O(N) memory.
///
/// ```
/// use bnpool_graph::{Csr, structure::modularity};
///
/// let pairs = Csr::from_edges(4, [(0, 1), (1, 0), (2, 3), (3, 2)])?;
/// assert_eq!(modularity(&pairs, &[0, 0, 1, 1])?, 0.5);
/// assert_eq!(modularity(&pairs, &[0, 1, 0, 1])?, -0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn modularity(adjacency: &Csr, labels: &[u32]) -> Result<f64, GraphError> {
    check(adjacency, labels)?;
    let numbering = Numbering::new(labels);
    let mut inside = vec![0.0; numbering.count()];
    let (mut rows, mut columns) = (inside.clone(), inside.clone());
    for (u, v, weight) in adjacency.iter() {
        let (a, b) = (
            numbering.of_node[u as usize] as usize,
            numbering.of_node[v as usize] as usize,
        );
        let weight = f64::from(weight);
        rows[a] += weight;
        columns[b] += weight;
        if a == b {
            inside[a] += weight;
        }
    }
    let total: f64 = rows.iter().sum();
    if total == 0.0 {
        return Ok(0.0);
    }
    let parts = inside
        .iter()
        .zip(rows.iter().zip(&columns))
        .map(|(w, (r, c))| w / total - (r / total) * (c / total));
    Ok(parts.sum())
}
