//! The linear maps of EigenPooling.

use super::local::{Induced, lowest};
use crate::coarsen::assigned::Assigned;
use crate::coarsen::connect::{Connect, coarsen_graph};
use crate::coarsen::error::{CoarsenError, check_positive, check_weights};
use crate::coarsen::prepare::undirected;
use crate::csr::Csr;

/// Clusters with local Fourier modes: one linear map Θ_m [N, K] per mode. Θ_m has
/// one entry per row, in the column of the node's cluster, so a map is stored as
/// one value per node.
///
/// Mode m of the pooled features is Θ_mᵀ X; modes are concatenated. Includes the
/// graph of the clusters.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// The entries of the maps, [N, count]: row u holds the entry of Θ_m for node u and its
    /// cluster, for each m.
    pub values: Vec<f64>,
    /// The graph of the clusters.
    pub adjacency: Csr,
}

/// Computes the local Fourier modes of each cluster, and the graph of the
/// clusters.
///
/// Mode m of a cluster is the eigenvector with the m-th smallest eigenvalue of
/// the normalised Laplacian of its induced subgraph (see
/// [`cluster_spectrum`](super::cluster_spectrum) for the signs). A cluster with
/// fewer nodes than modes repeats its last mode. A cluster of one node has its
/// entry on the diagonal of the adjacency in all modes: 0 unless it has a
/// self-loop.
///
/// Clusters are connected by the sum of the weights between them, and the matrix is
/// normalised by degrees. Modes of clusters of more than 400 nodes are iterative,
/// with an error of about 1e-4; all others are exact up to rounding.
///
/// Signs depend on which node of a cluster has the smallest number. Otherwise,
/// the numbering matters only for repeated eigenvalues.
///
/// # Errors
///
/// Returns an error if the matrix is not square, a weight is negative, the
/// assignment has a different number of nodes, or the number of modes is 0.
///
/// # Complexity
///
/// O(E + Σ n³) time over clusters of n ≤ 400 nodes.
///
/// ```
/// use bnpool_graph::Csr;
/// use bnpool_graph::coarsen::{Assigned, local_modes};
///
/// // A path of four nodes in two halves.
/// let path = Csr::from_edges(4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)])?;
/// let halves = Assigned::new(vec![0, 0, 1, 1], 2)?;
/// let modes = local_modes(&path, &halves, 2)?;
/// // The nodes of a half alike, and against each other.
/// let signs = [1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, -1.0];
/// for (found, sign) in modes.values.iter().zip(signs) {
///     assert!((found - sign * 0.5_f64.sqrt()).abs() < 1e-12);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_modes(
    adjacency: &Csr,
    assigned: &Assigned,
    modes: usize,
) -> Result<Modes, CoarsenError> {
    check_positive("modes", modes)?;
    check_weights(adjacency, "the normalised Laplacian")?;
    let graph = undirected(adjacency)?;
    let connect = Connect {
        degree_norm: true,
        ..Connect::default()
    };
    let pooled = coarsen_graph(&graph, assigned, &connect)?;
    let mut induced = Induced::new(graph.rows());
    let mut values = vec![0.0; assigned.nodes() * modes];
    let (offsets, nodes) = assigned.members();
    for bounds in offsets.windows(2) {
        let members = &nodes[bounds[0]..bounds[1]];
        if let [single] = members {
            let u = *single as usize;
            let diagonal = graph.find(u, u).map_or(0.0, |entry| graph.weight(entry));
            values[u * modes..(u + 1) * modes].fill(f64::from(diagonal));
            continue;
        }
        let n = members.len();
        let vectors = lowest(&induced.subgraph(&graph, members), modes);
        for (i, &u) in members.iter().enumerate() {
            for m in 0..modes {
                values[u as usize * modes + m] = vectors[m.min(n - 1) * n + i];
            }
        }
    }
    Ok(Modes {
        values,
        adjacency: pooled,
    })
}
