//! CON: the edges between supernodes.

use super::Topology;
use crate::ops::{reduce, spmm};
use burn::config::Config;
use burn::tensor::Tensor;

/// Degrees below this count as this: an isolated supernode has no edges to
/// normalise.
const SMALLEST_DEGREE: f64 = 1e-8;

/// How Sᵀ A S becomes the pooled adjacency.
#[derive(Config, Debug, Copy, PartialEq)]
pub struct ConnectConfig {
    /// Set the diagonal to zero, so that self-loops do not dominate the
    /// message passing behind the pooler.
    #[config(default = true)]
    pub remove_self_loops: bool,
    /// Normalise symmetrically by the degrees: D^−½ Â D^−½.
    #[config(default = true)]
    pub degree_norm: bool,
}

/// A_pool of every graph (section 3.3 of the paper).
///
/// # Shapes
///
/// - assignments: [nodes, C] → [graphs, C, C]
///
/// # Complexity
///
/// O(edges · C + nodes · C²).
#[must_use]
pub fn connect(topology: &Topology, assignments: Tensor<2>, config: ConnectConfig) -> Tensor<3> {
    let reached = spmm(&topology.adjacency, assignments.clone());
    let mut pooled = reduce(&topology.segments, assignments, reached);
    let [_, clusters, _] = pooled.dims();
    if config.remove_self_loops {
        let device = pooled.device();
        let diagonal = Tensor::<2>::eye(clusters, &device).cast(pooled.dtype());
        pooled = pooled * (diagonal * -1.0 + 1.0).unsqueeze();
    }
    if config.degree_norm {
        // Column sums, as the reference computes them; rows sum to the same
        // where the graph is undirected.
        let root = pooled.clone().sum_dim(1).clamp_min(SMALLEST_DEGREE).sqrt();
        pooled = pooled / root.clone() / root.swap_dims(1, 2);
    }
    pooled
}
