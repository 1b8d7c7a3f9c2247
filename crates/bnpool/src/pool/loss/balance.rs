//! Clusters of equal size.

use super::tensors::{EPSILON, per_graph};
use crate::batch::Level;
use crate::ops::segment_sum;
use burn::tensor::Tensor;

/// −Σ_k √(SᵀS)_kk / √(N K) (Just Balance; Bianchi, 2022).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn balance_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let squares = segment_sum(level.segments(), assignments.clone() * assignments.clone());
    let lengths = (squares + EPSILON).sqrt().sum_dim(1);
    let scale = per_graph(level, assignments, |nodes| {
        1.0 / (nodes.max(1.0) * clusters as f64).sqrt()
    });
    (lengths * scale).mean().neg()
}

/// √K ‖Σ_u s_u‖ / N − 1: 0 for clusters of equal size, √K − 1 if all nodes are in
/// one (the collapse regularisation of DMoN; Tsitsulin et al., 2023).
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(nodes · K).
#[must_use]
pub fn collapse_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let [_, clusters] = assignments.dims();
    let sizes = segment_sum(level.segments(), assignments.clone());
    let length = (sizes.clone() * sizes).sum_dim(1).clamp_min(1e-24).sqrt();
    let scale = per_graph(level, assignments, |nodes| {
        (clusters as f64).sqrt() / nodes.max(1.0)
    });
    (length * scale - 1.0).mean()
}
