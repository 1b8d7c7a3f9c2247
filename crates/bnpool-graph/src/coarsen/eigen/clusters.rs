//! Spectral clustering.

use bnpool_math::kmeans::{KMeansConfig, k_means};
use bnpool_math::spectral::{SpectralConfig, leading_eigenvectors};

use crate::coarsen::assigned::Assigned;
use crate::coarsen::error::{CoarsenError, check_positive, check_weights};
use crate::coarsen::prepare::{canonical_order, undirected};
use crate::csr::Csr;
use crate::graph::Graph;

/// Parameters of spectral clustering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpectralClustering {
    /// Number of clusters; a graph with fewer nodes gets one per node.
    pub clusters: usize,
    /// Seed of k-means.
    pub seed: u64,
    /// Number of k-means starts; the one with the lowest inertia is kept.
    pub starts: usize,
    /// Largest number of rounds per start.
    pub rounds: usize,
}

impl SpectralClustering {
    /// Parameters for this number of clusters, with seed 0 and ten starts of at
    /// most 50 rounds.
    #[must_use]
    pub fn new(clusters: usize) -> Self {
        Self {
            clusters,
            seed: 0,
            starts: 10,
            rounds: 50,
        }
    }
}

/// Computes spectral clusters from the leading eigenvectors of the normalised
/// adjacency D^-1/2 A D^-1/2. There are as many vectors as clusters; each entry
/// is divided by the root of the node's degree, which gives eigenvectors of the
/// random walk, and k-means clusters the rows.
///
/// There are min(K, N) clusters, none of them empty, numbered in the order of
/// their smallest nodes. With one cluster, it is the whole graph; with N
/// clusters, each is a node. Nodes without edges have no coordinates and form
/// one of the clusters. If k-means leaves clusters empty, because points
/// coincide or are too few, each of them takes a node from the largest cluster.
///
/// The search runs in the canonical order of the nodes, so the numbering matters
/// only if colour refinement cannot distinguish some nodes. Results depend only on
/// the seed, not on the number of threads. A directed edge counts in both
/// directions.
///
/// # Errors
///
/// Returns an error if the matrix is not square, a weight is negative, or the
/// number of clusters is 0.
///
/// # Complexity
///
/// O(N K²) time for each round of each start, plus the eigenvectors: O(N³) for graphs of
/// up to about 4 K nodes, and otherwise O((E + N K) K) for each of some ten to some
/// hundred products. O(N K) memory (O(N²) for the former).
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::{SpectralClustering, spectral_clusters};
///
/// // Two triangles, joined by an edge.
/// let edges = [(0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5)];
/// let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
/// let graph = Csr::from_edges(6, both)?;
/// let found = spectral_clusters(&graph, &SpectralClustering::new(2))?;
/// assert_eq!(found.clusters(), [0, 0, 0, 1, 1, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn spectral_clusters(
    adjacency: &Csr,
    config: &SpectralClustering,
) -> Result<Assigned, CoarsenError> {
    check_positive("clusters", config.clusters)?;
    check_weights(adjacency, "spectral clustering")?;
    let graph = undirected(adjacency)?;
    let nodes = graph.rows();
    let k = config.clusters.min(nodes);
    if k == nodes {
        return Ok(Assigned::identity(nodes));
    }
    if k == 1 {
        return Ok(Assigned::trusted(vec![0; nodes], 1));
    }
    let order = canonical_order(&graph)?;
    let ordered = order.apply(&Graph::builder(graph.into_owned()).build()?);
    let mut labels = k_means_groups(ordered.adjacency(), k, config);
    fill_empty(&mut labels, k);
    Ok(Assigned::by_smallest_node(order.restore(&labels, 1), k))
}

/// Groups the nodes by their coordinates, with one more group for nodes without
/// coordinates; some of the k groups may be empty.
fn k_means_groups(graph: &Csr, k: usize, config: &SpectralClustering) -> Vec<u32> {
    let degrees = graph.row_sums();
    let bound = degrees.iter().filter(|degree| **degree > 0.0).count();
    let k = if bound < degrees.len() { k - 1 } else { k };
    let search = SpectralConfig {
        seed: config.seed,
        ..SpectralConfig::default()
    };
    let spectrum = leading_eigenvectors(graph.view(), k, &search)
        .expect("a square matrix without negative weights");
    let width = spectrum.values.len();
    if width == 0 {
        return vec![0; graph.rows()];
    }
    let mut points = Vec::with_capacity(bound * width);
    for (row, &degree) in spectrum.vectors.chunks_exact(width).zip(&degrees) {
        if degree > 0.0 {
            let factor = degree.sqrt().recip() as f32;
            points.extend(row.iter().map(|x| x * factor));
        }
    }
    let k_means_config = KMeansConfig {
        seed: config.seed,
        starts: config.starts,
        rounds: config.rounds,
    };
    let mut found = k_means(&points, width, k, &k_means_config)
        .labels
        .into_iter();
    let label = |degree: &f64| {
        let own = if *degree > 0.0 { found.next() } else { None };
        own.unwrap_or(k as u32)
    };
    degrees.iter().map(label).collect()
}

/// Moves the last node of the largest group (the first one in case of ties) to
/// each empty group.
fn fill_empty(labels: &mut [u32], k: usize) {
    let mut sizes = vec![0_usize; k];
    for &label in labels.iter() {
        sizes[label as usize] += 1;
    }
    for empty in 0..k {
        if sizes[empty] > 0 {
            continue;
        }
        let most = sizes.iter().copied().max().expect("a group");
        let largest = sizes
            .iter()
            .position(|&size| size == most)
            .expect("a group");
        let last = labels.iter().rposition(|&label| label as usize == largest);
        labels[last.expect("a node in the largest group")] = empty as u32;
        sizes[largest] -= 1;
        sizes[empty] = 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_graphs() {
        let found = |graph: &Csr, k| spectral_clusters(graph, &SpectralClustering::new(k)).unwrap();
        assert_eq!(found(&Csr::from_edges(0, []).unwrap(), 3).supernodes(), 0);
        assert_eq!(
            found(&Csr::from_edges(1, []).unwrap(), 3),
            Assigned::identity(1)
        );
        assert_eq!(found(&Csr::from_edges(5, []).unwrap(), 3).supernodes(), 3);
        assert_eq!(
            found(&Csr::from_edges(2, [(0, 1)]).unwrap(), 7),
            Assigned::identity(2)
        );
        let complete = (0..7).flat_map(|u| (0..7).map(move |v| (u, v)));
        let complete = Csr::from_edges(7, complete).unwrap();
        for k in 1..8 {
            assert_eq!(found(&complete, k).supernodes(), k);
        }
        // Edges of weight zero count as absent.
        let nothing = Csr::from_weighted_edges(3, [(0, 1, 0.0), (1, 0, 0.0)]).unwrap();
        assert_eq!(found(&nothing, 2).supernodes(), 2);
        let negative = Csr::from_weighted_edges(2, [(0, 1, -1.0)]).unwrap();
        assert!(spectral_clusters(&negative, &SpectralClustering::new(1)).is_err());
        assert!(spectral_clusters(&complete, &SpectralClustering::new(0)).is_err());
    }

    #[test]
    fn components_come_apart_and_single_nodes_stay_together() {
        let edges = [(0, 2), (1, 3), (3, 5), (2, 6)];
        let both = edges.into_iter().flat_map(|(u, v)| [(u, v), (v, u)]);
        let graph = Csr::from_edges(8, both).unwrap();
        let found = spectral_clusters(&graph, &SpectralClustering::new(3)).unwrap();
        assert_eq!(found.clusters(), [0, 1, 0, 1, 2, 1, 0, 2]);
    }
}
