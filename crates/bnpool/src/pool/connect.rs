//! CON: the edges between supernodes.

use super::Structure;
use crate::ops::{pooled_adjacency, reduce};
use burn::config::Config;
use burn::tensor::Tensor;

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

/// Sᵀ A S of every graph, as it is.
///
/// # Shapes
///
/// - assignments: [nodes, C] → [graphs, C, C]
///
/// # Complexity
///
/// O(edges · C + nodes · C²).
#[must_use]
pub fn coarsen(structure: &Structure, assignments: Tensor<2>) -> Tensor<3> {
    let reached = structure.propagate(assignments.clone());
    reduce(structure.segments(), assignments, reached)
}

/// A_pool of every graph (`sec:method` of the paper).
///
/// # Shapes
///
/// - assignments: [nodes, C] → [graphs, C, C]
///
/// # Complexity
///
/// O(edges · C + nodes · C²).
#[must_use]
pub fn connect(structure: &Structure, assignments: Tensor<2>, config: ConnectConfig) -> Tensor<3> {
    let coarse = coarsen(structure, assignments);
    pooled_adjacency(coarse, config.remove_self_loops, config.degree_norm)
}
