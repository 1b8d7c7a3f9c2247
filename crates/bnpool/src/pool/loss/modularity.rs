//! Modularity: edges inside clusters in excess of chance.

use super::tensors::trace;
use crate::batch::Level;
use crate::ops::segment_sum;
use burn::tensor::Tensor;

/// −tr(SᵀAS − (Sᵀd)(Sᵀd)ᵀ / 2m) / 2m: the negative soft modularity (DMoN;
/// Tsitsulin et al., 2023). It is 0 for a graph without edges.
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
///
/// # Complexity
///
/// O(nodes · K) in addition to SᵀAS.
#[must_use]
pub fn modularity_loss(level: &Level, assignments: &Tensor<2>, coarse: Tensor<3>) -> Tensor<1> {
    let degrees = level.structure.degrees(assignments);
    let volume = segment_sum(level.segments(), degrees.clone());
    let degree_sums = segment_sum(level.segments(), assignments.clone() * degrees);
    let expected = (degree_sums.clone() * degree_sums).sum_dim(1);
    // Without edges both terms are 0, and so is their quotient by 1.
    let safe = volume.clone() + volume.equal_elem(0.0).float().cast(coarse.dtype());
    let inside = trace(coarse) - expected / safe.clone();
    (inside / safe).mean().neg()
}
