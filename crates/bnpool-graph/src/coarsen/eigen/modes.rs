//! The linear maps of EigenPooling.

use bnpool_math::Real;
use serde::{Deserialize, Serialize};

use super::local::{Induced, lowest};
use crate::coarsen::assigned::Assigned;
use crate::coarsen::connect::{Connect, coarsen_graph};
use crate::coarsen::error::{CoarsenError, check_count, check_least, check_weights};
use crate::coarsen::prepare::undirected;
use crate::csr::Csr;

/// Clusters with local Fourier modes: one linear map Θ_m [N, K] per mode. Θ_m has
/// one entry per row, in the column of the node's cluster, so a map is stored as
/// one value per node.
///
/// Mode m of the pooled features is Θ_mᵀ X; modes are concatenated. Includes the
/// graph of the clusters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parts")]
pub struct Modes {
    assigned: Assigned,
    count: usize,
    values: Vec<f64>,
    adjacency: Csr,
}

/// Deserialised modes, not yet checked.
#[derive(Deserialize)]
struct Parts {
    assigned: Assigned,
    count: usize,
    values: Vec<f64>,
    adjacency: Csr,
}

impl TryFrom<Parts> for Modes {
    type Error = CoarsenError;

    fn try_from(parts: Parts) -> Result<Self, CoarsenError> {
        Self::new(parts.assigned, parts.count, parts.values, parts.adjacency)
    }
}

impl Modes {
    /// Builds modes from their parts: `values` is [N, count], one row per node, and
    /// `adjacency` is the graph of the clusters.
    ///
    /// # Errors
    ///
    /// Returns an error if the shapes of the parts do not match, there is no
    /// mode, or a value is not finite.
    pub fn new(
        assigned: Assigned,
        count: usize,
        values: Vec<f64>,
        adjacency: Csr,
    ) -> Result<Self, CoarsenError> {
        check_least("modes", count, 1)?;
        let expected = assigned.nodes().saturating_mul(count);
        check_count("values", values.len(), expected, "nodes and modes")?;
        for side in [adjacency.rows(), adjacency.columns_count()] {
            let clusters = assigned.supernodes();
            check_count("rows of the pooled graph", side, clusters, "clusters")?;
        }
        if let Some(position) = values.iter().position(|x| !x.is_finite()) {
            return Err(CoarsenError::NonFinite {
                what: "mode",
                position,
                value: values[position],
            });
        }
        Ok(Self {
            assigned,
            count,
            values,
            adjacency,
        })
    }

    /// Cluster of each node.
    #[must_use]
    pub fn assigned(&self) -> &Assigned {
        &self.assigned
    }

    /// Number of modes.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The entries of the maps, [N, count]: row u holds the entry of Θ_m for
    /// node u and its cluster, for each m.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The graph of the clusters.
    #[must_use]
    pub fn adjacency(&self) -> &Csr {
        &self.adjacency
    }

    /// Pools features [N, width] to [K, count · width]: the columns from m ·
    /// width on hold Θ_mᵀ X.
    ///
    /// # Complexity
    ///
    /// O(N · count · width) time.
    ///
    /// # Panics
    ///
    /// Panics if there are not `width` values per node.
    #[must_use]
    pub fn reduce<T: Real>(&self, x: &[T], width: usize) -> Vec<T> {
        assert_eq!(x.len(), self.assigned.nodes() * width, "a row a node");
        let mut pooled = vec![T::ZERO; self.assigned.supernodes() * self.count * width];
        for (u, &c) in self.assigned.clusters().iter().enumerate() {
            let row = &x[u * width..(u + 1) * width];
            for (m, &value) in self.of_node(u).iter().enumerate() {
                let start = (c as usize * self.count + m) * width;
                for (sum, &x) in pooled[start..start + width].iter_mut().zip(row) {
                    *sum += T::of(value) * x;
                }
            }
        }
        pooled
    }

    /// Lifts pooled features [K, count · width] to [N, width]: the sum of Θ_m
    /// X_m over the modes.
    ///
    /// # Complexity
    ///
    /// O(N · count · width) time.
    ///
    /// # Panics
    ///
    /// Panics if there are not `count` · `width` values per cluster.
    #[must_use]
    pub fn lift<T: Real>(&self, pooled: &[T], width: usize) -> Vec<T> {
        let clusters = self.assigned.supernodes();
        assert_eq!(
            pooled.len(),
            clusters * self.count * width,
            "a row a cluster"
        );
        let mut x = vec![T::ZERO; self.assigned.nodes() * width];
        for (u, &c) in self.assigned.clusters().iter().enumerate() {
            let row = &mut x[u * width..(u + 1) * width];
            for (m, &value) in self.of_node(u).iter().enumerate() {
                let start = (c as usize * self.count + m) * width;
                for (sum, &x) in row.iter_mut().zip(&pooled[start..start + width]) {
                    *sum += T::of(value) * x;
                }
            }
        }
        x
    }

    fn of_node(&self, u: usize) -> &[f64] {
        &self.values[u * self.count..(u + 1) * self.count]
    }
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
/// let sums = modes.reduce(&[1.0, 3.0, 5.0, 5.0], 1);
/// let root = 2.0_f64.sqrt();
/// for (found, expected) in sums.iter().zip([4.0 / root, -2.0 / root, 10.0 / root, 0.0]) {
///     assert!((found - expected).abs() < 1e-12);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_modes(
    adjacency: &Csr,
    assigned: &Assigned,
    modes: usize,
) -> Result<Modes, CoarsenError> {
    check_least("modes", modes, 1)?;
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
    Modes::new(assigned.clone(), modes, values, pooled)
}
