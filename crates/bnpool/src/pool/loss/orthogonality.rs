//! Separate clusters of equal size.

use super::tensors::{identity, norm, per_graph};
use crate::batch::Level;
use crate::ops::{reduce, segment_sum};
use burn::tensor::Tensor;

/// ‖SᵀS / ‖SᵀS‖ − I/√K‖ (MinCut; Bianchi et al., 2020).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K²).
#[must_use]
pub fn orthogonality_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let overlap = reduce(level.segments(), assignments.clone(), assignments.clone());
    let eye = identity(clusters, &overlap) / (clusters as f64).sqrt();
    let difference = overlap.clone() / norm(overlap) - eye;
    norm(difference).mean()
}

/// (√K − Σ_k ‖S_k‖ / √N) / (√K − 1): 0 for hard clusters of equal size, 1 if one
/// cluster has all nodes (HoscPool; Duval and Malliaros, 2022). It is 0 for a
/// single cluster.
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn spread_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let root = (clusters as f64).sqrt();
    if clusters < 2 {
        return assignments.clone().sum() * 0.0;
    }
    let squares = segment_sum(level.segments(), assignments.clone() * assignments.clone());
    let lengths = squares.clamp_min(1e-24).sqrt().sum_dim(1);
    let scale = per_graph(level, assignments, |nodes| 1.0 / nodes.max(1.0).sqrt());
    let spread = (lengths * scale).neg() + root;
    (spread * (1.0 / (root - 1.0))).mean()
}
