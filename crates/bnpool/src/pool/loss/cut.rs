//! Few edges between clusters.

use super::tensors::{EPSILON, trace};
use crate::batch::Level;
use crate::ops::{reduce, segment_sum};
use burn::tensor::Tensor;

/// −tr(SᵀAS) / tr(SᵀDS), with the degrees D (MinCut; Bianchi et al., 2020).
///
/// # Shapes
///
/// - assignments: [nodes, K], coarse (SᵀAS): [graphs, K, K] → one value
///
/// # Complexity
///
/// O(nodes · K) in addition to SᵀAS.
#[must_use]
pub fn cut_loss(level: &Level, assignments: &Tensor<2>, coarse: Tensor<3>) -> Tensor<1> {
    let degrees = level.structure.degrees(assignments);
    kept_share(level, assignments, coarse, degrees).mean().neg()
}

/// [`cut_loss`] of A³, which counts the walks of three steps: cutting a
/// triangle costs more than cutting a single edge (HoscPool; Duval and
/// Malliaros, 2022).
///
/// A³ S is computed by three sparse products; A³ itself is never formed.
///
/// # Shapes
///
/// - assignments: [nodes, K] → one value
///
/// # Complexity
///
/// O(edges · K + nodes · K²).
#[must_use]
pub fn higher_order_cut_loss(level: &Level, assignments: &Tensor<2>) -> Tensor<1> {
    let thrice = |x: Tensor<2>| {
        let once = level.structure.propagate(x);
        level.structure.propagate(level.structure.propagate(once))
    };
    let walks = thrice(assignments.clone());
    let coarse = reduce(level.segments(), assignments.clone(), walks);
    // Row sums of A³.
    let degrees = level.structure.degrees(assignments);
    let degrees = level
        .structure
        .propagate(level.structure.propagate(degrees));
    kept_share(level, assignments, coarse, degrees).mean().neg()
}

/// tr(SᵀMS) / tr(SᵀDS) of each graph, [graphs, 1].
fn kept_share(
    level: &Level,
    assignments: &Tensor<2>,
    coarse: Tensor<3>,
    degrees: Tensor<2>,
) -> Tensor<2> {
    let volume = (assignments.clone() * assignments.clone()).sum_dim(1) * degrees;
    let volume = segment_sum(level.segments(), volume) + EPSILON;
    trace(coarse) / volume
}
